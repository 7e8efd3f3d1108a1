import { html } from 'hono/html';
import * as z from 'zod/mini';
import { shownMoney } from '../../../ghana/money.ts';
import { networks } from '../../../ghana/network.ts';
import { shownNumber } from '../../../ghana/shown-number.ts';
import { may } from '../../../merchants/user/permissions.ts';
import { namesOf } from '../../../merchants/user/user.table.ts';
import { cancelOwnCharge } from '../../../money/receipt/charge-parts.ts';
import { listReceipts } from '../../../money/receipt/receipt.table.ts';
import type { Receipt } from '../../../money/receipt/receipt.ts';
import { paymentIdFor, type Reader, receiptFor } from '../../../money/receipt/shown-receipt.ts';
import { addNote } from '../../../money/transaction/change-transaction.table.ts';
import type { Note, Refund } from '../../../money/transaction/payment.ts';
import {
  MAX_NOTES,
  type MatchedBy,
  type Payment,
  paymentsOf,
  reversibleUntil,
} from '../../../money/transaction/payment.ts';
import type { chargeFields } from '../../../money/transaction/stored-fields.ts';
import { requireTransaction, type Transaction } from '../../../money/transaction/transaction.table.ts';
import { statusOf } from '../../../money/transaction/transaction.ts';
import type { Clock, Outside } from '../../../runtime/outside/outside.ts';
import type { NamesIn } from '../../../runtime/values/stored-field.ts';
import { text } from '../../../runtime/values/text.ts';
import { msOfSendId } from '../../../texts/sms/message-id.ts';
import { causeOfHeld, causesOf } from '../../../webhook/causes.ts';
import { getEventsAndNewestTries } from '../../../webhook/event.table.ts';
import { eventIdOf, type WebhookAttempt, type WebhookEvent } from '../../../webhook/event.ts';
import { chargeAddress, eventAddress, heldAddress, textAddress } from '../addresses.ts';
import { pageVersion } from '../page-version.ts';
import {
  facts,
  type Happening,
  type Html,
  refreshed,
  section,
  shownDay,
  shownTime,
  timeline,
} from '../parts/content.ts';
import { foldedForm, formSection, textField } from '../parts/form.ts';
import type { Going, MerchantVisit, Shown } from '../visit.ts';
import { stateOf, statePill } from './charge-state.ts';
import { heldWords, proofWords } from './held-words.ts';
import { payLink } from './pay-link.ts';
import { readerOf } from './reader.ts';
import { refundSection } from './refunds.ts';

/** How many held payments of its time are looked through for those that were meant for it. */
const MAX_HELD = 20;
const DAY_MS = 24 * 60 * 60 * 1000;
/** How soon an open page shows what its charge does not say, such as a webhook's try. */
const LATEST_MS = 30_000;

/** One charge, with all that happened to it and all that can be done about it. */
export async function showCharge(visit: MerchantVisit<'reference'>, outside: Outside): Promise<Shown> {
  const { merchant, user, path } = visit;
  const charge = await requireTransaction(outside, path.reference, merchant.merchant_id);
  const held = may(user, 'receipts:read') ? await heldFor(outside, charge) : [];
  const [events, names] = await Promise.all([
    may(user, 'webhooks:read') ? eventsOf(outside, charge, held) : [],
    namesOf(
      outside,
      (charge.notes ?? []).map(({ by }) => by),
    ),
  ]);
  const main = html`${refreshed(summary(outside, charge))}
${refreshed(papersOf(visit, charge))}
${refreshed(payLink(visit, outside, charge))}
${refreshed(section('What happened', timeline(happeningsOf(outside, charge, { held, events, names, reader: readerOf(user) }))))}
${refreshed(section('Details', detailsOf(charge)))}
${may(user, 'charges:write') && noteSection(visit, charge)}
${refreshed(may(user, 'refunds:write') ? refundSection(visit, charge) : '')}
${refreshed(may(user, 'charges:write') ? cancelSection(visit, outside, charge) : '')}`;
  return { title: charge.reference, main };
}

