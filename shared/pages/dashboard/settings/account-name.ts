import * as z from 'zod/mini';
import { text } from '../../../runtime/values/text.ts';

/** The networks' names are shorter. */
export const MAX_ACCOUNT_NAME_CHARACTERS = 60;

/** The name that customers see on their phone before they confirm. */
export const AccountName = z.pipe(
  text(MAX_ACCOUNT_NAME_CHARACTERS),
  z.transform((name) => name.trim()),
);
