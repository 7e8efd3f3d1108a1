import { arrivedPesewas } from '../../../ghana/arrived.ts';
import { wholeMoney } from '../../../ghana/money.ts';
import { isTestNumber } from '../../../ghana/phone-number.ts';
import { wholeNumber } from '../../../ghana/shown-number.ts';
import type { AddedNumber, NotifiedChange } from '../../../merchants/merchant/money-change.ts';
import type { Day } from '../../../money/booking/days.ts';
import type { Charge } from '../../../money/charge/charge.table.ts';
import { backingOfReceipt, hasEndedUnpaid, weakest } from '../../../money/payment/backing.ts';
import { paymentsOf } from '../../../money/payment/payment.ts';
import { LOOK_FIRST, shownPayment, shownReceipt } from '../../../money/payment/shown-payment.ts';
import type { Receipt } from '../../../money/receipt/receipt.ts';
import type { Clock, Outside } from '../../../runtime/outside/outside.ts';
import { MINUTE_MS } from '../../../runtime/values/calendar.ts';
import { counted } from '../../../runtime/values/counted.ts';
import { type Credits, isLow } from '../../../texts/credits/credits.table.ts';
import type { SuspectedReversal } from '../../../wallets/wallet/wallet-notice.table.ts';
import type { WebhookEndpoint } from '../../../webhook/endpoint.table.ts';
import { onlyNeedsBill } from '../charges/held-words.ts';
import {
  balanceAddress,
  CHANGES,
  CREDITS,
  chargeAddress,
  FAILED_TEXTS,
  HELD,
  linkAddress,
  UNREAD_TEXTS,
  WALLETS_SEEN,
  WEBHOOKS,
} from '../parts/addresses.ts';
import { age, type MoneyIn, shownDay, shownTime } from '../parts/content.ts';
import { type ChangesToReview, changeInWords } from '../settings/changes-view.ts';
import { BALANCE_QUESTION } from '../settings/name-balance.ts';
import type { WalletSeen } from './wallets.ts';

const LOOKED_BACK_DAYS = 7;
const MAX_DISPUTED = 6;
/** Maximum number of recent disputes to look up. Those that have ended are not shown. */
const MAX_DISPUTES_READ = 24;
/** A webhook is reported after failing for this long. A restart of the merchant's server takes less time. */
const FAILING_MS = 10 * MINUTE_MS;
const MAX_CHANGES = 4;

/** Data for the tasks. Undefined or empty if the person may not see it. */
export interface WaitingRows {
  readonly days: readonly Day[];
  readonly changes: ChangesToReview | undefined;
  readonly wallets: readonly WalletSeen[];
  readonly questions: readonly WalletSeen[];
  /** `hasMore` is true if not all held payments were read. */
  readonly held: { readonly receipts: readonly Receipt[]; readonly hasMore: boolean } | undefined;
  readonly unreadTexts: { readonly count: number; readonly hasMore: boolean } | undefined;
  readonly codes: { readonly count: number; readonly hasMore: boolean; readonly slug: string } | undefined;
  readonly limitReachedAt: string | undefined;
  /** Unexplained drops in balances, with the charges that may have been reversed. */
  readonly falls: readonly SuspectedReversal[];
  /** The charges that `falls` and `disputedLately` name. */
  readonly charges: readonly Charge[];
  readonly webhooks: readonly WebhookEndpoint[];
  readonly seesTexts: boolean;
  readonly credits: Credits | undefined;
}

export interface Task {
  readonly what: string;
  /** Short enough for one line on a phone. The task's page has the details. */
  readonly which: string;
  readonly isReference?: boolean;
  /** Follows `which` on its line. */
  readonly detail?: string;
  readonly sum?: MoneyIn;
  readonly href: string;
  readonly count: number;
  /** True to show the task outside the fold, however many are before it. */
  readonly isOpen?: boolean;
  /** Names the tasks with the same `what` in the fold's summary, from the sum of their counts. Defaults to `what`. */
  readonly folded?: { readonly count: number; readonly name: (count: number) => string };
}

/** Returns a person's tasks, most urgent first. */
export function waitingView(outside: Clock, rows: WaitingRows): Task[] {
  const lately = rows.days.slice(-LOOKED_BACK_DAYS);
  return [
    ...rows.wallets.flatMap((wallet) => silentTask(outside, wallet)),
    ...(rows.held ? heldTask(rows.held) : []),
    ...rows.questions.flatMap(questionTask),
    ...(rows.changes ? changeTasks(rows.changes) : []),
    ...(rows.unreadTexts ? unreadTask(rows.unreadTexts) : []),
    ...(rows.codes ? codesTask(rows.codes) : []),
    ...limitTask(rows.limitReachedAt),
    ...rows.falls.flatMap((fall) => fallTasks(fall, rows.charges)),
    ...disputedTasks(rows.days, rows.charges),
    ...rows.webhooks.flatMap((webhook) => webhookTask(outside, webhook)),
    ...(rows.seesTexts ? failedTextsTask(lately) : []),
    ...(rows.credits ? creditsTask(rows.credits) : []),
  ];
}

