import { arrivedPesewas } from '../../../ghana/arrived.ts';
import type { Merchant } from '../../../merchants/merchant/merchant.ts';
import { may, type Rights } from '../../../merchants/user/permissions.ts';
import type { Charge } from '../../../money/charge/charge.table.ts';
import { codeOf, type GoodsState } from '../../../money/charge/goods.ts';
import { isCoded } from '../../../money/link/hand-out-code.ts';
import type { Link } from '../../../money/link/link.table.ts';
import {
  boundsOf,
  codesRefusal,
  hasEnded,
  isSoldOut,
  linkUrl,
  lowStockOf,
  shownAmount,
} from '../../../money/link/link.ts';
import { codesLeft } from '../../../money/link/stock.table.ts';
import { backingOfCharge, weakest } from '../../../money/payment/backing.ts';
import { paidPesewas, unnotedPesewas } from '../../../money/payment/payment.ts';
import { doubtOf, type ShownPayment, shownPayment } from '../../../money/payment/shown-payment.ts';
import type { Clock, Outside } from '../../../runtime/outside/outside.ts';
import { codeAddress } from '../parts/addresses.ts';
import { type Remark, shownTime } from '../parts/content.ts';
import { codesWait } from './link-form.ts';

export interface LinkRows {
  readonly merchant: Merchant;
  readonly user: Rights;
  readonly link: Link;
  readonly charges: readonly Charge[];
}

export interface LinkView {
  readonly state: Remark;
  readonly url: string;
  readonly amount: string;
  readonly description: string | undefined;
  readonly asks: string | undefined;
  readonly isSticker: boolean;
  readonly made: string;
  readonly end: { readonly name: 'Ended' | 'Ends'; readonly at: string | undefined };
  /** Undefined for a till's sticker, which sells no codes. */
  readonly codes: CodesView | undefined;
  /** Bills whose payer waits for a code, then the others, each newest first. */
  readonly bills: readonly Charge[];
  /** The paid bills among `bills`. */
  readonly paid: { readonly count: number } & Pick<ShownPayment, 'amount' | 'doubt'>;
  /** The overpayments of the paid bills for which no refund is recorded. */
  readonly over: { readonly shown: ShownPayment; readonly bills: readonly Charge[] };
  readonly seesCodes: boolean;
  readonly mayDownload: boolean;
  readonly mayChange: boolean;
  readonly mayEnd: boolean;
}

export interface CodesView {
  /** Undefined if the link has never had codes. */
  readonly stock: StockView | undefined;
  readonly left: number;
  readonly mayAdd: boolean;
  /** Reason that this link cannot have codes, for people who may add codes. */
  readonly refusal: string | undefined;
  readonly wait: string | undefined;
}

export interface StockView {
  readonly of: string;
  readonly waiting: number;
  /** The bills among `LinkRows.charges` that wait for a code, and the doubt about them. */
  readonly inQueue: readonly Charge[];
  readonly doubt: ShownPayment['doubt'];
}

interface CodeOfBill {
  readonly label: string;
  readonly href: string;
  /** True if the payer waits for the code. */
  readonly isDue: boolean;
}

export function linkView(
  outside: Pick<Outside, 'now' | 'baseUrl'>,
  { merchant, user, link, charges }: LinkRows,
): LinkView {
  const isOver = hasEnded(outside, link);
  const mayChange = may(user, 'links:write');
  const isSticker = link.till !== undefined;
  return {
    state: stateOf(outside, link),
    url: linkUrl(outside, link.slug),
    amount: shownAmount(link),
    description: link.description,
    asks: link.note_label,
    isSticker,
    made: shownTime(link.created_at),
    end: { name: isOver ? 'Ended' : 'Ends', at: link.ends_at && shownTime(link.ends_at) },
    codes: isSticker ? undefined : codesView({ merchant, link, charges }, mayChange),
    bills: charges.toSorted((one, other) => Number(isCodeDue(other)) - Number(isCodeDue(one))),
    paid: paidOf(charges),
    over: overOf(charges),
    seesCodes: link.codes_stocked !== undefined,
    mayDownload: may(user, 'reports:read'),
    mayChange,
    mayEnd: mayChange && !isOver,
  };
}

export function stateOf(outside: Clock, link: Link): Remark {
  if (hasEnded(outside, link)) return { tone: 'plain', label: 'Ended' };
  if (isSoldOut(link)) return { tone: 'look', label: 'Sold out' };
  if (link.codes_stocked !== undefined && codesLeft(link) <= lowStockOf(link))
    return { tone: 'look', label: `${codesLeft(link)} codes left` };
  return { tone: 'waiting', label: 'Can be paid' };
}

function codesView({ merchant, link, charges }: Omit<LinkRows, 'user'>, mayChange: boolean): CodesView {
  const refusal = mayChange ? codesRefusal(link) : undefined;
  const mayAdd = mayChange && refusal === undefined;
  const [, most] = boundsOf(link);
  return {
    stock: stockView(link, charges),
    left: codesLeft(link),
    mayAdd,
    refusal,
    wait: mayAdd ? codesWait(merchant, most) : undefined,
  };
}

function stockView(link: Link, charges: readonly Charge[]): StockView | undefined {
  const { codes_stocked, codes_waiting = 0, codes_removed = [] } = link;
  if (codes_stocked === undefined) return undefined;
  const inQueue = charges.filter((one) => codeOf(one)?.state === 'waiting');
  const removed = codes_removed.reduce((sum, [from, to]) => sum + to - from + 1, 0);
  return {
    of: `of ${codes_stocked}${removed > 0 ? `, ${removed} removed` : ''}`,
    waiting: codes_waiting,
    inQueue,
    doubt: doubtOf(weakest(inQueue.map(backingOfCharge))),
  };
}

const CODE_WORDS: Readonly<Record<GoodsState, string>> = {
  unpaid: '',
  to_release: 'Release the code?',
  waiting: 'Code due',
  given: 'Code given',
  taken_back: 'Reversed',
};

/** Adds up the paid bills. The total is as doubtful as its most doubtful payment. */
function paidOf(charges: readonly Charge[]): LinkView['paid'] {
  const paid = charges.filter(({ state }) => state === 'success');
  const pesewas = arrivedPesewas(paid.reduce((sum, charge) => sum + paidPesewas(charge), 0));
  const { amount, doubt } = shownPayment(pesewas, weakest(paid.map(backingOfCharge)));
  return { count: paid.length, amount, doubt };
}

function overOf(charges: readonly Charge[]): LinkView['over'] {
  const bills = charges.filter((one) => one.state === 'success' && unnotedPesewas(one) > 0);
  const pesewas = arrivedPesewas(bills.reduce((sum, charge) => sum + unnotedPesewas(charge), 0));
  return { shown: shownPayment(pesewas, weakest(bills.map(backingOfCharge))), bills };
}

export function codeOfBill(charge: Charge): CodeOfBill | undefined {
  if (!isCoded(charge)) return undefined;
  const { goods: code, origin, reference } = charge;
  const label = CODE_WORDS[code.state];
  if (label === '') return undefined;
  return {
    label: code.number ? `${label} (${code.number})` : label,
    href: codeAddress(origin.slug, reference),
    isDue: isCodeDue(charge),
  };
}

function isCodeDue(charge: Charge): boolean {
  const state = codeOf(charge)?.state;
  return state === 'waiting' || state === 'to_release';
}
