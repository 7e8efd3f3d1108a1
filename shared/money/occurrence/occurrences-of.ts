import type * as z from 'zod/mini';
import { type Device, deviceRows } from '../../merchants/user/device.table.ts';
import { StrangersText } from '../../phones/gateway/phone-event.table.ts';
import { type Silence, silenceRows } from '../../phones/sender/silence.table.ts';
import type { Item } from '../../runtime/table/table.ts';
import type { RowChange } from '../../runtime/triggers/stream.ts';
import { type Confirmable, type HeardKeyword, keywordRows } from '../../texts/conversation/keyword.table.ts';
import { type LowCredits, parseLowCredits } from '../../texts/credits/credits.table.ts';
import { type Answer, answerRows } from '../../texts/inbox/inbox.table.ts';
import { type Question, questionRows } from '../../texts/question/question.table.ts';
import { type Message, messageRows } from '../../texts/sms/message.table.ts';
import { type Send, sendRows } from '../../texts/sms/send.table.ts';
import { isRefunded, type RefundedState } from '../../texts/sms/states.ts';
import { type WalletNotice, walletNoticeRows } from '../../wallets/wallet/wallet-notice.table.ts';
import { type Charge, chargeRows } from '../charge/charge.table.ts';
import { isSettled } from '../charge/charge.ts';
import { codeOf, givenOf, takeOf } from '../charge/goods.ts';
import { MAX_WRONG_PER_HOUR } from '../claims/claim.table.ts';
import { type Reached, reachedRows } from '../goods/unproven.table.ts';
import { type Link, linkRows } from '../link/link.table.ts';
import { hasRunLow } from '../link/link.ts';
import { codesLeft } from '../link/stock.table.ts';
import { isPaidUnproven, isUnproven, unverifiedPesewas } from '../payment/backing.ts';
import { overpaidPesewas, type Payment, paymentsOf, type Refund, sentRefunds } from '../payment/payment.ts';
import { receiptRows } from '../receipt/receipt.table.ts';
import type { Receipt } from '../receipt/receipt.ts';
import { type PaymentRequest, requestRows } from '../request/request.table.ts';

/**
 * What happened, by one change of one row. Webhooks, notices, texts, metrics and bookings are tables by its name (`what`); nothing else
 * decides what a change of a row means.
 */
export type Occurrence =
  | { readonly what: ChargeOccurrence; readonly charge: Charge }
  | { readonly what: 'charge.partly_paid'; readonly charge: Charge; readonly part: Payment }
  | { readonly what: 'charge.refunded'; readonly charge: Charge; readonly refund: Refund }
  /** The overpayment, or the unverified money that counts, in pesewas, now and before the change. */
  | {
      readonly what: 'charge.overpaid' | 'charge.unverified';
      readonly charge: Charge;
      readonly by: number;
      readonly before: number;
    }
  | { readonly what: PaymentOccurrence; readonly charge: Charge; readonly payment: Payment }
  | { readonly what: 'link.stock_low' | 'link.stocked'; readonly link: Link }
  | { readonly what: 'request.paid' | 'request.reopened'; readonly request: PaymentRequest }
  | {
      readonly what: 'receipt.matched' | 'receipt.unread' | 'receipt.contradicted' | 'receipt.undoubted';
      readonly receipt: Receipt;
    }
  /** Of one that paid a charge until now: which. */
  | { readonly what: 'receipt.held'; readonly receipt: Receipt; readonly isNew: boolean; readonly paid?: string }
  | { readonly what: 'send.accepted'; readonly send: Send }
  | { readonly what: 'sms.left'; readonly message: Message }
  | { readonly what: `sms.${EndState}`; readonly message: Message & { readonly state: EndState } }
  | { readonly what: 'sms.received'; readonly answer: Answer }
  | { readonly what: 'keyword.heard'; readonly heard: Confirmable }
  | { readonly what: 'question.decided'; readonly question: Question }
  | { readonly what: 'goods.limit_reached'; readonly reached: Reached }
  | { readonly what: 'credits.low'; readonly low: LowCredits; readonly key: Key }
  | WalletOccurrence
  | { readonly what: 'phone.silent'; readonly silence: Silence }
  | { readonly what: 'device.asked'; readonly device: Device }
  | { readonly what: 'stranger.texted'; readonly text: z.infer<typeof StrangersText> }
  | { readonly what: 'claims.limit_reached'; readonly momo_number: string }
  | { readonly what: 'code.without_sender' | 'webhook.given_up' };

