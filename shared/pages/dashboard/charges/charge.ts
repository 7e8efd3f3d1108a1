import { html } from 'hono/html';
import * as z from 'zod/mini';
import { causeOfHeld, causesOf } from '../../../events/causes.ts';
import { may } from '../../../merchants/user/permissions.ts';
import { namesOf } from '../../../merchants/user/user.table.ts';
import { addNote } from '../../../money/charge/change-charge.table.ts';
import { type Charge, requireCharge } from '../../../money/charge/charge.table.ts';
import { statusOf } from '../../../money/charge/charge.ts';
import { codeOf } from '../../../money/charge/goods.ts';
import { releaseHeldGoods } from '../../../money/goods/decide-release.ts';
import { isOpenRefund, MAX_NOTES, paymentsOf } from '../../../money/payment/payment.ts';
import { shownPaid, shownReceipt } from '../../../money/payment/shown-payment.ts';
import { endedPartsOf, withParts } from '../../../money/receipt/ended-parts.ts';
import type { Receipt } from '../../../money/receipt/receipt.ts';
import { refuseChanged } from '../../../money/receipt/shown-proof.ts';
import { receiptFor } from '../../../money/receipt/shown-receipt.ts';
import { refuseCountedElsewhere } from '../../../money/settling/assign-receipt.ts';
import { cancelOwnCharge } from '../../../money/settling/end-charge.ts';
import { nowIso, type Outside } from '../../../runtime/outside/outside.ts';
import { retryIfChanged } from '../../../runtime/table/contention.ts';
import { counted } from '../../../runtime/values/counted.ts';
import { PublicError } from '../../../runtime/values/errors.ts';
import { text } from '../../../runtime/values/text.ts';
import { getEventsAndNewestTries } from '../../../webhook/event.table.ts';
import { eventIdOf, statusOfEvent, type WebhookAttempt, type WebhookEvent } from '../../../webhook/event.ts';
import { caseFileAddress, chargeAddress, eventAddress, heldAddress, receiptAddress } from '../parts/addresses.ts';
import { type Happening, type Html, notice, quiet, refreshed, shownTime, timeline } from '../parts/content.ts';
import { foldedForm, form, textField } from '../parts/form.ts';
import { pageVersion } from '../parts/page-version.ts';
import { actionOf } from '../parts/title.ts';
import type { Going, MerchantVisit, Shown } from '../parts/visit.ts';
import { detailsOf, happeningsOf, heldFor, summary, textLinks } from './charge-story.ts';
import { carriesOf, type LookAtChargeForm } from './look.ts';
import { markSection } from './mark.ts';
import { notThereForms } from './not-there.ts';
import { payLink } from './pay-link.ts';
import { readerOf } from './reader.ts';
import { refundSection } from './refunds.ts';
import { undoTapForm } from './undo-tap.ts';
import { vouchForm } from './vouch.ts';

/** Maximum delay before an open page shows a change outside the charge, such as a webhook attempt. */
const LATEST_MS = 30_000;

export async function showCharge(visit: MerchantVisit<'reference'>, outside: Outside): Promise<Shown> {
  const { merchant, user, path } = visit;
  const charge = await requireCharge(outside, path.reference, merchant.merchant_id);
  const ended = await endedPartsOf(outside, charge);
  const held = may(user, 'receipts:read') ? await heldFor(outside, charge) : [];
  const [messages, names] = await Promise.all([
    may(user, 'webhooks:read') ? eventsOf(outside, charge, held) : [],
    namesOf(
      outside,
      (charge.notes ?? []).map(({ by }) => by),
    ),
  ]);
  const happened = happeningsOf(outside, withParts(charge, ended), { held, names, reader: readerOf(user) });
  const isDoubted = shownPaid(charge).doubt !== undefined;
  const isRefundOpen = charge.refunds?.some(isOpenRefund) ?? false;
  const refund = refreshed(may(user, 'refunds:write') ? refundSection(visit, charge) : '');
  // The next step is to share the new charge's link or, after payment, to print the customer receipt.
  const main = html`<div class="columns"><div>
${refreshed(summary(outside, charge, ended, { texts: textLinks(visit, [charge]), waiting: html`${waitingFor(visit, charge, held)}${!isDoubted && actionsOf(receiptOf(charge))}`, actions: doubtActions(visit, outside, charge, held) }))}
${isRefundOpen && refund}
${refreshed(payLink(visit, outside, charge))}
${refreshed(may(user, 'receipts:assign') ? html`${markSection(visit, outside, charge)}${undoTapForm(visit, outside, charge)}` : '')}
${!isRefundOpen && refund}
</div><div class="side">
${refreshed(quiet('Details', [detailsOf(charge), actionsOf(isDoubted && receiptOf(charge), may(user, 'receipts:read') && evidenceOf(charge))]))}
</div><div>
${refreshed(quiet('What happened', [timeline(happened), messagesOf(messages)]))}
${may(user, 'charges:write') && noteSection(visit, charge)}
${refreshed(may(user, 'charges:write') ? cancelSection(visit, outside, charge) : '')}
</div></div>`;
  const { customer_name, reference } = charge;
  const about = customer_name && html`<span class="number" translate="no">${reference}</span>`;
  return { title: customer_name ?? `Bill ${reference}`, about, main };
}

