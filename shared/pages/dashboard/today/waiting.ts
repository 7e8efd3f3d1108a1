import { html } from 'hono/html';
import type { Merchant } from '../../../merchants/merchant/merchant.ts';
import { listChanges, type ShopChanges } from '../../../merchants/merchant/money-change.table.ts';
import { may } from '../../../merchants/user/permissions.ts';
import type { User } from '../../../merchants/user/user.table.ts';
import type { Day } from '../../../money/booking/days.ts';
import { getCharges } from '../../../money/charge/charge.table.ts';
import { listCodesWaiting } from '../../../money/charge/lookup.table.ts';
import { cameWith } from '../../../money/charge/origin.ts';
import { findReached } from '../../../money/goods/unproven.table.ts';
import { listReceipts } from '../../../money/receipt/receipt.table.ts';
import type { Outside, TimedOutside } from '../../../runtime/outside/outside.ts';
import { keyKinds } from '../../../runtime/triggers/row.ts';
import { getCredits } from '../../../texts/credits/credits.table.ts';
import { endpointRows, type WebhookEndpoint } from '../../../webhook/endpoint.table.ts';
import { type Html, notice, sumPill } from '../parts/content.ts';
import { changesToReview } from '../settings/changes-view.ts';
import { disputedLately, fallsOf, type Task, type WaitingRows, waitingView } from './waiting-view.ts';
import type { WalletSeen } from './wallets.ts';

/** Number of tasks shown at first, most urgent first, beside those that are never folded. */
const MAX_OPEN = 2;
/** Maximum count, shown as "or more" if exceeded. */
const MAX_COUNTED = 50;

interface Around {
  readonly merchant: Merchant;
  readonly days: readonly Day[];
  readonly wallets: readonly WalletSeen[];
  readonly changes: ShopChanges | undefined;
}

export async function changesFor(outside: TimedOutside, { merchant_id }: Merchant, user: User) {
  return may(user, 'settings:approve') ? listChanges(outside, merchant_id) : undefined;
}

export async function waiting(outside: Outside, user: User, around: Around): Promise<Html> {
  const tasks = waitingView(outside, await readWaiting(outside, user, around));
  // Number shown on the installed app's icon.
  const count = html`<span data-waiting="${sum(tasks)}" hidden></span>`;
  if (tasks.length === 0) return html`${notice('good', 'Nothing is waiting for you.')}${count}`;
  const open = tasks.filter(({ isOpen }, n) => isOpen || n < MAX_OPEN);
  const folded = tasks.filter((task) => !open.includes(task));
  return html`<section class="waits"><h2>Waiting for you</h2>${count}
${taskList(open)}
${folded.length > 0 && html`<details><summary>${summaryOf(folded)}</summary>${taskList(folded)}</details>`}</section>`;
}

function summaryOf(folded: readonly Task[]): Html {
  const kinds = Map.groupBy(folded, ({ what }) => what);
  const names = [...kinds].map(([what, tasks]) => tasks[0]?.folded?.name(foldedCount(tasks)) ?? what);
  return html`${foldedCount(folded)} more<span class="wide">: ${names.join(', ')}</span>`;
}

function foldedCount(tasks: readonly Task[]): number {
  return tasks.reduce((sum, { count, folded }) => sum + (folded?.count ?? count), 0);
}

function taskList(tasks: readonly Task[]): Html {
  return html`<ul class="rows" role="list">${tasks.map(taskLine)}</ul>`;
}

function taskLine({ what, which, isReference, sum, href, detail }: Task): Html {
  const shown = isReference ? html`<span class="number">${which}</span>` : which;
  return html`<li><a href="${href}"><b>${what}</b><span class="hint">${shown}${detail && `, ${detail}`}${sum && html` ${sumPill(sum)}`}</span></a></li>
`;
}

export async function countWaiting(outside: Outside, user: User, around: Around): Promise<number> {
  return sum(waitingView(outside, await readWaiting(outside, user, around)));
}

function sum(tasks: readonly Task[]): number {
  return tasks.reduce((all, { count }) => all + count, 0);
}

async function readWaiting(
  outside: Outside,
  user: User,
  { merchant, days, wallets, changes }: Around,
): Promise<WaitingRows> {
  const { merchant_id } = merchant;
  const seesPayments = may(user, 'receipts:read');
  const falls = seesPayments ? fallsOf(merchant_id, wallets) : [];
  const references = falls.flatMap(({ payments }) => payments.flatMap(({ reference }) => reference ?? []));
  const disputed = disputedLately(days).map(({ reference }) => reference);
  const [held, unread, codes, limit, credits, webhooks, charges] = await Promise.all([
    seesPayments ? listReceipts(outside, merchant_id, 'held', { limit: MAX_COUNTED }) : undefined,
    seesPayments ? listReceipts(outside, merchant_id, 'unread', { limit: MAX_COUNTED }) : undefined,
    seesPayments ? codesWaiting(outside, merchant_id) : undefined,
    seesPayments ? findReached(outside, merchant_id) : undefined,
    may(user, 'credits:read') ? getCredits(outside, merchant_id) : undefined,
    may(user, 'webhooks:read') ? findWebhooks(outside, merchant_id) : [],
    getCharges(outside, [...new Set([...references, ...disputed])]),
  ]);
  return {
    days,
    changes: changes && changesToReview(merchant, user, changes),
    wallets: seesPayments ? wallets : [],
    questions: may(user, 'proof:confirm') ? wallets : [],
    held: held && { receipts: held.receipts, hasMore: held.next !== undefined },
    unreadTexts: unread && { count: unread.receipts.length, hasMore: unread.next !== undefined },
    codes,
    limitReachedAt: limit?.reached_at,
    falls,
    charges,
    webhooks,
    seesTexts: may(user, 'texts:read'),
    credits,
  };
}

/** Counts the paid codes that are not handed out yet, and finds the link of the newest. */
async function codesWaiting(outside: TimedOutside, merchantId: string): Promise<WaitingRows['codes']> {
  const references = await listCodesWaiting(outside, merchantId, MAX_COUNTED);
  const [newest] = await getCharges(outside, references.slice(0, 1));
  const slug = newest && cameWith(newest).link;
  return slug === undefined
    ? undefined
    : { count: references.length, hasMore: references.length === MAX_COUNTED, slug };
}

async function findWebhooks(outside: TimedOutside, merchant_id: string): Promise<WebhookEndpoint[]> {
  const found = await Promise.all(keyKinds.map((key_kind) => endpointRows.find(outside, { merchant_id, key_kind })));
  return found.flatMap((webhook) => webhook ?? []);
}
