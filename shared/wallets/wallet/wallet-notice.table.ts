/*
 * wallet notice   WALLET#<network>#<momo number> / NOTICE#payment_refused#<network's id>   a payment refused because of the wallet's limit
 *                                                / NOTICE#near_limit#<limit in pesewas>   when the wallet was last nearly full
 *                                                / NOTICE#balance_unclear#<time>          a question to the owner about the balance
 *                                                / NOTICE#payment_missed#<time>           money that arrived without a text, by the time of the text before it
 *                                                / NOTICE#reversal_suspected#<time>#<pesewas>#<time>   money that went out without a text, by the times of the texts before and after it
 *                                                / NOTICE#money_out#<hash>      outgoing money reported by a text, if an owner asked to be notified
 *                 (`unknown` if the phone did not report the number)
 */
import * as z from 'zod/mini';
import { BalanceLimit } from '../../ghana/balance-limit.ts';
import { CURRENCY } from '../../ghana/country.ts';
import { ghsOf } from '../../ghana/money.ts';
import { Network } from '../../ghana/network.ts';
import { type Clock, endsIn, isoOf, nowIso, type TableOutside } from '../../runtime/outside/outside.ts';
import { rows } from '../../runtime/table/rows.ts';
import { createItem, putItem, type TableWrite } from '../../runtime/table/table.ts';
import { DAY_MS, DAY_SECONDS } from '../../runtime/values/calendar.ts';
import { sha256 } from '../../runtime/values/sha256.ts';
import { Proof } from '../chain/proof.ts';
import type {
  MissedPaymentEventData,
  NearLimitEventData,
  RefusedPaymentEventData,
  SuspectedReversalEventData,
  UnclearBalanceEventData,
} from './responses.ts';

/**
 * Retention of notices. Longer than a phone could keep resending a text, but limited, because a refused payment's row
 * contains the payer's name.
 */
export const NOTICE_KEPT_SECONDS = 62 * DAY_SECONDS;

/** Minimum time between two notices that a wallet is nearly full. */
const NEAR_LIMIT_EVERY_MS = DAY_MS;
export const ASSUMED_LIMIT_EVERY_MS = 30 * DAY_MS;

/** Maximum time between the texts before and after a suspected reversal. Longer than any network's limit. */
const MAX_QUIET_MS = 31 * DAY_MS;

/** Lists a wallet's suspected reversals that its texts showed since a time (ISO), newest first. */
export async function listSuspectedReversals(
  outside: TableOutside,
  wallet: { readonly network: Network; readonly momo_number: string },
  since: string,
): Promise<SuspectedReversal[]> {
  const prefix = 'NOTICE#reversal_suspected#';
  const between = [`${prefix}${isoOf(Date.parse(since) - MAX_QUIET_MS)}`, `${prefix}~`] as const;
  const notices = await walletNoticeRows.list(outside, wallet, { between });
  const suspected = notices.flatMap((one) => (one.kind === 'reversal_suspected' ? [one] : []));
  return suspected.filter(({ to }) => to >= since).toSorted((a, b) => (a.to < b.to ? 1 : -1));
}

export async function getMoneyOut(
  outside: TableOutside,
  { network, momo_number }: Pick<MoneyOut, 'network' | 'momo_number'>,
  id: string,
): Promise<MoneyOut | undefined> {
  const kind = 'money_out';
  const notice = await walletNoticeRows.find(outside, { network, momo_number, kind, id });
  return notice?.kind === kind ? notice : undefined;
}

type KeptOnce = RefusedPayment | MissedPayment | SuspectedReversal | MoneyOut;

/** Stores a notice once, however often its text arrives. */
export function keepOnce(outside: Clock, notice: KeptOnce): TableWrite {
  return createItem(itemOf(outside, notice, idOf(notice)), () => undefined);
}

function idOf(notice: KeptOnce): string {
  switch (notice.kind) {
    case 'payment_refused':
      return notice.transaction_id;
    case 'payment_missed':
      return notice.from;
    case 'reversal_suspected':
      return [notice.from, notice.amount_pesewas, notice.to].join('#');
    case 'money_out':
      return moneyOutId(notice);
  }
}

/** Returns an id for outgoing money that reveals neither the amount nor the name. */
export function moneyOutId({ transaction_id, unread_id, received_at, momo_number, ...notice }: MoneyOut): string {
  const facts = [transaction_id ?? unread_id ?? received_at, notice.amount_pesewas, notice.counterparty];
  // All merchants' notices without a number share a partition.
  return sha256([...facts, ...(momo_number === UNKNOWN_NUMBER ? [notice.merchant_id] : [])].join(' '));
}

/** Stores that a wallet is nearly full, at most once a day (every 30 days if the limit is assumed). */
export function keepNearlyFull(outside: Clock, notice: NearlyFull): TableWrite {
  const everyMs = notice.assumed ? ASSUMED_LIMIT_EVERY_MS : NEAR_LIMIT_EVERY_MS;
  return putItem(itemOf(outside, notice, String(notice.limit_pesewas)), {
    // Compare the texts' times, so that a late text stores nothing.
    when: 'attribute_not_exists(pk) OR received_at <= :earlier',
    values: { ':earlier': isoOf(Date.parse(notice.received_at) - everyMs) },
    refused: () => undefined,
  });
}

/** Stores a question to a wallet's owner. Commit this write together with the balance chain. */
export function keepUnclearBalance(outside: Clock, notice: UnclearBalance): TableWrite {
  return putItem(itemOf(outside, notice, nowIso(outside)));
}

function itemOf(outside: Clock, notice: WalletNotice, id: string) {
  return { ...walletNoticeRows.key({ ...notice, id }), ...notice, ...endsIn(outside, NOTICE_KEPT_SECONDS) };
}

