import * as z from 'zod/mini';
import { type Device, deviceRows, NoticeKind, TEXT_SLOT } from '../merchants/user/device.table.ts';
import type { Charge } from '../money/charge/charge.table.ts';
import { type ByOccurrence, lookUp, type Occurrence } from '../money/occurrence/occurrences-of.ts';
import type { WorkerOutside } from '../runtime/outside/worker-outside.ts';
import { askedAtIn, type UnclearBalance, type WalletNotice } from '../wallets/wallet/wallet-notice.table.ts';

/**
 * Notices for people who chose another kind: a code that waits, a limit that is used up and a text that was not understood, for those who look after payments to check;
 * codes that run low, for those who are told of credits.
 */
const chosenWith = {
  code_waiting: 'held',
  limit_reached: 'held',
  unread: 'held',
  stock_low: 'credits',
} as const satisfies Readonly<Record<string, NoticeKind>>;

/** What a merchant's people are told: what happened, and to what. It says nothing of it, so that it may stand in a queue. */
const Notice = z.object({
  /** `hello` shows a browser that was just added what it will look like. */
  kind: z.union([NoticeKind, z.literal(['hello', 'code_waiting', 'limit_reached', 'unread', 'stock_low'])]),
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
  /** The time of its turn, where that is later than a queue may hold it. */
  due_at: z.optional(z.string()),
});
export type PushJob = z.infer<typeof PushJob>;

/** Queues what people are told of an occurrence, for each device that asked for it; at least once. A twin has no devices. */
export async function tellPeople(outside: WorkerOutside, occurrence: Occurrence, at: string): Promise<void> {
  const told = lookUp(notices, occurrence);
  if (!told) return;
  const { merchant_id, only } = told;
  const notice: Notice = { ...told.notice, at };
  const devices = only ? [only] : await deviceRows.list(outside, { merchant_id });
  const jobs = devices
    .filter(({ kinds }) => {
      const kind = chosenKind(notice.kind);
      return kind === undefined || kinds.includes(kind);
    })
    .map(({ user_id, slot }) => jobFor(merchant_id, { user_id, slot }, notice));
  const byQueue = Object.entries(Object.groupBy(jobs, ({ body }) => queueOf(body)));
  await Promise.all(byQueue.map(([queue, some]) => outside.queues.send(queue, some)));
}

/** The queue of a device's notices: a text costs the shop a credit, so the worker that changes money sends it. */
export function queueOf({ slot }: Pick<PushJob, 'slot'>): 'deliver-push' | 'run-follow-up' {
  return slot === TEXT_SLOT ? 'run-follow-up' : 'deliver-push';
}

/** The kind that a person chooses to hear such a notice; undefined for one that needs no choice. */
export function chosenKind(kind: Notice['kind']): NoticeKind | undefined {
  if (kind === 'hello') return undefined;
  const isOther = kind === 'code_waiting' || kind === 'limit_reached' || kind === 'unread' || kind === 'stock_low';
  return isOther ? chosenWith[kind] : kind;
}

function jobFor(merchant_id: string, { user_id, slot }: Pick<Device, 'user_id' | 'slot'>, notice: Notice) {
  return { body: { merchant_id, user_id, slot, ...notice } satisfies PushJob, group: merchant_id };
}

interface Told {
  readonly merchant_id: string;
  readonly notice: Omit<Notice, 'at'>;
  /** The one device that it is for. */
  readonly only?: Device;
}

const notices: ByOccurrence<[], Told | undefined> = {
  'charge.success': ({ charge }) => ofCharge('paid', charge),
  'charge.reversed': ({ charge }) => ofCharge('undone', charge),
  'charge.disputed': ({ charge }) => ofCharge('undone', charge),
  'charge.code_waiting': ({ charge }) => ofCharge('code_waiting', charge),
  'goods.limit_reached': ({ reached: { merchant_id } }) => ({
    merchant_id,
    notice: { kind: 'limit_reached', about: merchant_id },
  }),
  'link.stock_low': ({ link }) => ({ merchant_id: link.merchant_id, notice: { kind: 'stock_low', about: link.slug } }),
  'receipt.held': ({ receipt }) => {
    const { merchant_id, receipt_id: about, reason } = receipt;
    // What was taken back is told of its charge.
    return merchant_id === undefined || reason === 'reversed'
      ? undefined
      : { merchant_id, notice: { kind: 'held', about } };
  },
  'receipt.unread': ({ receipt: { merchant_id, receipt_id: about } }) =>
    merchant_id === undefined ? undefined : { merchant_id, notice: { kind: 'unread', about } },
  'wallet.balance_unclear': ({ notice, key }) =>
    ofWallet(notice, { kind: 'wallet', about: notice.network, asks: asksOf(notice, key) }),
  'wallet.reversal_suspected': ({ notice }) => {
    // The charge is named only where it can be no other one.
    const [reference, ...others] = notice.payments.map((payment) => payment.reference);
    const about = others.length === 0 && reference !== undefined ? reference : notice.network;
    return ofWallet(notice, { kind: 'undone', about, is_suspected: true });
  },
  'credits.low': ({ low, key }) => ({ merchant_id: low.merchant_id, notice: { kind: 'credits', about: key.sk } }),
  'phone.silent': ({ silence }) => ({
    merchant_id: silence.merchant_id,
    notice: { kind: 'phone', about: silence.number },
  }),
  'device.asked': ({ device }) => ({
    merchant_id: device.merchant_id,
    only: device,
    notice: { kind: 'hello', about: device.slot },
  }),
};

function ofCharge(kind: Notice['kind'], { merchant_id, reference: about }: Charge): Told {
  return { merchant_id, notice: { kind, about } };
}

/** A number that several merchants are paid on is told of to none of them. */
function ofWallet({ merchant_id }: WalletNotice, notice: Told['notice']): Told | undefined {
  return merchant_id === undefined ? undefined : { merchant_id, notice };
}

function asksOf(
  { momo_number, yes_is_enough = false }: UnclearBalance,
  { sk }: { readonly sk: string },
): Notice['asks'] {
  const notice_at = askedAtIn(sk);
  return notice_at === undefined ? undefined : { momo_number, notice_at, yes_is_enough };
}
