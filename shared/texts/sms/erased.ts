import { COUNTRY_CODE } from '../../ghana/country.ts';
import type { Send } from './send.table.ts';

/** Replaces the number of an erased recipient. Valid in format, but never assigned. */
export const ERASED_NUMBER = `${COUNTRY_CODE}000000000`;
export const ERASED_TEXT = 'erased';

/** Returns true if the text was erased together with a recipient. Templates of personalised texts are kept. */
export function isTextErased({ to, words }: Pick<Send, 'to' | 'words'>): boolean {
  return !words && to.includes(ERASED_NUMBER);
}
