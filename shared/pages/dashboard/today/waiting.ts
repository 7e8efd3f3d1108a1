import { html } from 'hono/html';
import { arrivedPesewas } from '../../../ghana/arrived.ts';
import { shownMoney } from '../../../ghana/money.ts';
import type { Merchant } from '../../../merchants/merchant/merchant.ts';
import { listChanges, type ShopChanges, type WaitingChange } from '../../../merchants/merchant/money-change.table.ts';
import type { ToldChange } from '../../../merchants/merchant/money-change.ts';
import { may } from '../../../merchants/user/permissions.ts';
import type { User } from '../../../merchants/user/user.table.ts';
import type { Day } from '../../../money/booking/days.ts';
import { getCharges } from '../../../money/charge/charge.table.ts';
import { findReached } from '../../../money/goods/unproven.table.ts';
import { backingOfReceipt, weakest } from '../../../money/payment/backing.ts';
import { LOOK_FIRST, shownPayment } from '../../../money/payment/shown-payment.ts';
import { listReceipts, listUndecidedTexts } from '../../../money/receipt/receipt.table.ts';
import { namingOperator } from '../../../runtime/outside/operator.ts';
import type { Outside, TimedOutside } from '../../../runtime/outside/outside.ts';
import { keyKinds } from '../../../runtime/triggers/row.ts';
import { MINUTE_MS } from '../../../runtime/values/calendar.ts';
import { counted } from '../../../runtime/values/counted.ts';
import { getCredits, isLow } from '../../../texts/credits/credits.table.ts';
import { endpointRows, type WebhookEndpoint } from '../../../webhook/endpoint.table.ts';
import * as icons from '../../frame/drawings.ts';
import { icon } from '../../frame/icon.ts';
import {
  balanceAddress,
  CHANGES,
  CREDITS,
  chargeAddress,
  FAILED_TEXTS,
  HELD,
  UNREAD_TEXTS,
  WEBHOOKS,
} from '../parts/addresses.ts';
import { doubtPill, type Html, shownDay, shownTime } from '../parts/content.ts';
import { peopleOf } from '../wallets/changes.ts';
import { changeInWords, KINDS_OF_CHANGE, openOf, personInWords, unseenBy } from '../wallets/changes-view.ts';
import { ownersQuestion } from '../wallets/owners-word.ts';
import type { WalletSeen } from './wallets.ts';

/** The count stops here and reads "or more". */
const MAX_COUNTED = 50;
/** Older failures have been seen, or nobody misses them. */
const LOOKED_BACK_DAYS = 7;
const MAX_DISPUTED = 6;
/** A webhook's first attempts fail whenever its server restarts. */
const FAILING_MS = 10 * MINUTE_MS;

/** A line that links to the solution, and the number of tasks behind it. */
interface Waiting {
  readonly line: Html;
  readonly count: number;
}

interface Around {
  readonly merchant: Merchant;
  readonly days: readonly Day[];
  readonly wallets: readonly WalletSeen[];
  readonly changes: ShopChanges | undefined;
}

export async function changesFor(outside: TimedOutside, { merchant_id }: Merchant, user: User) {
  return may(user, 'settings:approve') ? listChanges(outside, merchant_id) : undefined;
}

/** Tasks for a person, as far as they may see them, each with a link to its solution. */
export async function waiting(outside: Outside, user: User, around: Around): Promise<Html> {
  const found = await findWaiting(outside, user, around);
  // The installed app shows the count on its icon.
  const count = html`<span data-waiting="${sum(found)}" hidden></span>`;
  if (found.length === 0)
    return html`<p class="notice">${icon(icons.check)}<span>Nothing is waiting for you. What needs a person shows here.</span>${count}</p>`;
  return html`<section class="waits"><h2>Waits for you</h2>${count}
<ul class="rows" role="list">${found.map(({ line }) => line)}</ul></section>`;
}

export async function countWaiting(outside: Outside, user: User, around: Around): Promise<number> {
  return sum(await findWaiting(outside, user, around));
}

function sum(found: readonly Waiting[]): number {
  return found.reduce((all, { count }) => all + count, 0);
}