function receiptOf(charge: Charge): Html | false {
  const name = shownPaid(charge).doubt ? 'Payment details' : 'Receipt';
  return charge.paid_at !== undefined && actionOf({ name, address: receiptAddress(charge.reference), isPlain: true });
}

function evidenceOf({ reference }: Charge): Html {
  return actionOf({ name: 'Evidence for a dispute', address: caseFileAddress(reference), isPlain: true });
}

function actionsOf(...links: readonly (Html | false)[]): Html {
  return links.some((link) => link) ? html`<p class="actions">${links}</p>` : html``;
}

/** Returns a version that changes with the charge and at regular intervals. Costs one read. */
export async function versionOfCharge({ merchant, path }: MerchantVisit<'reference'>, outside: Outside) {
  const charge = await requireCharge(outside, path.reference, merchant.merchant_id);
  return pageVersion(outside, [charge, statusOf(outside, charge)], LATEST_MS);
}

/** Renders the webhook events, collapsed because only developers need them. */
function messagesOf(messages: readonly Happening[]): Html {
  return html`${messages.length > 0 && html`<details><summary>${counted(messages.length, 'message')} to your website</summary>${timeline(messages)}</details>`}`;
}

/** Returns the webhook events of a charge and its held payments, with their latest attempts. Costs two reads. */
async function eventsOf(outside: Outside, charge: Charge, held: readonly Receipt[]): Promise<readonly Happening[]> {
  const causes = [
    ...causesOf(charge),
    ...held.map((receipt) => ({ type: 'receipt.held' as const, cause: causeOfHeld(receipt) })),
  ];
  const ids = causes.map(({ type, cause }) => eventIdOf(charge.merchant_id, type, cause));
  const found = await getEventsAndNewestTries(outside, ids);
  return found.map(({ event, attempts }) => ({
    at: event.created_at,
    what: html`<a href="${eventAddress(event.event_id)}">${event.type}</a>`,
    more: [STATES[statusOfEvent(event)](event), ...attempts.map(tryOf)].join(' · '),
    tone: event.state === 'gave_up' ? 'bad' : 'plain',
  }));
}

const STATES: Readonly<Record<ReturnType<typeof statusOfEvent>, (event: WebhookEvent) => string>> = {
  delivered: ({ tries, ended_by }) =>
    ended_by?.error
      ? 'Your website answered with a page, so it may not have noticed'
      : `Your website accepted it${tries > 1 ? ` on attempt ${tries}` : ''}`,
  kept: () => 'Not sent, because no webhook receives this test event',
  gave_up: ({ tries }) => `Stopped after ${tries} attempts: your website never accepted it`,
  pending: ({ tries, next_try_at }) =>
    tries === 0
      ? 'On its way to your website'
      : `Your website has not accepted it yet${next_try_at ? `; next attempt ${shownTime(next_try_at)}` : ''}`,
};

function tryOf({ number, started_at, duration_ms, status_code, error }: WebhookAttempt): string {
  return `attempt ${number}, ${shownTime(started_at)}: ${status_code ?? error ?? 'no response'} after ${duration_ms} ms`;
}

function isWaiting({ state, set_aside, reason }: Receipt): boolean {
  return state === 'held' && !set_aside && reason !== 'checking' && reason !== 'reversed';
}

/** Links to the held payments that may be for the charge. */
function waitingFor({ user }: MerchantVisit<'reference'>, { paid_at }: Charge, held: readonly Receipt[]): Html {
  const shown = held.filter(isWaiting).map((receipt) => receiptFor(readerOf(user), receipt));
  const first = paid_at ? 'A second payment' : 'A payment';
  return html`${shown.map(
    (receipt) =>
      html`<p>${first} of ${shownReceipt(receipt).amountText} is waiting. <a href="${heldAddress(receipt.receipt_id)}">Check it</a></p>`,
  )}`;
}