/** What can be printed of it. */
function papersOf({ user }: MerchantVisit<'reference'>, { reference, paid_at }: Transaction): Html | string {
  const links = [
    ...(paid_at ? [html`<a class="plain button" href="${chargeAddress(reference)}/receipt">Receipt</a>`] : []),
    ...(may(user, 'receipts:read')
      ? [html`<a class="plain button" href="${chargeAddress(reference)}/case">Case file</a>`]
      : []),
  ];
  return links.length > 0 ? html`<p class="actions">${links}</p>` : '';
}

/** Moves with the charge, which is one read, and now and then besides. */
export async function versionOfCharge({ merchant, path }: MerchantVisit<'reference'>, outside: Outside) {
  const charge = await requireTransaction(outside, path.reference, merchant.merchant_id);
  return pageVersion(outside, [charge, statusOf(outside, charge)], LATEST_MS);
}

/** Payments of the time in which it could be paid that are held, and that were meant for it. */
export async function heldFor(
  outside: Outside,
  { merchant_id, reference, ...charge }: Transaction,
): Promise<Receipt[]> {
  const until = new Date(Date.parse(charge.expires_at) + DAY_MS).toISOString();
  const page = { between: [charge.created_at, `${until}~`], newestFirst: true, limit: MAX_HELD } as const;
  const { receipts } = await listReceipts(outside, merchant_id, 'held', page);
  return receipts.filter(({ suggested_reference }) => suggested_reference === reference);
}

export function summary(outside: Outside, charge: Transaction): Html {
  return html`<section class="summary"><p class="amount"><span class="number">${shownMoney(charge.amount_pesewas)}</span> ${statePill(outside, charge)}</p>
<p>${stateOf(outside, charge).text}</p>
${takenBack(outside, charge)}</section>`;
}

/** What whoever hands over the goods has to know: a payment that has arrived can still go. */
function takenBack(outside: Clock, charge: Transaction): Html | undefined {
  const payments = charge.state === 'success' ? paymentsOf(charge) : [];
  const [last] = payments.toSorted((one, other) => (reversibleUntil(one) < reversibleUntil(other) ? 1 : -1));
  if (!last || Date.parse(reversibleUntil(last)) <= outside.now()) return undefined;
  const { short, takesBack } = networks[last.network];
  return html`<p class="hint">${short} can take this payment back until ${shownDay(reversibleUntil(last))}: ${takesBack.how}.</p>`;
}

export function detailsOf(charge: Transaction): Html {
  const { customer_name, customer_phone, email, description, merchant_reference, metadata, callback_url } = charge;
  const details: Readonly<Record<NamesIn<typeof chargeFields, 'page'>, Html | string | undefined>> = {
    Customer: customer_name,
    Phone: customer_phone && html`<span class="number">${shownNumber(customer_phone)}</span>`,
    'E-mail': email,
    For: description,
    'Your order number': merchant_reference,
    'Paid to': `${networks[charge.momo_network].name}, ${shownNumber(charge.momo_number)}`,
    Created: shownTime(charge.created_at),
    Expires: shownTime(charge.expires_at),
    'Returns to': callback_url,
    Metadata: metadata && html`<code>${metadata}</code>`,
  };
  return facts(Object.entries(details));
}

interface Around {
  /** Held payments that may be for it. */
  readonly held: readonly Receipt[];
  readonly events: readonly Happening[];
  /** The names of the people in its notes. */
  readonly names: ReadonlyMap<string, string>;
  /** Who looks at it. */
  readonly reader: Reader;
}

/** Everything that happened to a charge. When its page was opened is not known: showing it writes nothing. */
export function happeningsOf(
  outside: Clock,
  charge: Transaction,
  { held, events, names, reader }: Around,
): Happening[] {
  return [
    { at: charge.created_at, what: 'Created', more: shownMoney(charge.amount_pesewas) },
    ...paymentsOf(charge).map((payment) => paymentHappening(charge, payment, reader)),
    ...held.map((receipt) => heldHappening(receiptFor(reader, receipt))),
    ...ends(outside, charge),
    ...(charge.refunds ?? []).flatMap(refundHappenings),
    ...(charge.notes ?? []).map((note) => noteHappening(note, names)),
    ...receiptHappening(charge),
    ...events,
  ];
}

