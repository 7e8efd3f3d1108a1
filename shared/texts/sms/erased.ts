import { COUNTRY_CODE } from '../../ghana/country.ts';
import type { Send } from './send.table.ts';

/** What a recipient is replaced by who was erased: a number in form, which no network gives. The others keep their places, and texts their ids. */
export const ERASED_NUMBER = `${COUNTRY_CODE}000000000`;
/** What stands for words of theirs. */
export const ERASED_TEXT = 'erased';

/** Whether the text of a send went with one of its recipients. Where each has words of their own, it is everybody's and stays. */
export function isTextErased({ to, words }: Pick<Send, 'to' | 'words'>): boolean {
  return !words && to.includes(ERASED_NUMBER);
}
