/*
 * invited number   INVITATION#<number> / NUMBER    when the last three links went to a number as texts
 * invited today    INVITATION#<merchant> / <day>   how many links of a merchant went out as texts on that day
 */
import type { Outside } from '../../runtime/outside/outside.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { takeOneOfThreeADay } from '../../runtime/table/three-a-day.ts';
import { invalidRequest, PublicError } from '../../runtime/values/errors.ts';

/** More than a shop invites. These texts cost no credit, so nothing else would end a flood of them. */
export const MAX_INVITATION_TEXTS_PER_DAY = 10;
const KEPT_SECONDS = 2 * 24 * 60 * 60;

/** Counts a link that goes out as a text, in the same transaction; refused beyond what a number or a merchant may have. */
export function countInvitationText(
  outside: Pick<Outside, 'now'>,
  { to, merchantId }: { readonly to: string; readonly merchantId: string },
): TableWrite[] {
  const nowMs = outside.now();
  return [
    {
      update: takeOneOfThreeADay(outside, { pk: `INVITATION#${to}`, sk: 'NUMBER' }, KEPT_SECONDS),
      refused: () => {
        const message = 'has had three links in the last 24 hours: leave it empty, and show the link instead';
        return invalidRequest([{ field: 'to', message }]);
      },
    },
    {
      update: {
        Key: { pk: `INVITATION#${merchantId}`, sk: new Date(nowMs).toISOString().slice(0, 10) },
        UpdateExpression: 'SET expires_at_epoch_seconds = :end ADD texts :one',
        ConditionExpression: 'attribute_not_exists(texts) OR texts < :most',
        ExpressionAttributeValues: {
          ':one': 1,
          ':most': MAX_INVITATION_TEXTS_PER_DAY,
          ':end': Math.floor(nowMs / 1000) + KEPT_SECONDS,
        },
      },
      refused: () =>
        new PublicError(
          'too_many_requests',
          `At most ${MAX_INVITATION_TEXTS_PER_DAY} links a day go out as texts. Nothing was done: leave the number empty, and show the link instead.`,
        ),
    },
  ];
}