const ofWallet = {
  network: Network,
  /** Unset if the phone did not report the number. */
  momo_number: z.optional(z.string()),
  /** Merchant to notify. Unset unless exactly one merchant uses the number. */
  merchant_id: z.optional(z.string()),
  received_at: z.string(),
};

const RefusedPayment = z.object({
  ...ofWallet,
  kind: z.literal('payment_refused'),
  transaction_id: z.string(),
  amount_pesewas: z.number(),
  payer_name: z.string(),
});
type RefusedPayment = z.infer<typeof RefusedPayment>;

const NearlyFull = z.object({
  ...ofWallet,
  kind: z.literal('near_limit'),
  momo_number: z.string(),
  balance_pesewas: z.number(),
  limit_pesewas: BalanceLimit,
  assumed: z.boolean(),
});
type NearlyFull = z.infer<typeof NearlyFull>;

const UnclearBalance = z.object({
  ...ofWallet,
  kind: z.literal('balance_unclear'),
  momo_number: z.string(),
  texts: z.number(),
  sent_to_bank: z.optional(z.boolean()),
});
export type UnclearBalance = z.infer<typeof UnclearBalance>;

/** Money that came into the wallet without a text. */
const MissedPayment = z.object({
  ...ofWallet,
  kind: z.literal('payment_missed'),
  momo_number: z.string(),
  amount_pesewas: z.number(),
  from: z.string(),
  to: z.string(),
  phone_asked: z.boolean(),
  references: z.array(z.string()),
});
type MissedPayment = z.infer<typeof MissedPayment>;

/** Money that left the wallet without a text. Earlier payments of the same amount may have been reversed. */
const SuspectedReversal = z.object({
  ...ofWallet,
  kind: z.literal('reversal_suspected'),
  momo_number: z.string(),
  amount_pesewas: z.number(),
  from: z.string(),
  to: z.string(),
  payments: z.array(z.object({ transaction_id: z.string(), reference: z.optional(z.string()) })),
});
export type SuspectedReversal = z.infer<typeof SuspectedReversal>;

/** Outgoing money reported by a text. Show the proof of this text too, because anybody can forge a text. */
const MoneyOut = z.object({
  ...ofWallet,
  kind: z.literal('money_out'),
  /** `UNKNOWN_NUMBER` if the phone did not report the number. */
  momo_number: z.string(),
  /** Set if the text could not be read. The fields below are then unset. */
  unread_id: z.optional(z.string()),
  /** The fields below are unset if the text does not report them. */
  transaction_id: z.optional(z.string()),
  amount_pesewas: z.optional(z.number()),
  counterparty: z.optional(z.string()),
  proof: Proof,
});
export type MoneyOut = z.infer<typeof MoneyOut>;

export const WalletNotice = z.discriminatedUnion('kind', [
  RefusedPayment,
  NearlyFull,
  UnclearBalance,
  MissedPayment,
  SuspectedReversal,
  MoneyOut,
]);
export type WalletNotice = z.infer<typeof WalletNotice>;

export const UNKNOWN_NUMBER = 'unknown';

/** Notices about a wallet, or about an unknown wallet if the phone did not report its number. */
export const walletNoticeRows = rows(WalletNotice, {
  pk: ({ network, momo_number = UNKNOWN_NUMBER }: Pick<RefusedPayment, 'network' | 'momo_number'>) =>
    `WALLET#${network}#${momo_number}`,
  sk: 'NOTICE#<kind>#<id>',
});

/** Returns the webhook event's data. Excludes the balance, which only the owner may see. */
export function presentWalletNotice(notice: Exclude<WalletNotice, MoneyOut>) {
  switch (notice.kind) {
    case 'near_limit':
      return presentNearLimit(notice);
    case 'payment_refused':
      return presentRefused(notice);
    case 'balance_unclear':
      return presentUnclear(notice);
    case 'payment_missed':
      return presentMissed(notice);
    case 'reversal_suspected':
      return presentSuspected(notice);
  }
}

function presentNearLimit(notice: NearlyFull): NearLimitEventData {
  const { network, momo_number, limit_pesewas, assumed, received_at } = notice;
  return { network, momo_number, limit: ghsOf(limit_pesewas), currency: CURRENCY, assumed, received_at };
}

function presentRefused(notice: RefusedPayment): RefusedPaymentEventData {
  const { network, momo_number = null, transaction_id, amount_pesewas, payer_name, received_at } = notice;
  const amount = ghsOf(amount_pesewas);
  return {
    network,
    momo_number,
    transaction_id,
    amount,
    currency: CURRENCY,
    payer_name,
    reason: 'daily_limit' as const,
    received_at,
  };
}

function presentUnclear(notice: UnclearBalance): UnclearBalanceEventData {
  const { network, momo_number, texts, received_at, sent_to_bank = false } = notice;
  return { network, momo_number, texts, sent_to_bank, received_at };
}

function presentMissed(notice: MissedPayment): MissedPaymentEventData {
  const { network, momo_number, amount_pesewas, from, to, phone_asked, references } = notice;
  const amount = ghsOf(amount_pesewas);
  return { network, momo_number, amount, currency: CURRENCY, from, to, phone_asked, may_have_paid: references };
}

function presentSuspected(notice: SuspectedReversal): SuspectedReversalEventData {
  const { network, momo_number, amount_pesewas, from, to, payments } = notice;
  const amount = ghsOf(amount_pesewas);
  const may_be_reversed = payments.map(({ transaction_id, reference = null }) => ({ transaction_id, reference }));
  return { network, momo_number, amount, currency: CURRENCY, from, to, may_be_reversed };
}