const MATCHED_BY: Readonly<Record<MatchedBy, string>> = {
  reference: 'recognised by its reference',
  name: 'recognised by the payer’s name',
  claim: 'claimed by the customer with the transaction ID',
  phone: 'confirmed with a code to the number that paid',
  hand: 'given to it by hand',
};

function paymentHappening(charge: Transaction, payment: Payment, reader: Reader): Happening {
  const { amount_pesewas, payer_name, network, matched_by, received_at } = payment;
  const isPart = payment !== charge.payment;
  return {
    at: received_at,
    what: `${shownMoney(amount_pesewas)} arrived${payer_name ? ` from ${payer_name}` : ''}${isPart ? ', a part of it' : ''}`,
    more: html`${networks[network].name} · ID <span class="number">${paymentIdFor(reader, payment)}</span> · ${MATCHED_BY[matched_by]}<br>${proofWords(payment)}`,
    tone: isDoubtful(payment) ? 'look' : 'good',
  };
}

/** Of a new wallet no payment is proven yet: that says nothing against one. */
function isDoubtful({ proof }: Payment): boolean {
  return proof?.state === 'unproven' && proof.why !== 'not_established' && proof.why !== 'no_balance';
}

function heldHappening(receipt: Receipt): Happening {
  const { amount_pesewas = 0, payer_name, received_at, receipt_id } = receipt;
  const { word, why } = heldWords(receipt);
  return {
    at: received_at,
    what: html`<a href="${heldAddress(receipt_id)}">${shownMoney(amount_pesewas)}${payer_name ? ` from ${payer_name}` : ''} is held</a>`,
    more: `${word}: ${why}`,
    tone: 'look',
  };
}

/** How it ended, and what came after that. */
function ends(outside: Clock, charge: Transaction): Happening[] {
  const { paid_at, expires_at, expired_at, cancelled_at, reversed_at, disputed } = charge;
  const hasExpired = expired_at !== undefined || statusOf(outside, charge) === 'expired';
  return [
    ...(paid_at ? [{ at: paid_at, what: 'Paid', tone: 'good' as const }] : []),
    ...(hasExpired ? [{ at: expires_at, what: 'Expired', more: 'It was not paid in time.' }] : []),
    ...(cancelled_at ? [{ at: cancelled_at, what: 'Cancelled' }] : []),
    ...(reversed_at
      ? [{ at: reversed_at, what: 'Reversed', more: 'The network took the payment back.', tone: 'bad' as const }]
      : []),
    ...(disputed
      ? [{ at: disputed.at, what: 'In doubt', more: stateOf(outside, charge).text, tone: 'look' as const }]
      : []),
  ];
}

/** A text's id says when it was accepted. */
function receiptHappening({ receipt_send_id }: Transaction): Happening[] {
  const ms = receipt_send_id && msOfSendId(receipt_send_id);
  if (!ms) return [];
  const what = html`<a href="${textAddress(receipt_send_id)}">Receipt sent as a text</a>`;
  return [{ at: new Date(ms).toISOString(), what, more: 'It cost 1 credit.' }];
}

function refundHappenings({ amount_pesewas, reason, state, noted_at, closed_at, ...closed }: Refund): Happening[] {
  const amount = shownMoney(amount_pesewas);
  const { closed_by, transaction_id } = closed;
  const by = closed_by === 'wallet' ? `Confirmed by your wallet’s text · ID ${transaction_id}` : 'Closed by hand';
  return [
    { at: noted_at, what: `Refund of ${amount} noted`, more: reason },
    ...(closed_at && state !== 'noted'
      ? [
          {
            at: closed_at,
            what: state === 'sent' ? `${amount} was sent back` : `Refund of ${amount} withdrawn`,
            more: by,
          },
        ]
      : []),
  ];
}

function noteHappening({ at, by, text, send_id }: Note, names: ReadonlyMap<string, string>): Happening {
  const more = names.get(by) ?? 'Somebody who has left';
  return send_id
    ? { at, what: html`<a href="${textAddress(send_id)}">${text}</a>`, more }
    : { at, what: html`Note: <span class="note">${text}</span>`, more };
}