type EndState = RefundedState | 'delivered';

type ChargeOccurrence =
  | 'charge.created'
  /** By a cashier's tap, which may still be undone. */
  | 'charge.taken'
  /** Its money is complete, whether others are told of it already or not. */
  | 'charge.paid'
  /** Others are told that it is paid. */
  | 'charge.success'
  | 'charge.expired'
  | 'charge.cancelled'
  | 'charge.reversed'
  /** A mark as paid was undone; and, with that, it is pending again. */
  | 'charge.unmarked'
  | 'charge.reopened'
  | 'charge.disputed'
  /** Its payment was paid and not proven, and is proven now. */
  | 'charge.proven'
  /** It was paid, and is paid no more. */
  | 'charge.unsettled'
  | 'charge.payments_changed'
  /** What the service gives for it may be due, or to be taken back. */
  | 'charge.goods_changed'
  /** Its code waits: for more codes, or for somebody to let it go. */
  | 'charge.code_waiting';

/** What counts for a charge, and no longer does: the network took it back, or the charge has ended without being paid. */
type PaymentOccurrence = 'payment.counted' | 'payment.reversed' | 'payment.released';

type WalletOccurrence = {
  [Kind in WalletNotice['kind']]: {
    readonly what: `wallet.${Kind}`;
    readonly notice: Extract<WalletNotice, { readonly kind: Kind }>;
    readonly key: Key;
  };
}[WalletNotice['kind']];

interface Key {
  readonly pk: string;
  readonly sk: string;
}

/** The occurrence that has a name. */
export type Of<What extends Occurrence['what']> = Named<Occurrence, What> & { readonly what: What };
type Named<One, What> = One extends { readonly what: infer Names } ? (What extends Names ? One : never) : never;

/** What some of them lead to. */
export type ByOccurrence<Rest extends readonly unknown[], Result> = {
  readonly [What in Occurrence['what']]?: (occurrence: Of<What>, ...rest: Rest) => Result;
};

/** What a table says of an occurrence; undefined where it says nothing. */
export function lookUp<Rest extends readonly unknown[], Result>(
  table: ByOccurrence<Rest, Result>,
  occurrence: Occurrence,
  ...rest: Rest
): Result | undefined {
  // Each function of the table takes the occurrence of its own name.
  const found = table[occurrence.what] as ((occurrence: Occurrence, ...rest: Rest) => Result) | undefined;
  return found?.(occurrence, ...rest);
}

