import { html, raw } from 'hono/html';
import { CURRENCY } from '../../../ghana/country.ts';
import { networks } from '../../../ghana/network.ts';
import { isTestNumber } from '../../../ghana/phone-number.ts';
import { shownNumber } from '../../../ghana/shown-number.ts';
import type { Merchant } from '../../../merchants/merchant/merchant.ts';
import { numbersForOperator } from '../../../merchants/merchant/money-change.table.ts';
import { may, type Permission } from '../../../merchants/user/permissions.ts';
import { type Day, lastDays, totalsOfDays } from '../../../money/booking/days.ts';
import { listReferences } from '../../../money/charge/charge.table.ts';
import { listReceiptKeys } from '../../../money/receipt/receipt.table.ts';
import { type Answer, jsonAnswer } from '../../../runtime/http/answer.ts';
import { isoOf, type Outside } from '../../../runtime/outside/outside.ts';
import type { Wallet } from '../../../wallets/chain/chain.table.ts';
import * as icons from '../../frame/drawings.ts';
import { icon } from '../../frame/icon.ts';
import {
  APP,
  balanceAddress,
  CHANGES,
  LINKS,
  NEW_CHARGE,
  NUMBERS,
  REQUESTS,
  TEAM,
  TILL,
  WEBHOOKS,
} from '../parts/addresses.ts';
import { type Html, section } from '../parts/content.ts';
import { NEW_BILL } from '../parts/title.ts';
import type { MerchantVisit, Shown } from '../parts/visit.ts';
import { CONTACT, shownContact } from '../settings/contact.ts';
import { COMPARED_DAYS, moneyLately, moneyToday } from './money-in.ts';
import { changesFor, countWaiting, waiting } from './waiting.ts';
import { guessedNotes, type WalletSeen, wallets, walletsSeen } from './wallets.ts';

/** Number of days to read for people who may not read reports. Older days have no open tasks. */
const WAITING_DAYS = 7;

export async function showToday({ merchant, user }: MerchantVisit, outside: Outside): Promise<Shown> {
  const { merchant_id } = merchant;
  const seesReports = may(user, 'reports:read');
  const [{ days, isMore }, seen, changes] = await Promise.all([
    totalsOfDays(outside, merchant_id, lastDays(outside, seesReports ? COMPARED_DAYS : WAITING_DAYS)),
    walletsSeen(outside, merchant),
    changesFor(outside, merchant, user),
  ]);
  const [waits, happened] = await Promise.all([
    waiting(outside, user, { merchant, days, wallets: seen, changes }),
    happenedSoFar(outside, merchant_id, days),
  ]);
  const [asked] = changes ? numbersForOperator(merchant, changes) : [];
  // Hide buttons from people who may not use them.
  const mayAct = (permission: Permission) =>
    may(user, permission) && (merchant.suspended_at === undefined || may(user, 'operator'));
  const steps = firstSteps(merchant, mayAct, { ...happened, asked: asked?.change.number, toName: walletToName(seen) });
  const isEmpty = steps !== undefined && !happened.hasPaid;
  return {
    title: 'Today',
    actions: [mayAct('charges:write') && NEW_BILL],
    main: html`${guessedNotes(user, seen)}<div class="columns"><div>
${isEmpty && steps}
${waits}
${!isEmpty && seesReports && moneyToday(days, isMore)}
${!isEmpty && (steps ?? (isNew(days, seesReports) && mayAct('charges:write') && WAYS))}
</div><div>
${wallets(outside, user, seen)}
${!isEmpty && seesReports && moneyLately(days, isMore)}
</div></div>`,
  };
}

/** Suggestions for a shop that has finished its first steps. */
const WAYS = html`<p class="hint">Get paid at a <a href="${TILL}">till</a>, by a <a href="${LINKS}">link</a>, or by a <a href="${REQUESTS}">request</a> to one customer.</p>`;
const NEW_DAYS = 14;

/** Returns true if no payment arrived before the last two weeks. Always false for people without access to reports. */
function isNew(days: readonly Day[], seesReports: boolean): boolean {
  return seesReports && !days.slice(0, -NEW_DAYS).some(({ totals }) => totals.payments > 0);
}

/** Returns the number of open tasks, for the app's icon. */
export async function showWaiting({ merchant, user }: MerchantVisit, outside: Outside): Promise<Answer> {
  const { merchant_id } = merchant;
  const [{ days }, seen, changes] = await Promise.all([
    totalsOfDays(outside, merchant_id, lastDays(outside, WAITING_DAYS)),
    walletsSeen(outside, merchant),
    changesFor(outside, merchant, user),
  ]);
  const waiting = await countWaiting(outside, user, { merchant, days, wallets: seen, changes });
  return jsonAnswer(200, JSON.stringify({ waiting }));
}

interface Happened {
  readonly hasCharge: boolean;
  readonly hasPaid: boolean;
}

interface SoFar extends Happened {
  readonly asked: string | undefined;
  /** The wallet whose balance an owner must name, if any. */
  readonly toName: Wallet | undefined;
}

