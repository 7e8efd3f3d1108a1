/**
 * credit balance   CREDITS#<merchant> / BALANCE             number of credits, and the threshold of the low-credit
 *                                                           warning. Only revoking spent credits makes the balance
 *                                                           negative. In a separate partition, so that permission to
 *                                                           write entries does not include setting the balance
 * credit entry     CREDIT_ENTRY#<merchant> / ENTRY#<ulid>   a top-up, refund, purchase or revocation. Debits are the
 *                                                           sends: balance = entries − recipients of sends, until sends
 *                                                           expire
 * low credits      CREDITS_LOW#<merchant> / LOW#<threshold>#<top-up>   records that the balance fell below the
 *                                                                      threshold. Written once per top-up above the
 *                                                                      threshold
 */
import * as z from 'zod/mini';
import { isTestAccount } from '../../merchants/merchant/test-account.ts';
import { type Clock, nowIso, type TableOutside } from '../../runtime/outside/outside.ts';
import { Changed } from '../../runtime/table/contention.ts';
import { rows } from '../../runtime/table/rows.ts';
import { changeItem, createItem, type Item, type TableWrite } from '../../runtime/table/table.ts';
import { counted } from '../../runtime/values/counted.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import { offerFor } from './bundles.ts';

/** Default threshold of the low-credit warning: about a day's texts for a small shop. */
export const DEFAULT_LOW_BELOW = 50;

const StoredCredits = z.object({
  balance: z._default(z.number(), 0),
  /** Threshold of the low-credit warning. 0 disables the warning. */
  low_below: z._default(z.number(), DEFAULT_LOW_BELOW),
  /** The last top-up that raised the balance to the threshold or above. */
  lifted_by: z.optional(z.string()),
});
export interface Credits extends z.infer<typeof StoredCredits> {
  readonly balance: number;
  /** Spent credits that were later revoked. Top-ups and refunds pay this debt first. */
  readonly owed: number;
}

const CreditEntry = z.object({
  entry_id: z.string(),
  /** The change in credits. Negative if credits were revoked. */
  credits: z.number(),
  reason: z.enum(['top-up', 'refund', 'purchase', 'taken-back']),
  /** The charge that paid for the credits. A revocation refers to the same charge. */
  reference: z.optional(z.string()),
  message_id: z.optional(z.string()),
  /** The send whose texts were refunded together. Never set together with `message_id`. */
  send_id: z.optional(z.string()),
  created_at: z.string(),
});
export type CreditEntry = z.infer<typeof CreditEntry>;

const PARTITION = 'CREDITS#';
const keyOf = (merchantId: string) => ({ pk: `${PARTITION}${merchantId}`, sk: 'BALANCE' });
const entrySort = (entryId: string) => `ENTRY#${entryId}`;
const entryRows = rows(CreditEntry, { pk: 'CREDIT_ENTRY#<merchant_id>', sk: 'ENTRY#<entry_id>' });

/** Fixed balance of a test account. Test texts are free. */
const TEST_CREDITS: Credits = { balance: 1_000, owed: 0, low_below: DEFAULT_LOW_BELOW };

export async function getCredits(outside: TableOutside, merchantId: string): Promise<Credits> {
  if (isTestAccount(merchantId)) return TEST_CREDITS;
  return parseCredits(await outside.table.get(keyOf(merchantId)));
}

function parseCredits(item: Item | undefined): Credits {
  const { balance, ...more } = z.parse(StoredCredits, item ?? {});
  return { ...more, balance: Math.max(0, balance), owed: Math.max(0, -balance) };
}

function merchantOfCredits({ pk }: Item): string {
  return String(pk).slice(PARTITION.length);
}

export function isLow({ balance, low_below }: Credits): boolean {
  return balance < low_below;
}

export async function setLowBelow(outside: TableOutside, merchantId: string, lowBelow: number): Promise<void> {
  await outside.table.update(putLowBelow(merchantId, lowBelow));
}

export async function prepareLowBelow(outside: TableOutside, merchant_id: string, lowBelow: number) {
  const { low_below } = await getCredits(outside, merchant_id);
  const values = { before: { credits_low_below: low_below }, after: { credits_low_below: lowBelow } };
  const writes = low_below === lowBelow ? [] : [putLowBelow(merchant_id, lowBelow)];
  return { writes, entry: { merchant_id, action: 'merchant set', ...values } };
}