async function findWaiting(
  outside: Outside,
  user: User,
  { merchant, days, wallets, changes }: Around,
): Promise<Waiting[]> {
  const { merchant_id: merchantId } = merchant;
  const lately = days.slice(-LOOKED_BACK_DAYS);
  const [changed, held, unread, limit, credits, webhooks, suspected] = await Promise.all([
    changes ? changeLines(outside, merchant, user, changes) : [],
    may(user, 'receipts:read') ? heldLine(outside, merchantId) : undefined,
    may(user, 'receipts:read') ? unreadLine(outside, merchantId) : undefined,
    may(user, 'receipts:read') ? limitLine(outside, merchantId) : undefined,
    may(user, 'credits:read') ? creditsLine(outside, merchantId) : undefined,
    may(user, 'webhooks:read') ? webhookLines(outside, merchantId) : [],
    may(user, 'receipts:read') ? suspectedLines(outside, merchantId, wallets) : [],
  ]);
  const one = (line: Html | undefined) => (line ? [{ line, count: 1 }] : []);
  return [
    ...changed,
    ...(may(user, 'proof:confirm') ? wallets.flatMap((wallet) => one(questionLine(wallet))) : []),
    ...(held ? [held] : []),
    ...(unread ? [unread] : []),
    ...one(limit),
    ...suspected,
    ...disputedLines(lately).flatMap(one),
    ...webhooks.flatMap(one),
    ...one(may(user, 'texts:read') ? failedTextsLine(lately) : undefined),
    ...one(credits),
  ];
}

async function heldLine(outside: TimedOutside, merchantId: string): Promise<Waiting | undefined> {
  const { receipts, next } = await listReceipts(outside, merchantId, 'held', { limit: MAX_COUNTED });
  // Nobody can act on a payment under check.
  const held = receipts.filter(({ reason }) => reason !== 'checking');
  if (held.length === 0) return undefined;
  const pesewas = held.reduce((sum, { amount_pesewas = 0 }) => sum + amount_pesewas, 0);
  const shown = shownPayment(arrivedPesewas(pesewas), weakest(held.map(backingOfReceipt)));
  const [many, orMore] = next ? ['At least ', ' or more'] : ['', ''];
  const what = `${many}${counted(held.length, 'payment')} to check`;
  return {
    line: waits(what, html`${shown.amount}${orMore}${doubtPill(shown)}`, HELD, 'Not counted as money in yet'),
    count: held.length,
  };
}

/** Each unread text may be a payment whose wording is new. */
async function unreadLine(outside: TimedOutside, merchantId: string): Promise<Waiting | undefined> {
  const { length: count } = await listUndecidedTexts(outside, merchantId, MAX_COUNTED);
  if (count === 0) return undefined;
  const what = `${counted(count, 'MoMo message')} not understood`;
  const hint = 'Each may be a payment. If it is one, mark its bill as paid; if not, say so';
  return { line: waits(what, LOOK_FIRST, UNREAD_TEXTS, hint), count };
}

async function limitLine(outside: TimedOutside, merchantId: string): Promise<Html | undefined> {
  const reached = await findReached(outside, merchantId);
  if (!reached) return undefined;
  const hint =
    'For payments that are not verified. Look in your MoMo balance; then let the goods go here. Taps are refused and codes wait until then';
  return waits('Today’s limit is used up', shownTime(reached.reached_at), HELD, hint);
}

/**
 * Each payment that may explain one drop of the balance has a line, which links to its charge. Together they count as
 * one task.
 */
async function suspectedLines(
  outside: Outside,
  merchantId: string,
  wallets: readonly WalletSeen[],
): Promise<Waiting[]> {
  const falls = wallets
    .flatMap(({ suspected }) => suspected)
    .filter(({ merchant_id }) => merchant_id === merchantId)
    .slice(0, MAX_DISPUTED);
  const references = falls.flatMap(({ payments }) => payments.flatMap(({ reference }) => reference ?? []));
  const charges = await getCharges(outside, [...new Set(references)]);
  return falls.flatMap(({ network, amount_pesewas, from, to, payments }) => {
    const meant = charges.filter((charge) => payments.some(({ reference }) => reference === charge.reference));
    // A receipt has reported the reversal since.
    if (meant.some(({ reversed_at = '' }) => reversed_at > from)) return [];
    const amount = shownMoney(amount_pesewas);
    const which = payments.length > 1 ? `One of ${payments.length} payments of ${amount}: your` : 'Your';
    const hint = `${which} ${network} wallet fell by ${amount} before ${shownTime(to)}, and no text says why. Check it before the goods leave`;
    return payments.map(({ reference }, n) => ({
      count: n === 0 ? 1 : 0,
      line: waits(
        'May have been taken back',
        reference ? html`<span class="number">${reference}</span>` : amount,
        reference ? chargeAddress(reference) : HELD,
        hint,
      ),
    }));
  });
}

