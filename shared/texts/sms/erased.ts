import { COUNTRY_CODE } from '../../ghana/country.ts';
import type { Send } from './send.table.ts';

/**
 * Replaces the number of an erased recipient: valid in form, but never assigned. Other recipients keep their positions
 * and texts their ids.
 */
export const ERASED_NUMBER = `${COUNTRY_CODE}000000000`;
export const ERASED_TEXT = 'erased';

/** True if a send's text was erased with one of its recipients. Personal texts share a template, which stays. */
export function isTextErased({ to, words }: Pick<Send, 'to' | 'words'>): boolean {
  return !words && to.includes(ERASED_NUMBER);
}
