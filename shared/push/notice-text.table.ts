/*
 * notice text    PUSH_TEXT#<merchant> / <user>#<notice>    that a number was texted about something: a second job sends none
 * notice texts   PUSH_TEXT#<merchant> / <user>#<day>       how many texts a number got on that day
 */
import { type Clock, endsIn } from '../runtime/outside/outside.ts';
import { countUpTo } from '../runtime/table/limits.ts';
import { createItem, type TableWrite } from '../runtime/table/table.ts';
import { DAY_SECONDS } from '../runtime/values/calendar.ts';

/** Longer than a job lives. */
const KEPT_SECONDS = 3 * DAY_SECONDS;

/** Whose number it is. */
interface Texted {
  readonly merchant_id: string;
  readonly user_id: string;
  readonly texts_per_day?: number | undefined;
}

/** Takes one of a number's texts of the day, for one notice: where it was texted already nothing is written. Refused beyond what its person allows. */
export function countTextOfToday(outside: Clock, texted: Texted, noticeId: string): TableWrite[] {
  const { merchant_id, user_id, texts_per_day = 0 } = texted;
  const pk = `PUSH_TEXT#${merchant_id}`;
  return [
    createItem({ pk, sk: `${user_id}#${noticeId}`, ...endsIn(outside, KEPT_SECONDS) }, () => undefined),
    countUpTo(outside, {
      key: (day) => ({ pk, sk: `${user_id}#${day}` }),
      per: 'day',
      most: { counted: texts_per_day },
      refused: `${texts_per_day} texts have gone out today.`,
    }),
  ];
}
