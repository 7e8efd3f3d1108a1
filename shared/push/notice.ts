import * as z from 'zod/mini';
import { type Device, listDevices, NoticeKind, parseDevice } from '../merchants/user/device.table.ts';
import { parseLink } from '../money/link/link.table.ts';
import { hasRunLow } from '../money/link/link.ts';
import { parseReceipt } from '../money/receipt/receipt.table.ts';
import { beginsToWait } from '../money/transaction/link-code.ts';
import { isTold, parseTransaction } from '../money/transaction/transaction.table.ts';
import type { WorkerOutside } from '../runtime/outside/worker-outside.ts';
import type { Item } from '../runtime/table/table.ts';
import type { Change } from '../runtime/triggers/stream.ts';
import { parseLowCredits } from '../texts/credits/credits.table.ts';
import {
  askedAtIn,
  parseWalletNotice,
  type UnclearBalance,
  type WalletNotice,
} from '../wallets/wallet/wallet-notice.table.ts';
import { parseSilence } from './silence.table.ts';

/**
 * What is told to whoever chose another kind: a code that waits, for those who look after payments to check; codes that run low, for those
 * who are told of credits.
 */
const chosenWith = { code_waiting: 'held', stock_low: 'credits' } as const satisfies Readonly<
  Record<string, NoticeKind>
>;

/** What a merchant's people are told: what happened, and to what. It says nothing of it, so that it may stand in a queue. */
const Notice = z.object({
  /** `hello` shows a browser that was just added what it will look like. */
  kind: z.union([NoticeKind, z.literal(['hello', 'code_waiting', 'stock_low'])]),
  /** The charge's reference, the receipt's id, the link's slug, the network or the number. */
  about: z.string(),
  at: z.string(),
  /** Of a question to a wallet's owner: the wallet's number, the time in the notice's key, and whether a yes or no would do. */
  asks: z.optional(z.object({ momo_number: z.string(), notice_at: z.string(), yes_is_enough: z.boolean() })),
  /** No text says so: money left the wallet, as much as a payment brought. */
  is_suspected: z.optional(z.boolean()),
});
export type Notice = z.infer<typeof Notice>;

/** A notice for one device, as it is queued. */
export const PushJob = z.extend(Notice, {
  merchant_id: z.string(),
  user_id: z.string(),
  slot: z.string(),
  /** It has waited, so that not all of many are shown one by one: there may be others that it stands for. */
  is_late: z.optional(z.boolean()),
});
export type PushJob = z.infer<typeof PushJob>;

/** A charge that was paid, whose receipt its merchant wants to be texted. */
export const ReceiptJob = z.object({ kind: z.literal('receipt'), merchant_id: z.string(), about: z.string() });
export type ReceiptJob = z.infer<typeof ReceiptJob>;

/** A charge whose code is to be handed out, texted or taken back. */
export const CodeJob = z.object({ kind: z.literal('code'), merchant_id: z.string(), about: z.string() });
export type CodeJob = z.infer<typeof CodeJob>;

/** A link with new codes, and charges that wait for them. */
export const StockJob = z.object({ kind: z.literal('stock'), merchant_id: z.string(), about: z.string() });
export type StockJob = z.infer<typeof StockJob>;

/** A charge that a cashier took at a till, for the moment at which that can be undone no more. */
export const TakeJob = z.object({ kind: z.literal('take'), merchant_id: z.string(), about: z.string() });
export type TakeJob = z.infer<typeof TakeJob>;

/** A charge of a payment request, for which money has arrived or was taken back. */
export const RequestJob = z.object({ kind: z.literal('request'), merchant_id: z.string(), about: z.string() });
export type RequestJob = z.infer<typeof RequestJob>;

/** Queues what a change in the table is to tell people, for each device that asked for it; at least once. A twin has no devices. */
export async function tellPeople(outside: WorkerOutside, change: Change): Promise<void> {
  const told = noticeOfChange(change);
  if (!told) return;
  const { merchant_id, notice, only } = told;
  const devices = only ? [only] : await listDevices(outside, merchant_id);
  const jobs = devices
    .filter(({ kinds }) => {
      const kind = chosenKind(notice.kind);
      return kind === undefined || kinds.includes(kind);
    })
    .map(({ user_id, slot }) => jobFor(merchant_id, { user_id, slot }, notice));
  await outside.queues.send('deliver-push', jobs);
}

/** The kind that a person chooses to hear such a notice; undefined for one that needs no choice. */
export function chosenKind(kind: Notice['kind']): NoticeKind | undefined {
  if (kind === 'hello') return undefined;
  return kind === 'code_waiting' || kind === 'stock_low' ? chosenWith[kind] : kind;
}

function jobFor(merchant_id: string, { user_id, slot }: Pick<Device, 'user_id' | 'slot'>, notice: Notice) {
  return { body: { merchant_id, user_id, slot, ...notice } satisfies PushJob, group: merchant_id };
}