/** All that happened by a change, in the order in which it is told. It follows from the change alone. */
export function occurrencesOf({ event, sk, before, after }: RowChange): readonly Occurrence[] {
  if (!after) return [];
  const isNew = event === 'INSERT';
  const [kind] = sk.split('#');
  const key = { pk: String(after.pk), sk };
  switch (kind) {
    case 'TRANSACTION':
      return ofCharge(before && chargeRows.parse(before), chargeRows.parse(after));
    case 'LINK':
      return before ? ofLink(linkRows.parse(before), linkRows.parse(after)) : [];
    case 'REQUEST':
      return before && before.state !== after.state ? ofRequest(requestRows.parse(after)) : [];
    case 'RECEIPT':
      return isSame(['state', 'reason'], before, after)
        ? []
        : ofReceipt(before && receiptRows.parse(before), receiptRows.parse(after));
    case 'SEND':
      return isNew ? [{ what: 'send.accepted', send: sendRows.parse(after) }] : [];
    case 'MESSAGE':
      return isSame(['state'], before, after) ? [] : ofMessage(before?.state, messageRows.parse(after));
    case 'ANSWER':
      return isNew ? [{ what: 'sms.received', answer: answerRows.parse(after) }] : [];
    case 'HEARD':
      return isSame(['at'], before, after) ? [] : ofKeyword(keywordRows.parse(after));
    case 'QUESTION':
      return after.outcome !== undefined && before?.outcome === undefined
        ? [{ what: 'question.decided', question: questionRows.parse(after) }]
        : [];
    case 'REACHED':
      return isNew ? [{ what: 'goods.limit_reached', reached: reachedRows.parse(after) }] : [];
    case 'LOW':
      return isNew ? [{ what: 'credits.low', low: parseLowCredits(after), key }] : [];
    case 'NOTICE':
      // An erasure changes what is said of it.
      return isSame(['received_at'], before, after) ? [] : [ofWallet(walletNoticeRows.parse(after), key)];
    case 'SILENT':
      return isNew ? [{ what: 'phone.silent', silence: silenceRows.parse(after) }] : [];
    case 'DEVICE':
      return ofDevice(isNew, before, deviceRows.parse(after));
    case 'PHONE_EVENT': {
      const text = isNew ? StrangersText.safeParse(after.stranger).data : undefined;
      return text ? [{ what: 'stranger.texted', text }] : [];
    }
    case 'CLAIM_HOUR':
      return Number(before?.wrong) < MAX_WRONG_PER_HOUR && Number(after.wrong) >= MAX_WRONG_PER_HOUR
        ? [{ what: 'claims.limit_reached', momo_number: key.pk.split('#')[1] ?? '' }]
        : [];
    case 'CODE':
      return isSame(['no_sender_at'], before, after) ? [] : [{ what: 'code.without_sender' }];
    case 'EVENT':
      return after.state === 'gave_up' && before?.state !== 'gave_up' ? [{ what: 'webhook.given_up' }] : [];
    default:
      return [];
  }
}

function isSame(fields: readonly string[], before: Item | undefined, after: Item): boolean {
  return fields.every((field) => before?.[field] === after[field]);
}

function ofCharge(was: Charge | undefined, charge: Charge): readonly Occurrence[] {
  const became = (state: Charge['state']) => charge.state === state && was?.state !== state;
  const take = takeOf(charge);
  const isToldNow = take?.told_at !== undefined && was !== undefined && takeOf(was)?.told_at === undefined;
  const isPaid = charge.state === 'success';
  const happened: [ChargeOccurrence, boolean][] = [
    ['charge.created', !was],
    ['charge.taken', !was && take !== undefined],
    ['charge.paid', became('success')],
    ['charge.disputed', charge.disputed !== undefined && was?.disputed === undefined],
    ['charge.success', was !== undefined && isPaid && (became('success') || isToldNow)],
    ['charge.expired', became('expired')],
    ['charge.cancelled', became('cancelled')],
    ['charge.reversed', became('reversed')],
    ['charge.unmarked', charge.unmarked_at !== was?.unmarked_at],
    ['charge.reopened', was?.state === 'success' && charge.state === 'pending'],
    ['charge.proven', was?.state === 'success' && isPaid && isPaidUnproven(was) && !isPaidUnproven(charge)],
    ['charge.unsettled', was !== undefined && isSettled(was) && !isSettled(charge)],
    ['charge.payments_changed', was !== undefined && paidFacts(was) !== paidFacts(charge)],
    ['charge.goods_changed', was !== undefined && givenFacts(was) !== givenFacts(charge)],
    ['charge.code_waiting', was !== undefined && beginsToWait(was, charge)],
  ];
  return [
    ...happened.flatMap(([what, isSo]) => (isSo ? [{ what, charge }] : [])),
    ...ofPayments(was, charge),
    ...ofRefunds(was, charge),
  ];
}

