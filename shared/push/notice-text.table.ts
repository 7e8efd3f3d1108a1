/**
 * notice text    PUSH_TEXT#<merchant> / <user>#<notice>   a notification that was sent as a text
 * notice texts   PUSH_TEXT#<merchant> / <user>#<day>      number of texts sent to a person on that day
 */
import { type Clock, endsIn } from '../runtime/outside/outside.ts';
import { countUpTo } from '../runtime/table/limits.ts';
import { createItem, type TableWrite } from '../runtime/table/table.ts';
import { DAY_SECONDS } from '../runtime/values/calendar.ts';

/** Retention of these rows. Must exceed the lifetime of a job. */
const KEPT_SECONDS = 3 * DAY_SECONDS;

interface Texted {
  readonly merchant_id: string;
  readonly user_id: string;
  readonly texts_per_day?: number | undefined;
}

/**
 * Counts a text towards the person's daily limit. The transaction writes nothing if this notification was already
 * texted. Fails if the limit is reached.
 */
export function countTextOfToday(outside: Clock, texted: Texted, noticeId: string): TableWrite[] {
  const { merchant_id, user_id, texts_per_day = 0 } = texted;
  const pk = `PUSH_TEXT#${merchant_id}`;
  return [
    createItem({ pk, sk: `${user_id}#${noticeId}`, ...endsIn(outside, KEPT_SECONDS) }, () => undefined),
    countUpTo(outside, {
      key: (day) => ({ pk, sk: `${user_id}#${day}` }),
      per: 'day',
      most: { counted: texts_per_day },
      refused: `${texts_per_day} texts have already been sent today.`,
    }),
  ];
}
