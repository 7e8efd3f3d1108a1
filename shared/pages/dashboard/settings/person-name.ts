import * as z from 'zod/mini';
import { text } from '../../../runtime/values/text.ts';

export const MAX_NAME_CHARACTERS = 60;

/** As colleagues call a person. */
export const PersonName = z.pipe(
  text(MAX_NAME_CHARACTERS).check(z.refine((name) => name.trim() !== '', 'must not be empty')),
  z.transform((name) => name.trim()),
);