function disputedLines(days: readonly Day[]): Html[] {
  const found = days.flatMap(({ day, disputed }) => disputed.map((reference) => ({ day, reference }))).toReversed();
  return found.slice(0, MAX_DISPUTED).map(({ day, reference }) => {
    const hint = `Since ${shownDay(day)}: a text contradicts its payment. Check your wallet before the goods leave`;
    return waits('Bill in doubt', html`<span class="number">${reference}</span>`, chargeAddress(reference), hint);
  });
}

function failedTextsLine(days: readonly Day[]): Html | undefined {
  const count = days.reduce((sum, { totals }) => sum + totals.texts_failed, 0);
  if (count === 0) return undefined;
  return waits(`${counted(count, 'text')} failed`, `In ${LOOKED_BACK_DAYS} days`, FAILED_TEXTS);
}

async function webhookLines(outside: TimedOutside, merchantId: string): Promise<Html[]> {
  const found = await Promise.all(
    keyKinds.map((key_kind) => endpointRows.find(outside, { merchant_id: merchantId, key_kind })),
  );
  return found.flatMap((webhook) => (webhook ? (webhookLine(outside, webhook) ?? []) : []));
}

function webhookLine(outside: TimedOutside, webhook: WebhookEndpoint): Html | undefined {
  const { key_kind, disabled_at, failing_since } = webhook;
  const isFailing = failing_since && outside.now() - Date.parse(failing_since) >= FAILING_MS;
  if (!disabled_at && !isFailing) return undefined;
  const about = key_kind === 'sms' ? 'Messages to your website, about texts' : 'Messages to your website';
  return disabled_at
    ? waits(about, 'Switched off', WEBHOOKS, 'It hears of nothing until their address is set again')
    : waits(about, 'Failing', WEBHOOKS, `Every try has failed since ${shownTime(failing_since ?? '')}`);
}

/** A merchant that never had credits sends no texts. */
async function creditsLine(outside: Outside, merchantId: string): Promise<Html | undefined> {
  const credits = await getCredits(outside, merchantId);
  const { balance, lifted_by } = credits;
  if (!isLow(credits) || (balance === 0 && lifted_by === undefined)) return undefined;
  return waits('Credits for texts', `${balance} left`, CREDITS, namingOperator(outside, 'Ask support for more'));
}

function questionLine({ account, askedPesewas }: WalletSeen): Html | undefined {
  if (askedPesewas === undefined) return undefined;
  const wallet = { network: account.network, momo_number: account.number };
  const question = ownersQuestion(wallet, askedPesewas);
  return waits(`Your ${account.network} wallet`, 'One question', balanceAddress(wallet), question);
}

const MAX_LINES = 4;

/**
 * Changes that only an owner decides, and changes by others since this owner looked. A number that the operator
 * confirms is no task here.
 */
async function changeLines(
  outside: TimedOutside,
  merchant: Merchant,
  user: User,
  changes: ShopChanges,
): Promise<Waiting[]> {
  const isTheirs = ({ needs }: WaitingChange) => needs === undefined || may(user, 'operator');
  const waiting = openOf(merchant, changes).filter(isTheirs);
  const news = unseenBy(user, changes);
  const more = waiting.length + news.length - MAX_LINES;
  if (waiting.length + news.length === 0) return [];
  const people = await peopleOf(outside, { ...changes, waiting });
  const shown = [
    ...waiting.map(({ change, by }) => changeLine('Needs your confirmation', [change], personInWords(people, by))),
    ...news.map(({ changes: made, by }) => changeLine('Was changed', made, personInWords(people, by))),
  ].slice(0, MAX_LINES);
  const rest = more > 0 ? [waits('Changes', `${more} more`, CHANGES, 'Of numbers, names, limits and prices')] : [];
  return [...shown, ...rest].map((line) => ({ line, count: 1 }));
}

function changeLine(name: string, changes: readonly ToldChange[], who: string): Html {
  const kinds = [...new Set(changes.map(({ kind }) => KINDS_OF_CHANGE[kind]))].join(', ');
  const [first] = changes.map(changeInWords);
  const rest = changes.length > 1 ? ` and ${changes.length - 1} more` : '';
  return waits(name, kinds, CHANGES, `${first?.what}${rest}, by ${who}`);
}

/** `why` is advice to read before opening the link. */
function waits(what: string, which: Html | string, href: string, why?: string): Html {
  return html`<li><a href="${href}"><b>${what}</b><span>${which}</span>${why && html`<span class="hint">${why}</span>`}</a></li>
`;
}
