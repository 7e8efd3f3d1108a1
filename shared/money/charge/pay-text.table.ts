/*
 * pay text    PAY_TEXT#<reference> / CHARGE            number of texts with payment instructions for a charge
 * texted      PAY_TEXT#<number> / NUMBER               times of the last three such texts to a number, not counting test texts, which are never sent
 * pay texts   PAY_TEXT#<merchant> / <day>, <day>#<address>     number of such texts by a merchant on a day, in total and as requested from one address
 */
import type { Merchant } from '../../merchants/merchant/merchant.ts';
import { isTestAccount } from '../../merchants/merchant/test-account.ts';
import { type Clock, endsIn } from '../../runtime/outside/outside.ts';
import { countThreeADay, type FairLimit } from '../../runtime/table/limits.ts';
import { changeItem, type TableWrite } from '../../runtime/table/table.ts';
import { DAY_SECONDS } from '../../runtime/values/calendar.ts';

const MAX_PAY_TEXTS_OF_CHARGE = 3;
export const FEW_PAY_TEXTS_PER_DAY = MAX_PAY_TEXTS_OF_CHARGE;
/** Longer than any charge stays open, so the counter outlives the charge. */
const CHARGE_KEPT_SECONDS = 8 * DAY_SECONDS;

/**
 * Returns the daily limit on a merchant's payment-instruction texts. Above it, the write fails with `PayTextsUsedUp`.
 */
export function payTextsLimit({
  merchant_id,
  pay_texts_per_day: most = 0,
}: Pick<Merchant, 'merchant_id' | 'pay_texts_per_day'>): FairLimit {
  const key = (day: string) => ({ pk: `PAY_TEXT#${merchant_id}`, sk: day });
  return { key, per: 'day', most, few: FEW_PAY_TEXTS_PER_DAY, refused: usedUp };
}

export function countOfCharge(outside: Clock, reference: string): TableWrite {
  const ends = endsIn(outside, CHARGE_KEPT_SECONDS);
  const upTo = { counted: MAX_PAY_TEXTS_OF_CHARGE };
  return changeItem({ pk: `PAY_TEXT#${reference}`, sk: 'CHARGE' }, ends, { upTo, refused: usedUp });
}

export function countToNumber(outside: Clock, merchantId: string, to: string): TableWrite[] {
  if (isTestAccount(merchantId)) return [];
  return [countThreeADay(outside, { pk: `PAY_TEXT#${to}`, sk: 'NUMBER' }, () => new NumberHadTexts())];
}

function usedUp(): PayTextsUsedUp {
  return new PayTextsUsedUp();
}

export class PayTextsUsedUp extends Error {
  constructor() {
    super('The charge or its merchant has reached its limit of texts with payment instructions');
  }
}

export class NumberHadTexts extends Error {
  constructor() {
    super('The number has reached its limit of texts with payment instructions');
  }
}