/** What the merchant's server was told of a charge and of the payments held for it, with the newest tries: two reads. */
async function eventsOf(
  outside: Outside,
  charge: Transaction,
  held: readonly Receipt[],
): Promise<readonly Happening[]> {
  const causes = [
    ...causesOf(charge),
    ...held.map((receipt) => ({ type: 'receipt.held' as const, cause: causeOfHeld(receipt) })),
  ];
  const ids = causes.map(({ type, cause }) => eventIdOf(charge.merchant_id, type, cause));
  const found = await getEventsAndNewestTries(outside, ids);
  return found.map(({ event, attempts }) => ({
    at: event.created_at,
    what: html`<a href="${eventAddress(event.event_id)}">Webhook ${event.type}</a>`,
    more: [STATES[event.state](event), ...attempts.map(tryOf)].join(' · '),
    tone: event.state === 'gave_up' ? 'bad' : 'plain',
  }));
}

const STATES: Readonly<Record<WebhookEvent['state'], (event: WebhookEvent) => string>> = {
  delivered: ({ tries }) => `Your server accepted it${tries > 1 ? ` at try ${tries}` : ''}`,
  gave_up: ({ tries }) => `Given up after ${tries} tries: your server never accepted it`,
  pending: ({ tries, next_try_at }) =>
    tries === 0
      ? 'On its way to your server'
      : `Your server has not accepted it yet${next_try_at ? `; next try ${shownTime(next_try_at)}` : ''}`,
};

function tryOf({ number, started_at, duration_ms, status_code, error }: WebhookAttempt): string {
  return `try ${number}, ${shownTime(started_at)}: ${status_code ?? error ?? 'no answer'} after ${duration_ms} ms`;
}

/** Ends a charge that nobody wants any more. Two taps, because it cannot be undone. */
function cancelSection(visit: MerchantVisit<'reference'>, outside: Outside, charge: Transaction): Html | string {
  if (statusOf(outside, charge) !== 'pending') return '';
  const facts = { path: '/{reference}/cancel', submit: 'Cancel the charge', isDangerous: true };
  const warning = html`<p>Its page will tell the customer not to pay. A payment that still arrives is held for you. This cannot be undone.</p>`;
  return section(
    'Cancel',
    foldedForm(visit, 'Cancel this charge', facts, () => warning),
  );
}

export function cancelCharge(visit: MerchantVisit<'reference'>, outside: Outside): Promise<Going> {
  const { merchant, path, commit } = visit;
  const notice = 'The charge is cancelled.';
  return cancelOwnCharge(outside, merchant.merchant_id, path.reference, ({ reference }, writes) =>
    commit(writes, { goTo: chargeAddress(reference), notice }, { action: 'charge cancel', about: reference }),
  );
}

const MAX_CHARACTERS = 280;

export const NoteForm = z.object({ note: text(MAX_CHARACTERS) });

/** Where somebody of the team writes a note; those that there are stand in the charge's timeline. */
function noteSection(visit: MerchantVisit<'reference'>, { notes = [] }: Transaction): Html | string {
  if (notes.length >= MAX_NOTES) return '';
  return formSection(visit, 'Note', { path: '/{reference}/note', submit: 'Add the note' }, (filled) =>
    textField(filled, {
      name: 'note',
      label: 'Your note',
      hint: `Your team alone sees it. At most ${MAX_CHARACTERS} characters.`,
      rows: 3,
      isRequired: true,
    }),
  );
}

export async function writeNote(visit: MerchantVisit<'reference', typeof NoteForm>, outside: Outside): Promise<Going> {
  const { merchant, user, path, form, commit } = visit;
  const charge = await requireTransaction(outside, path.reference, merchant.merchant_id);
  const note = { at: new Date(outside.now()).toISOString(), by: user.user_id, text: form.note };
  const { reference } = charge;
  const entry = { action: 'charge note', about: reference };
  return commit([addNote(charge, note)], { goTo: chargeAddress(reference), notice: 'The note was added.' }, entry);
}
