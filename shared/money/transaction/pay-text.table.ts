/*
 * pay text    PAY_TEXT#<reference> / CHARGE     how many texts with what its customer has to type went out for a charge
 * texted      PAY_TEXT#<number> / NUMBER        when the last three went to a number, whatever for; those of tests reach nobody
 * pay texts   PAY_TEXT#<merchant> / <day>       how many of a merchant's went out on that day
 */
import { isTwin } from '../../merchants/merchant/twin.ts';
import type { Clock } from '../../runtime/outside/outside.ts';
import type { Key, TableWrite } from '../../runtime/table/table.ts';
import { takeOneOfThreeADay } from '../../runtime/table/three-a-day.ts';

const MAX_PAY_TEXTS_OF_CHARGE = 3;
const DAY_SECONDS = 24 * 60 * 60;
/** Longer than a charge can be paid, so that its count is not forgotten before. */
const CHARGE_KEPT_SECONDS = 8 * DAY_SECONDS;

interface PayText {
  readonly reference: string;
  readonly to: string;
  readonly merchantId: string;
  readonly maxPerDay: number;
}

/** Counts a text in the transaction that accepts it. Refused with `PayTextsUsedUp` where charge, number or merchant have had theirs. */
export function countPayText(outside: Clock, { reference, to, merchantId, maxPerDay }: PayText): TableWrite[] {
  const day = new Date(outside.now()).toISOString().slice(0, 10);
  const number = { pk: `PAY_TEXT#${to}`, sk: 'NUMBER' };
  const toNumber = { update: takeOneOfThreeADay(outside, number, 2 * DAY_SECONDS), refused: usedUp };
  return [
    countUpTo(outside, { pk: `PAY_TEXT#${reference}`, sk: 'CHARGE' }, MAX_PAY_TEXTS_OF_CHARGE, CHARGE_KEPT_SECONDS),
    ...(isTwin(merchantId) ? [] : [toNumber]),
    countUpTo(outside, { pk: `PAY_TEXT#${merchantId}`, sk: day }, maxPerDay, 2 * DAY_SECONDS),
  ];
}

function countUpTo(outside: Clock, key: Key, most: number, keptSeconds: number): TableWrite {
  return {
    update: {
      Key: key,
      UpdateExpression: 'SET expires_at_epoch_seconds = :end ADD texts :one',
      ConditionExpression: 'attribute_not_exists(texts) OR texts < :most',
      ExpressionAttributeValues: { ':one': 1, ':most': most, ':end': Math.floor(outside.now() / 1000) + keptSeconds },
    },
    refused: usedUp,
  };
}

function usedUp(): PayTextsUsedUp {
  return new PayTextsUsedUp();
}

export class PayTextsUsedUp extends Error {
  constructor() {
    super('A charge, a number or a merchant has had all of its texts');
  }
}