/** Returns a task for a wallet whose phone is silent, with a link to its card on the same page. */
function silentTask(outside: Clock, { account, isSilent, phoneAt, textAt }: WalletSeen): Task[] {
  const seenAt = phoneAt ?? textAt;
  if (!isSilent || seenAt === undefined || isTestNumber(account.number)) return [];
  const what = `Your ${account.network} phone is silent`;
  const which = `${wholeNumber(account.number)}, last seen ${age(outside, seenAt)}`;
  return [{ what, which, href: WALLETS_SEEN, count: 1 }];
}

/** Returns an owner's tasks: pending changes to decide, and other people's changes to review. */
function changeTasks({ waiting, outdated, unseen }: ChangesToReview): Task[] {
  const numbers = waiting.flatMap(({ change }) => (change.kind === 'add' ? [numberTask(change)] : []));
  const others = [
    ...waiting.filter(({ change }) => change.kind !== 'add').map(({ change }) => changeTask(TO_CONFIRM, [change])),
    ...outdated.map(({ change }) => changeTask(OUTDATED, [change])),
    ...unseen.map(({ changes }) => changeTask(CHANGED, changes)),
  ];
  const more = others.length - MAX_CHANGES;
  const what = counted(more, 'more setting change');
  const which = 'Numbers, names, limits and prices';
  return [...numbers, ...others.slice(0, MAX_CHANGES), ...(more > 0 ? [{ what, which, href: CHANGES, count: 1 }] : [])];
}

const TO_CONFIRM = {
  what: 'Needs your confirmation',
  name: (count: number) => `${counted(count, 'setting change')} to confirm`,
};
const OUTDATED = { what: 'Outdated', name: (count: number) => `${counted(count, 'outdated setting change')}` };
const CHANGED = { what: 'Was changed', name: (count: number) => `${counted(count, 'setting')} changed` };

/** Returns a task for a number that customers would pay. A wrong one sends their money to somebody else. */
function numberTask({ number }: AddedNumber): Task {
  return {
    what: 'New number for customers’ money',
    which: `${wholeNumber(number)} needs your confirmation`,
    href: CHANGES,
    count: 1,
    isOpen: true,
  };
}

function changeTask({ what, name }: typeof TO_CONFIRM, changes: readonly NotifiedChange[]): Task {
  const [first] = changes.map(changeInWords);
  const rest = changes.length > 1 ? ` and ${changes.length - 1} more` : '';
  return { what, which: `${first?.what}${rest}`, href: CHANGES, count: 1, folded: { count: changes.length, name } };
}

function questionTask({ account, asked }: WalletSeen): Task[] {
  if (!asked) return [];
  const href = balanceAddress({ network: account.network, momo_number: account.number });
  return [
    {
      what: BALANCE_QUESTION,
      which: `${account.network} ${wholeNumber(account.number)}`,
      href,
      count: 1,
    },
  ];
}

function heldTask({ receipts, hasMore }: NonNullable<WaitingRows['held']>): Task[] {
  // A payment that is being checked needs no action.
  const held = receipts.filter(({ reason }) => reason !== 'checking');
  if (held.length === 0) return [];
  const pesewasOf = (receipts: typeof held) =>
    receipts.reduce((sum, { amount_pesewas = 0 }) => sum + amount_pesewas, 0);
  const unverified = held.filter((one) => shownReceipt(one).doubt);
  const sum = { payments: held.length, pesewas: pesewasOf(held), unverifiedPesewas: pesewasOf(unverified) };
  const { amount } = shownPayment(arrivedPesewas(sum.pesewas), weakest(held.map(backingOfReceipt)));
  const needBills = !hasMore && held.every(onlyNeedsBill);
  return [
    {
      what: `${hasMore ? 'At least ' : ''}${counted(held.length, 'payment')} to ${needBills ? 'match' : 'check'}`,
      which: `${amount}${hasMore ? ' or more' : ''}, ${needBills ? 'verified' : 'not on a bill yet'}`,
      sum,
      href: HELD,
      count: held.length,
    },
  ];
}

/** Returns a task for unparsed texts, which may be payments. */
function unreadTask({ count, hasMore }: NonNullable<WaitingRows['unreadTexts']>): Task[] {
  if (count === 0) return [];
  const what = `${hasMore ? 'At least ' : ''}${counted(count, 'MoMo message')} not understood`;
  return [{ what, which: LOOK_FIRST, href: UNREAD_TEXTS, count }];
}