/** A charge's payments, and how far they are verified: its request and what the service gives for it depend on these. */
function facts({ state, payment, parts, disputed, released_by }: Charge): string {
  return JSON.stringify([state, payment, parts, disputed, released_by]);
}

/** The facts of which a change is recorded at a charge's payment request, too. */
function paidFacts(charge: Charge): string {
  const { origin, refunds, second_receipts } = charge;
  return JSON.stringify([facts(charge), ...(origin.kind === 'request' ? [refunds, second_receipts] : [])]);
}

function givenFacts(charge: Charge): string {
  const goods = givenOf(charge);
  return JSON.stringify([facts(charge), goods, goods && charge.refunds]);
}

function beginsToWait(was: Charge, charge: Charge): boolean {
  const state = codeOf(charge)?.state;
  return (state === 'waiting' || state === 'to_release') && was.goods?.state !== state;
}

function ofPayments(was: Charge | undefined, charge: Charge): readonly Occurrence[] {
  const [had, has] = [countedOf(was), countedOf(charge)];
  const came = [...has.values()].filter(({ receipt_id }) => !had.has(receipt_id));
  const gone = [...had.values()].filter(({ receipt_id }) => !has.has(receipt_id));
  const isProven = [...has.values()].some((one) => isProvenNow(one, had.get(one.receipt_id)));
  // A second payment takes the place of one that the network took back.
  const { second_receipts: seconds = [] } = was?.state === 'success' ? was : {};
  const isSecond = ({ receipt_id }: Payment) => seconds.includes(receipt_id);
  const isReplaced = ({ receipt_id }: Payment) => charge.second_receipts?.includes(receipt_id) || !came.every(isSecond);
  const isOther = (payment: Payment) => isProven || (came.length > 0 && isReplaced(payment));
  const unverified = { by: unverifiedPesewas(charge), before: was ? unverifiedPesewas(was) : 0 };
  const over = { by: overpaid(charge), before: overpaid(was) };
  const part = charge.state === 'pending' ? charge.parts?.at(-1) : undefined;
  return [
    ...came.map((payment) => ({ what: 'payment.counted' as const, charge, payment })),
    ...gone.map(
      (payment) =>
        ({
          what: isReversed(charge, payment, isOther(payment)) ? 'payment.reversed' : 'payment.released',
          charge,
          payment,
        }) as const,
    ),
    ...(over.by === over.before ? [] : [{ what: 'charge.overpaid' as const, charge, ...over }]),
    ...(unverified.by === unverified.before ? [] : [{ what: 'charge.unverified' as const, charge, ...unverified }]),
    ...(part && came.includes(part) ? [{ what: 'charge.partly_paid' as const, charge, part }] : []),
  ];
}

/** The payments that count for a charge, by their receipts. Those of one that has ended are a record of what once did. */
function countedOf(charge: Charge | undefined): ReadonlyMap<string, Payment> {
  const counts = charge?.state === 'pending' || charge?.state === 'success';
  return new Map((charge && counts ? paymentsOf(charge) : []).map((payment) => [payment.receipt_id, payment]));
}

function isProvenNow(payment: Payment, was: Payment | undefined): boolean {
  return was !== undefined && isUnproven(was) && !isUnproven(payment);
}

/**
 * True if the network took back a payment that no longer counts. All others of a charge that ended are released, and one whose place a
 * verified one has taken: a reversal verifies no payment, and brings none but a second one (`isOther`).
 */
function isReversed({ state, payment }: Charge, { receipt_id, marked }: Payment, isOther: boolean): boolean {
  if (state === 'reversed') return payment?.receipt_id === receipt_id;
  return (state === 'pending' || state === 'success') && !marked && !isOther;
}

function overpaid(charge: Charge | undefined): number {
  return charge?.state === 'success' ? overpaidPesewas(charge) : 0;
}