/** Renders the actions that resolve a doubt about the charge’s payment, or a choice between it and a waiting payment. */
function doubtActions(
  visit: MerchantVisit<'reference'>,
  outside: Outside,
  charge: Charge,
  held: readonly Receipt[],
): Html | string {
  const { pesewas, doubt } = shownPaid(charge);
  const mayDecide = pesewas > 0 && (doubt || held.some(isWaiting));
  if (!mayDecide || !may(visit.user, 'receipts:assign')) return '';
  const found = vouchForm(visit, charge) || releaseForm(visit, charge);
  const notThere = notThereForms(visit, outside, charge);
  return html`${(found || notThere) && html`<div class="actions">${found}${notThere}</div>`}`;
}

function releaseForm(visit: MerchantVisit<'reference'>, charge: Charge): Html | false {
  if (codeOf(charge) || releaseHeldGoods(charge, visit.user.user_id).length === 0) return false;
  const carries = carriesOf(charge);
  // A bill marked as paid stays unverified.
  const isMarked = paymentsOf(charge).some(({ marked }) => marked);
  const [title, submit] = isMarked
    ? ['Release the goods', 'Release the goods']
    : ['The money is there', 'Yes, the money is there'];
  const { doubt } = shownPaid(charge);
  const warning = doubt && notice('look', html`<b>${doubt.lookFirst}</b>`);
  return foldedForm(visit, title, { path: '/{reference}/release', submit, carries, isButton: true }, warning);
}

/** @throws PublicError `charge_not_pending`, `receipt_not_held` (also if the form is outdated). */
export function releaseCharge(visit: MerchantVisit<'reference', typeof LookAtChargeForm>, outside: Outside) {
  const { merchant, path, user, form, commit } = visit;
  return retryIfChanged(async () => {
    const charge = await requireCharge(outside, path.reference, merchant.merchant_id);
    const writes = releaseHeldGoods(charge, user.user_id);
    if (writes.length === 0)
      throw new PublicError(
        'charge_not_pending',
        'There is nothing to release. The goods were already handed over, or the payment is in doubt.',
      );
    refuseChanged(charge, form);
    await refuseCountedElsewhere(outside, charge);
    const notice = 'The goods can be handed over.';
    return commit(
      writes,
      { goTo: chargeAddress(charge.reference), notice },
      { action: 'charge release', about: charge.reference, after: { shown: form.shown } },
    );
  });
}

/** Renders the form that cancels a charge, with a confirmation because it cannot be undone. */
function cancelSection(visit: MerchantVisit<'reference'>, outside: Outside, charge: Charge): Html | string {
  if (statusOf(outside, charge) !== 'pending') return '';
  const facts = { path: '/{reference}/cancel', submit: 'Cancel the bill', isDangerous: true };
  const warning = html`<p>The bill’s page will tell the customer not to pay. If a payment still arrives, you will need to check it. This cannot be undone.</p>`;
  return foldedForm(visit, 'Cancel this bill', facts, warning);
}

export function cancelCharge(visit: MerchantVisit<'reference'>, outside: Outside): Promise<Going> {
  const { merchant, path, commit } = visit;
  const notice = 'The bill was cancelled.';
  return cancelOwnCharge(outside, merchant.merchant_id, path.reference, ({ reference }, writes) =>
    commit(writes, { goTo: chargeAddress(reference), notice }, { action: 'charge cancel', about: reference }),
  );
}

const MAX_CHARACTERS = 280;

export const NoteForm = z.object({ note: text(MAX_CHARACTERS) });

function noteSection(visit: MerchantVisit<'reference'>, { notes = [] }: Charge): Html | string {
  if (notes.length >= MAX_NOTES) return '';
  return form(
    visit,
    { path: '/{reference}/note', submit: 'Add the note', isPlain: true },
    textField('note', 'Your note', {
      hint: `Only your team sees it. At most ${MAX_CHARACTERS} characters.`,
      rows: 3,
      isRequired: true,
    }),
  );
}

export async function writeNote(visit: MerchantVisit<'reference', typeof NoteForm>, outside: Outside): Promise<Going> {
  const { merchant, user, path, form, commit } = visit;
  const charge = await requireCharge(outside, path.reference, merchant.merchant_id);
  const note = { at: nowIso(outside), by: user.user_id, text: form.note };
  const { reference } = charge;
  const entry = { action: 'charge note', about: reference };
  return commit([addNote(charge, note)], { goTo: chargeAddress(reference), notice: 'The note was added.' }, entry);
}