/** Returns a task for customers who have paid for a code and wait for it. */
function codesTask({ count, hasMore, slug }: NonNullable<WaitingRows['codes']>): Task[] {
  const what = `${hasMore ? 'At least ' : ''}${counted(count, 'customer')} waiting for a code`;
  return [{ what, which: 'Paid, no code yet', href: linkAddress(slug), count }];
}

function limitTask(reachedAt: string | undefined): Task[] {
  if (reachedAt === undefined) return [];
  return [{ what: 'Today’s limit is used up', which: 'For payments that are not verified', href: HELD, count: 1 }];
}

/** Returns unexplained drops in the merchant's balances, each once. */
export function fallsOf(merchantId: string, wallets: readonly WalletSeen[]): SuspectedReversal[] {
  const falls = wallets.flatMap(({ suspected }) => suspected).filter(({ merchant_id }) => merchant_id === merchantId);
  return falls.slice(0, MAX_DISPUTED);
}

/** Lists the payments whose reversal may explain a drop in the balance, as one task. */
function fallTasks({ network, amount_pesewas, from, payments }: SuspectedReversal, charges: readonly Charge[]): Task[] {
  const meant = charges.filter((charge) => payments.some(({ reference }) => reference === charge.reference));
  // A text has confirmed the reversal since, or a person has removed the payment. Others may still be in doubt.
  const isKnown = meant.some(({ reversed_at = '', unmarked_at = '' }) => reversed_at > from || unmarked_at > from);
  const isOpen = (id: string) => {
    const found = meant
      .filter((charge) => !hasEndedUnpaid(charge))
      .flatMap(paymentsOf)
      .filter((one) => one.transaction_id === id);
    if (found.some((one) => one.reversal_suspected_at !== undefined)) return true;
    return !isKnown && !found.some((one) => one.looked_by);
  };
  const open = payments.filter(({ transaction_id }) => isOpen(transaction_id));
  const amount = wholeMoney(amount_pesewas);
  const task = { what: 'May have been reversed', detail: `check your ${network} wallet` };
  return open.map(({ reference }, n) => ({
    ...task,
    ...(reference
      ? { which: reference, isReference: true, href: chargeAddress(reference) }
      : { which: amount, href: HELD }),
    count: n === 0 ? 1 : 0,
    folded: { count: 1, name: (count) => `${counted(count, 'payment')} may have been reversed` },
  }));
}

/** Returns the charges that were disputed in the last days, newest first. Their disputes may have ended. */
export function disputedLately(days: readonly Day[]): { readonly day: string; readonly reference: string }[] {
  const lately = days.slice(-LOOKED_BACK_DAYS);
  const found = lately.flatMap(({ day, disputed }) => disputed.map((reference) => ({ day, reference })));
  return found.toReversed().slice(0, MAX_DISPUTES_READ);
}

function disputedTasks(days: readonly Day[], charges: readonly Charge[]): Task[] {
  // No button ends the doubt about a bill that was cancelled or has expired.
  const isOpen = ({ state }: Charge) => state === 'success' || state === 'pending';
  const inDoubt = new Set(charges.filter((one) => one.disputed && isOpen(one)).map(({ reference }) => reference));
  const since = new Map(disputedLately(days).map(({ day, reference }) => [reference, day]));
  const found = [...since].filter(([reference]) => inDoubt.has(reference));
  return found.slice(0, MAX_DISPUTED).map(([reference, day]) => ({
    what: 'Bill in doubt',
    which: reference,
    isReference: true,
    href: chargeAddress(reference),
    detail: `since ${shownDay(day)}`,
    count: 1,
  }));
}

function webhookTask({ now }: Pick<Outside, 'now'>, { key_kind, disabled_at, failing_since }: WebhookEndpoint): Task[] {
  const what = key_kind === 'sms' ? 'Messages to your website about texts' : 'Messages to your website';
  const task = { what, href: WEBHOOKS, count: 1 };
  if (disabled_at) return [{ ...task, which: 'Switched off' }];
  if (!failing_since || now() - Date.parse(failing_since) < FAILING_MS) return [];
  return [{ ...task, which: `Failing since ${shownTime(failing_since)}` }];
}

function failedTextsTask(days: readonly Day[]): Task[] {
  const count = days.reduce((sum, { totals }) => sum + totals.texts_failed, 0);
  if (count === 0) return [];
  const which = `In ${LOOKED_BACK_DAYS} days`;
  return [{ what: `${counted(count, 'text')} failed`, which, href: FAILED_TEXTS, count: 1 }];
}

/** Returns a task if credits are low, unless the merchant has never had any. */
function creditsTask(credits: Credits): Task[] {
  const { balance, lifted_by } = credits;
  if (!isLow(credits) || (balance === 0 && lifted_by === undefined)) return [];
  return [{ what: 'Credits for texts', which: `${balance} left`, href: CREDITS, count: 1 }];
}