function putLowBelow(merchantId: string, lowBelow: number): TableWrite {
  return changeItem(keyOf(merchantId), { low_below: lowBelow });
}

export async function listEntries(
  outside: TableOutside,
  merchant_id: string,
  limit: number,
  [first, last]: readonly [string, string] = ['', '~'],
): Promise<CreditEntry[]> {
  const page = { between: [entrySort(first), entrySort(last)], newestFirst: true, limit } as const;
  return (await entryRows.page(outside, { merchant_id }, page)).entries;
}

/**
 * Debits `credits`. The write fails with `insufficient_credits` if the balance is too low. Writes nothing for a test
 * account.
 */
export function debitCredits(outside: TableOutside, merchantId: string, credits: number): TableWrite[] {
  if (isTestAccount(merchantId)) return [];
  return [
    {
      update: {
        Key: keyOf(merchantId),
        UpdateExpression: 'SET balance = balance - :credits',
        ConditionExpression: 'balance >= :credits',
        ExpressionAttributeValues: { ':credits': credits },
      },
      refused: async (current) => {
        const { balance, owed } = parseCredits(current);
        const canBuy = await offerFor(outside, merchantId);
        const buy = 'Buy a bundle (Texts › Credits, or GET /api/v1/sms/credits), or ask';
        return new PublicError(
          'insufficient_credits',
          `This costs ${counted(credits, 'credit')}, but only ${balance} ${balance === 1 ? 'is' : 'are'} left${owed > 0 ? ` and ${owed} are owed` : ''}. ${canBuy ? buy : 'Ask'} the operator to add credits, and try again.`,
        );
      },
    },
  ];
}

/**
 * Refunds credits, or revokes them if the entry is negative. Returns two writes for one transaction, or none for a test
 * account.
 */
export function bookCredits(merchantId: string, entry: CreditEntry): TableWrite[] {
  if (isTestAccount(merchantId) || entry.credits === 0) return [];
  return [changeItem(keyOf(merchantId), {}, { add: { balance: entry.credits } }), putEntry(merchantId, entry)];
}

/**
 * Adds credits and their ledger entry. `lifts` states whether the new balance reaches the threshold. The writes fail
 * with `Changed` if `lifts` is wrong.
 */
export function topUpCredits(
  merchantId: string,
  entry: CreditEntry,
  { lifts, lowBelow }: { lifts: boolean; lowBelow: number },
): TableWrite[] {
  const least = lowBelow - entry.credits;
  const isHigh = lifts ? 'balance >= :least' : 'balance < :least';
  // A merchant without a balance row has a balance of 0.
  const isFirst = least <= 0 === lifts ? 'attribute_not_exists(balance) OR ' : '';
  const condition = { when: `${isFirst}${isHigh}`, values: { ':least': least }, refused: balanceMoved };
  const set = lifts ? { lifted_by: entry.entry_id } : {};
  return [
    changeItem(keyOf(merchantId), set, { ...condition, add: { balance: entry.credits } }),
    putEntry(merchantId, entry),
  ];
}

function balanceMoved(): Changed {
  return new Changed(
    'busy',
    'The balance was changed by another request at the same time. Nothing was done. Try again.',
  );
}

function putEntry(merchant_id: string, entry: CreditEntry): TableWrite {
  return createItem({ ...entryRows.key({ merchant_id, ...entry }), ...entry });
}

const LowCredits = z.object({
  merchant_id: z.string(),
  balance: z.number(),
  threshold: z.number(),
  noticed_at: z.string(),
});
export type LowCredits = z.infer<typeof LowCredits>;

export const parseLowCredits = (item: Item): LowCredits => z.parse(LowCredits, item);

/**
 * Returns the write that records that a balance fell below its threshold. Returns undefined if the balance did not fall
 * below it. Compares the committed balances, so that simultaneous sends record the fall only once.
 */
export function noteLowCredits(outside: Clock, before: Item | undefined, after: Item): TableWrite | undefined {
  const credits = parseCredits(after);
  if (isLow(parseCredits(before)) || !isLow(credits)) return undefined;
  const merchant_id = merchantOfCredits(after);
  const { balance, low_below: threshold, lifted_by = 'unknown' } = credits;
  const noticed: LowCredits = { merchant_id, balance, threshold, noticed_at: nowIso(outside) };
  const key = { pk: `CREDITS_LOW#${merchant_id}`, sk: `LOW#${threshold}#${lifted_by}` };
  return createItem({ ...key, ...noticed }, () => undefined);
}