/** Returns the first wallet of the shop alone whose texts could verify payments, but whose balance nobody has named. */
function walletToName(seen: readonly WalletSeen[]): Wallet | undefined {
  const [found] = seen.filter(
    ({ account: { network }, isShared, summary }) =>
      !isShared && !summary && networks[network].provesAfterLinks !== undefined,
  );
  return found && { network: found.account.network, momo_number: found.account.number };
}

/** Determines which first steps the shop has taken. Costs two key reads if there was no recent payment. */
async function happenedSoFar(outside: Outside, merchantId: string, days: readonly Day[]): Promise<Happened> {
  if (days.some(({ totals }) => totals.payments > 0)) return { hasCharge: true, hasPaid: true };
  const times = { fromMs: 0, toMs: outside.now() };
  const [from, to] = [times.fromMs, times.toMs].map(isoOf);
  const [charges, payments] = await Promise.all([
    listReferences(outside, merchantId, [from ?? '', to ?? ''], { limit: 1 }),
    listReceiptKeys(outside, merchantId, { limit: 1 }, times),
  ]);
  return { hasCharge: charges.length > 0, hasPaid: payments.keys.length > 0 };
}

interface FirstStep {
  readonly name: string;
  readonly isDone: boolean;
  readonly isTheirs: boolean;
  readonly what: Html | string;
}

/**
 * Shows the first steps until all are complete, folded from the first payment on. Undefined if this person cannot
 * complete the remaining steps.
 */
function firstSteps(
  { momo_accounts: [account], contact }: Merchant,
  mayAct: (permission: Permission) => boolean,
  { hasCharge, hasPaid, asked, toName }: SoFar,
): Html | undefined {
  const [setsUp, charges] = [mayAct('settings:write'), mayAct('charges:write')];
  const steps: FirstStep[] = [
    {
      name: 'add the MoMo number',
      isDone: account !== undefined,
      isTheirs: setsUp,
      what: account
        ? html`Payments go to <b>${networks[account.network].name} <span class="number">${shownNumber(account.number)}</span></b>, ${account.account_name}.`
        : asked
          ? html`<b class="number">${shownNumber(asked)}</b> <a href="${CHANGES}">is waiting for support</a>, who will confirm that it is yours.`
          : setsUp
            ? html`<a href="${NUMBERS}/new">Add the MoMo number</a> that customers pay to.`
            : 'Ask the owner to add the MoMo number that customers pay to.',
    },
    ...(account && !isTestNumber(account.number)
      ? [
          {
            name: 'enter the wallet’s balance',
            isDone: toName === undefined,
            isTheirs: mayAct('proof:confirm'),
            what: toName
              ? mayAct('proof:confirm')
                ? html`<a href="${balanceAddress(toName)}">Enter the balance of ${shownNumber(toName.momo_number)}</a>. From then on, each payment is verified.`
                : 'Ask the owner to enter the wallet’s balance.'
              : 'Payments are verified: each text must continue your wallet’s balance.',
          },
        ]
      : []),
    {
      name: 'set how customers can reach you',
      isDone: contact !== undefined,
      isTheirs: setsUp,
      what: contact
        ? html`Customers can reach you at <b>${shownContact(contact)}</b>.`
        : setsUp
          ? html`<a href="${CONTACT}">Set how customers can reach you</a>: a number, a WhatsApp link or an e-mail address. Customers see it when they pay.`
          : 'Ask the owner to set how customers can reach the shop.',
    },
    {
      name: 'create a bill',
      isDone: hasCharge,
      isTheirs: charges,
      what:
        charges && !hasCharge
          ? html`<a href="${NEW_CHARGE}">Create a bill</a> of ${CURRENCY} 1.`
          : 'The first bill was created.',
    },
    {
      name: 'pay it',
      isDone: hasPaid,
      isTheirs: charges,
      what: hasPaid
        ? 'A payment has arrived.'
        : 'Open its link on a phone and pay it. The payment will appear here within seconds.',
    },
  ];
  const next = steps.find(({ isDone, isTheirs }) => !isDone && isTheirs);
  if (!next) return undefined;
  const more = [
    ...(setsUp && account ? [html`<a href="${NUMBERS}/new">add another MoMo number</a>`] : []),
    ...(mayAct('team:write') ? [html`<a href="${TEAM}">invite</a> the people who work with you`] : []),
    ...(mayAct('webhooks:write') ? [html`<a href="${WEBHOOKS}">notify your website</a> of payments`] : []),
    ...(setsUp ? [html`<a href="${APP}">get notified</a> of payments`] : []),
  ];
  const content = [
    html`<ol class="steps" role="list">${steps.map(
      ({ isDone, what }) =>
        html`<li${isDone && raw(' class="done"')}><p>${isDone && icon(icons.check)}${what}${isDone && html`<span class="unseen"> (done)</span>`}</p></li>`,
    )}</ol>`,
    ...(charges ? [WAYS] : []),
    ...(more.length > 0
      ? [html`<p class="hint">You can also: ${more.map((one, n) => html`${n > 0 && '; '}${one}`)}.</p>`]
      : []),
  ];
  if (!hasPaid) return section('First steps', content);
  const done = steps.filter(({ isDone }) => isDone).length;
  return html`<details class="card"><summary>First steps: ${done} of ${steps.length} done · ${next.name}</summary>${content}</details>`;
}