/** The refunds whose money has left the wallet by this change. */
function ofRefunds(was: Charge | undefined, charge: Charge): readonly Occurrence[] {
  const had = new Set(sentRefunds(was ?? {}).map(({ refund_id }) => refund_id));
  const sent = sentRefunds(charge).filter(({ refund_id }) => !had.has(refund_id));
  return sent.map((refund) => ({ what: 'charge.refunded', charge, refund }));
}

/** Its stock has run low once each time that it falls to the limit or the limit is raised to it, and once that it is empty. */
function ofLink(was: Link, link: Link): readonly Occurrence[] {
  return [
    ...(hasRunLow(was, link) ? [{ what: 'link.stock_low' as const, link }] : []),
    ...(link.codes_waiting && codesLeft(link) > 0 ? [{ what: 'link.stocked' as const, link }] : []),
  ];
}

/** Each time that its sum has arrived, and that a payment of it was taken back. */
function ofRequest(request: PaymentRequest): readonly Occurrence[] {
  if (request.state === 'cancelled') return [];
  return [{ what: request.state === 'paid' ? 'request.paid' : 'request.reopened', request }];
}

function ofReceipt(was: Receipt | undefined, receipt: Receipt): readonly Occurrence[] {
  const { state, reason } = receipt;
  // While it is checked there is nothing to do for anybody.
  const isUndone = (one: Receipt) => one.marked !== undefined && one.set_aside !== undefined;
  const isHeld = (one: Receipt | undefined) => one?.state === 'held' && one.reason !== 'checking' && !isUndone(one);
  const became = (to: Receipt['state']) => state === to && was?.state !== to;
  return [
    ...(became('matched') ? [{ what: 'receipt.matched' as const, receipt }] : []),
    ...(became('unread') ? [{ what: 'receipt.unread' as const, receipt }] : []),
    ...(reason === 'conflict' && was?.reason !== reason ? [{ what: 'receipt.contradicted' as const, receipt }] : []),
    ...(reason === 'checking' && was?.reason === 'conflict' ? [{ what: 'receipt.undoubted' as const, receipt }] : []),
    ...(isHeld(receipt)
      ? [
          {
            what: 'receipt.held' as const,
            receipt,
            isNew: !isHeld(was),
            ...(was?.reference && { paid: was.reference }),
          },
        ]
      : []),
  ];
}

function ofMessage(wasState: unknown, message: Message): readonly Occurrence[] {
  const { state } = message;
  // The report that a text was delivered may arrive before the report that it was sent.
  const hasLeft = state === 'sent' || (state === 'delivered' && wasState !== 'sent');
  return [
    ...(hasLeft ? [{ what: 'sms.left' as const, message }] : []),
    ...(state === 'delivered' || isRefunded(state)
      ? [{ what: `sms.${state}` as const, message: { ...message, state } }]
      : []),
  ];
}

function ofKeyword(heard: HeardKeyword): readonly Occurrence[] {
  const { merchant_id, at, send_id } = heard;
  return merchant_id && at && send_id === undefined
    ? [{ what: 'keyword.heard', heard: { ...heard, merchant_id, at } }]
    : [];
}

function ofWallet(notice: WalletNotice, key: Key): WalletOccurrence {
  // The compiler does not see that the name and the notice are of one kind.
  return { what: `wallet.${notice.kind}`, notice, key } as WalletOccurrence;
}

/** A browser that was just added, or a number whose owner has asked just now to answer from there. */
function ofDevice(isNew: boolean, before: Item | undefined, device: Device): readonly Occurrence[] {
  const { to, subscription, answers_asked_at, answers_since } = device;
  const isAsked = answers_asked_at !== undefined && answers_asked_at !== before?.answers_asked_at;
  const hasAsked = to === undefined ? isNew && subscription !== undefined : isAsked && !answers_since;
  return hasAsked ? [{ what: 'device.asked', device }] : [];
}
