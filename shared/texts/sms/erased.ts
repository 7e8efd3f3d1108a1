import { COUNTRY_CODE } from '../../ghana/country.ts';
import type { Send } from './send.table.ts';

/**
 * Replaces the number of an erased recipient. The format is valid, but the number is never assigned. Other recipients
 * keep their positions, and texts keep their ids.
 */
export const ERASED_NUMBER = `${COUNTRY_CODE}000000000`;
export const ERASED_TEXT = 'erased';

/**
 * Returns true if the text was erased together with one of its recipients. The template of personalised texts is kept.
 */
export function isTextErased({ to, words }: Pick<Send, 'to' | 'words'>): boolean {
  return !words && to.includes(ERASED_NUMBER);
}
