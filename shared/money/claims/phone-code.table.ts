/*
 * code           CODE#<receipt id> / CODE   newest claim code for a held payment, its charge, the number of codes sent so far
 *                                           and the number of tries
 * coded number   CODE#<number> / NUMBER     times of the last three codes sent to a number
 */

import * as z from 'zod/mini';
import { endsIn, isoOf, nowIso, type Outside, type TimedOutside } from '../../runtime/outside/outside.ts';
import { countThreeADay } from '../../runtime/table/limits.ts';
import { countTry, isCode, keepCode, oneTimeCode, useUp } from '../../runtime/table/one-time-code.ts';
import { changeItem, type TableWrite } from '../../runtime/table/table.ts';
import { DAY_SECONDS, MINUTE_MS } from '../../runtime/values/calendar.ts';

export const MAX_CODES_OF_PAYMENT = 3;
export const MAX_CODE_TRIES = 5;
export const CODE_LIFETIME_MS = 10 * MINUTE_MS;
export const CODE_KEPT_SECONDS = 8 * DAY_SECONDS;

interface CodeFor {
  readonly receiptId: string;
  readonly reference: string;
  readonly phone: string;
}

const Code = z.object({ receipt_id: z.string(), reference: z.string(), ...oneTimeCode });

const codeKey = (receiptId: string) => ({ pk: `CODE#${receiptId}`, sk: 'CODE' });
const numberKey = (phone: string) => ({ pk: `CODE#${phone}`, sk: 'NUMBER' });

/**
 * Replaces the previous claim code. Counts the new code per payment and per phone number. Fails with `CodesUsedUp`
 * above either limit.
 */
export function createCode(
  outside: Pick<Outside, 'now' | 'randomBytes'>,
  { receiptId, reference, phone }: CodeFor,
  code: string,
): TableWrite[] {
  const valid_until = isoOf(outside.now() + CODE_LIFETIME_MS);
  const kept = {
    receipt_id: receiptId,
    reference,
    ...keepCode(outside, code, valid_until),
    ...endsIn(outside, CODE_KEPT_SECONDS),
  };
  const refused = () => new CodesUsedUp();
  return [
    changeItem(codeKey(receiptId), kept, { upTo: { codes: MAX_CODES_OF_PAYMENT }, refused }),
    countThreeADay(outside, numberKey(phone), refused),
  ];
}

export async function noteNoSender(outside: TimedOutside, receiptId: string): Promise<void> {
  const no_sender_at = nowIso(outside);
  await outside.table.update(changeItem(codeKey(receiptId), { no_sender_at, ...endsIn(outside, CODE_KEPT_SECONDS) }));
}

/**
 * Compares a typed code with the newest code for these payments and this charge. Returns the matching payment and the
 * write that uses up the code. Counts the attempt first, so concurrent attempts gain nothing. Attempts for another
 * charge are not counted.
 */
export async function tryCode(outside: TimedOutside, receiptIds: readonly string[], reference: string, typed: string) {
  const items = await outside.table.getMany(receiptIds.map(codeKey));
  const [newest] = items
    .flatMap((item) => z.safeParse(Code, item).data ?? [])
    .filter((code) => code.reference === reference && code.code_hash !== undefined)
    .toSorted((a, b) => (a.valid_until < b.valid_until ? 1 : -1));
  if (!newest) return undefined;
  const [key, validAt] = [codeKey(newest.receipt_id), nowIso(outside)];
  const isTaken = await outside.table.update(countTry(key, newest, { most: MAX_CODE_TRIES, validAt }));
  return isTaken && isCode(newest, typed) ? { receiptId: newest.receipt_id, use: useUp(key, newest) } : undefined;
}

export class CodesUsedUp extends Error {
  constructor() {
    super('The payment or the payer’s number has reached its limit of claim codes');
  }
}
