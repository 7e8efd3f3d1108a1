/*
 * code           CODE#<receipt id> / CODE   the newest code to the payer of a held payment: for which charge, how many there were
 *                                           in all, and the tries at it
 * coded number   CODE#<number> / NUMBER     when the last three codes went to a number
 */

import * as z from 'zod/mini';
import { endsIn, isoOf, nowIso, type Outside, type TimedOutside } from '../../runtime/outside/outside.ts';
import { changeItem, type Item, type TableWrite } from '../../runtime/table/table.ts';
import { takeOneOfThreeADay } from '../../runtime/table/three-a-day.ts';
import { hashCode, isCode } from '../../runtime/values/one-time-code.ts';

export const MAX_CODES_OF_PAYMENT = 3;
export const MAX_CODE_TRIES = 5;
export const CODE_LIFETIME_MS = 10 * 60 * 1000;
/** Longer than a payment can be claimed, so that its count of codes is not forgotten before. */
export const CODE_KEPT_SECONDS = 8 * 24 * 60 * 60;

/** What a code is valid for: assigning this payment to this charge. It went to the number that the payment names. */
interface CodeFor {
  readonly receiptId: string;
  readonly reference: string;
  readonly phone: string;
}

const Code = z.object({
  receipt_id: z.string(),
  reference: z.string(),
  code_salt: z.string(),
  code_hash: z.string(),
  valid_until: z.string(),
});
type Code = z.infer<typeof Code>;

const codeKey = (receiptId: string) => ({ pk: `CODE#${receiptId}`, sk: 'CODE' });
const numberKey = (phone: string) => ({ pk: `CODE#${phone}`, sk: 'NUMBER' });

/**
 * The writes that replace the previous code with a new one, and count it for its payment and its number. Refused with
 * `CodesUsedUp` if either has had all of its codes.
 */
export function createCode(
  outside: Pick<Outside, 'now' | 'randomBytes'>,
  { receiptId, reference, phone }: CodeFor,
  code: string,
): TableWrite[] {
  const nowMs = outside.now();
  const kept: Code = {
    receipt_id: receiptId,
    reference,
    ...hashCode(outside, code),
    valid_until: isoOf(nowMs + CODE_LIFETIME_MS),
  };
  const refused = () => new CodesUsedUp();
  return [
    {
      ...changeItem(
        codeKey(receiptId),
        { ...kept, tries: 0, ...endsIn(outside, CODE_KEPT_SECONDS) },
        {
          when: 'attribute_not_exists(codes) OR codes < :most',
          values: { ':most': MAX_CODES_OF_PAYMENT },
          add: { codes: 1 },
        },
      ),
      refused,
    },
    // No matter who requests them, or for which payments.
    { update: takeOneOfThreeADay(outside, numberKey(phone), CODE_KEPT_SECONDS), refused },
  ];
}

/** Records that a code could not be sent, for the operator: the stream counts it. */
export async function noteNoSender(outside: TimedOutside, receiptId: string): Promise<void> {
  const no_sender_at = nowIso(outside);
  await outside.table.update(changeItem(codeKey(receiptId), { no_sender_at, ...endsIn(outside, CODE_KEPT_SECONDS) }));
}

/**
 * Tries a code for a charge on the payments of the number that it was sent to. Returns the payment whose code it is, and the write
 * that uses the code up; undefined if it matches none. The try is taken before the codes are compared, so that concurrent tries
 * gain nothing over sequential ones; somebody with another charge's page uses none of them.
 */
export async function tryCode(outside: TimedOutside, receiptIds: readonly string[], reference: string, typed: string) {
  const items = await outside.table.getMany(receiptIds.map(codeKey));
  const [newest] = items
    .flatMap(codeOf)
    .filter((code) => code.reference === reference)
    .toSorted((a, b) => (a.valid_until < b.valid_until ? 1 : -1));
  if (!newest || !(await takeTry(outside, newest))) return undefined;
  return isCode(newest, typed) ? { receiptId: newest.receipt_id, use: useCode(newest) } : undefined;
}

/** A row without a code stands for a code that was used or could not be sent. */
function codeOf(item: Item): Code[] {
  const { data } = z.safeParse(Code, item);
  return data ? [data] : [];
}

function takeTry(outside: TimedOutside, { receipt_id, code_hash }: Code) {
  const one = {
    when: 'code_hash = :hash AND tries < :most AND valid_until > :now',
    values: { ':hash': code_hash, ':most': MAX_CODE_TRIES, ':now': nowIso(outside) },
    add: { tries: 1 },
  };
  return outside.table.update(changeItem(codeKey(receipt_id), {}, one));
}

/** Uses a code up. Refused with `CodesUsedUp` if it was used before or a newer one has replaced it. */
function useCode({ receipt_id, code_hash }: Code): TableWrite {
  const used = { code_hash: undefined, code_salt: undefined };
  const unused = { when: 'code_hash = :hash', values: { ':hash': code_hash } };
  return { ...changeItem(codeKey(receipt_id), used, unused), refused: () => new CodesUsedUp() };
}

/** A payment or a number has no codes left, or a code was used or replaced. */
export class CodesUsedUp extends Error {
  constructor() {
    super('There is no code left');
  }
}