interface Told {
  readonly merchant_id: string;
  readonly notice: Notice;
  /** The one device that it is for. */
  readonly only?: Device;
}

function noticeOfChange({ event, sk, before, after, at }: Change): Told | undefined {
  if (!after) return undefined;
  if (sk === 'TRANSACTION') return event === 'MODIFY' ? noticeOfCharge(before, after, at) : undefined;
  if (sk === 'RECEIPT') return noticeOfReceipt(before, after, at);
  if (sk === 'LINK') return noticeOfStock(before, after, at);
  if (sk.startsWith('DEVICE#')) return noticeOfDevice(event, before, after, at);
  if (event !== 'INSERT') return undefined;
  if (sk.startsWith('NOTICE#')) return noticeOfWallet(parseWalletNotice(after), sk, at);
  if (sk.startsWith('LOW#')) {
    const { merchant_id } = parseLowCredits(after);
    return { merchant_id, notice: { kind: 'credits', about: sk, at } };
  }
  if (sk.startsWith('SILENT#')) {
    const { merchant_id, number } = parseSilence(after);
    return { merchant_id, notice: { kind: 'phone', about: number, at } };
  }
  return undefined;
}

/** A browser that was just added, or a number whose owner has asked just now to answer from there. */
function noticeOfDevice(event: Change['event'], before: Item | undefined, after: Item, at: string): Told | undefined {
  const only = parseDevice(after);
  const { merchant_id, slot, subscription, answers_asked_at, answers_since } = only;
  const isAsked = answers_asked_at !== undefined && answers_asked_at !== before?.answers_asked_at;
  const isNew = only.to === undefined ? event === 'INSERT' && subscription !== undefined : isAsked && !answers_since;
  return isNew ? { merchant_id, only, notice: { kind: 'hello', about: slot, at } } : undefined;
}

/** A number that several merchants are paid on is told of to none of them. */
function noticeOfWallet(told: WalletNotice, sk: string, at: string): Told | undefined {
  const { kind, merchant_id, network } = told;
  if (merchant_id === undefined) return undefined;
  if (kind === 'balance_unclear')
    return { merchant_id, notice: { kind: 'wallet', about: network, at, asks: asksOf(told, sk) } };
  if (kind !== 'reversal_suspected') return undefined;
  // The charge is named only where it can be no other one.
  const [reference, ...others] = told.payments.map((payment) => payment.reference);
  const about = others.length === 0 && reference !== undefined ? reference : network;
  return { merchant_id, notice: { kind: 'undone', about, at, is_suspected: true } };
}

function asksOf({ momo_number, yes_is_enough = false }: UnclearBalance, sk: string): Notice['asks'] {
  const notice_at = askedAtIn(sk);
  return notice_at === undefined ? undefined : { momo_number, notice_at, yes_is_enough };
}

function noticeOfCharge(before: Item | undefined, after: Item, at: string): Told | undefined {
  const isDisputed = after.disputed !== undefined && before?.disputed === undefined;
  const isNowTold = after.state === 'success' && isTold(after) && !isTold(before);
  if (before?.state === after.state && !isDisputed && !isNowTold) return noticeOfCode(before, after, at);
  const { merchant_id, reference: about, state } = parseTransaction(after);
  if (isDisputed || state === 'reversed') return { merchant_id, notice: { kind: 'undone', about, at } };
  return state === 'success' ? { merchant_id, notice: { kind: 'paid', about, at } } : undefined;
}

/** A paid charge whose code waits: for more codes, or for somebody to let it go. */
function noticeOfCode(before: Item | undefined, after: Item, at: string): Told | undefined {
  if (!beginsToWait(before, after)) return undefined;
  const { merchant_id, reference: about } = parseTransaction(after);
  return { merchant_id, notice: { kind: 'code_waiting', about, at } };
}

/** Told once each time that a stock falls to the limit or the limit is raised to it, and once that it is empty. */
function noticeOfStock(before: Item | undefined, after: Item, at: string): Told | undefined {
  const link = parseLink(after);
  if (!before || !hasRunLow(parseLink(before), link)) return undefined;
  return { merchant_id: link.merchant_id, notice: { kind: 'stock_low', about: link.slug, at } };
}

function noticeOfReceipt(before: Item | undefined, after: Item, at: string): Told | undefined {
  if (after.state !== 'held' || (before?.state === after.state && before?.reason === after.reason)) return undefined;
  const { merchant_id, receipt_id: about, reason } = parseReceipt(after);
  // While it is checked nobody can do anything about it. What was taken back is told of its charge.
  if (merchant_id === undefined || reason === 'checking' || reason === 'reversed') return undefined;
  return { merchant_id, notice: { kind: 'held', about, at } };
}
