import { html } from 'hono/html';
import { shownAmount, shownMoney } from '../../../ghana/money.ts';
import { shownNumber } from '../../../ghana/shown-number.ts';
import { may } from '../../../merchants/user/permissions.ts';
import { cancelRequest } from '../../../money/request/make-request.ts';
import { type MoreThanAsked, readMoreThanAsked } from '../../../money/request/more-than-asked.ts';
import { reminderToLeaveAt } from '../../../money/request/reminder-times.ts';
import { type PaymentRequest, requireRequest } from '../../../money/request/request.table.ts';
import { requestUrl, today } from '../../../money/request/request-url.ts';
import { withPaid } from '../../../money/request/schedule.ts';
import { readSums, type Sums, stateOf } from '../../../money/request/sums.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { findOptOut } from '../../../texts/conversation/opt-out.table.ts';
import { chargeAddress, chargeLink, heldAddress, REQUESTS, requestAddress, textAddress } from '../addresses.ts';
import {
  copyable,
  facts,
  type Html,
  section,
  shownDay,
  shownTime,
  tile,
  tiles,
  whatsAppUrl,
} from '../parts/content.ts';
import { foldedForm } from '../parts/form.ts';
import { table } from '../parts/list.ts';
import type { Going, MerchantVisit, Shown } from '../visit.ts';
import { shownReminderDays } from './reminder-fields.ts';
import { statePill } from './requests.ts';

const PATH = '/{slug}';

/** A request: its address, what is paid and open of it, and its charges. */
export async function showRequest(visit: MerchantVisit<'slug'>, outside: Outside): Promise<Shown> {
  const { merchant, path, user } = visit;
  const request = await requireRequest(outside, merchant.merchant_id, path.slug);
  const sums = await readSums(outside, request);
  const url = requestUrl(outside, request.slug);
  const [more, reminders] = await Promise.all([
    readMoreThanAsked(outside, request, sums, today(outside)),
    remindersOf(outside, request, sums),
  ]);
  return {
    title: request.title,
    main: html`<p>${statePill(outside, request, sums)}</p>
<p>${copyable(url, 'address')}</p>
<p class="actions"><a class="plain button" href="${url}">Open it</a><a class="plain button" href="${whatsApp(request, merchant.name, url, sums)}" rel="noreferrer">Send by WhatsApp</a></p>
${tiles(
  tile('Paid', shownMoney(sums.paidPesewas), { hint: `of ${shownMoney(request.total_pesewas)}` }),
  tile('Open', shownMoney(sums.openPesewas)),
  ...(sums.overpaidPesewas > 0
    ? [tile('Paid too much', shownMoney(sums.overpaidPesewas), { isUrgent: more.toReturnPesewas > 0 })]
    : []),
)}
${moreOf(visit, sums, more)}
${facts([
  ['Customer', request.customer_name],
  ['Number', request.customer_phone && shownNumber(request.customer_phone)],
  ['More about it', request.note],
  ['Your own number', request.merchant_reference],
  ['Reminders', request.reminder_days && shownReminderDays(request.reminder_days)],
  ['Next reminder', reminders],
  ['Last reminder', lastReminder(request)],
  ['Made', shownTime(request.created_at)],
  ['Found paid', request.paid_at && shownTime(request.paid_at)],
  ['Cancelled', request.cancelled_at && shownTime(request.cancelled_at)],
])}
${section('What for', linesOf(request))}
${request.instalments[0]?.due === undefined ? html`` : section('Days', instalmentsOf(request, sums))}
${section('Charges', chargesOf(sums))}
${may(user, 'links:write') && stateOf(request, sums) === 'open' ? cancelForm(visit) : html``}
<p><a href="${REQUESTS}">All payment requests</a></p>`,
  };
}

/** What will really leave, and what ended them while something is still open. */
async function remindersOf(outside: Outside, request: PaymentRequest, sums: Sums): Promise<string | undefined> {
  const at = reminderToLeaveAt(request, sums.paidPesewas);
  if (at === undefined || request.customer_phone === undefined) return undefined;
  const said = await findOptOut(outside, request.merchant_id, request.customer_phone);
  return said?.opted_out ? `None: the customer wrote ${said.word}` : shownDay(at);
}

/** What came beyond what was asked, what the service does with it, and what its owner does next. */
function moreOf({ user }: MerchantVisit<'slug'>, sums: Sums, more: MoreThanAsked): Html | string {
  const { toReturnPesewas, refundedPesewas, sentPesewas, aheadPesewas, nextDue, held } = more;
  const notedPesewas = refundedPesewas - sentPesewas;
  const last = sums.charges
    .filter(({ reference, paid_pesewas }) => paid_pesewas > 0 && sums.found.has(reference))
    .toSorted((one, other) => (other.paid_at ?? '').localeCompare(one.paid_at ?? ''))[0];
  const note = last && html` Then note it as a refund at ${chargeLink(last.reference)}.`;
  const said = [
    toReturnPesewas > 0 &&
      html`<p><b>${shownMoney(toReturnPesewas)}</b> more has arrived than was asked. It is in your wallet, and counts for nothing else: send it back from there.${note}</p>`,
    notedPesewas > 0 && html`<p>You noted ${shownMoney(notedPesewas)} as a refund. It has not been sent yet.</p>`,
    sentPesewas > 0 && html`<p>${shownMoney(sentPesewas)} was sent back.</p>`,
    ...held.map(
      ({ receipt_id, amount_pesewas, received_at, suggested_reference = '' }) =>
        html`<p><b>${shownMoney(amount_pesewas)}</b> came on ${shownDay(received_at)} for ${chargeLink(suggested_reference)}, which was paid already. It is held and counts for nothing yet. Send it back, or give it to another charge of this customer.${may(user, 'receipts:read') && html` <a href="${heldAddress(receipt_id)}">Decide about it</a>`}</p>`,
    ),
    aheadPesewas > 0 &&
      html`<p>${shownMoney(aheadPesewas)} is paid ahead of its day, and counts for the next parts. ${nextDue && html`The next to pay is that of ${shownDay(nextDue)}.`}</p>`,
  ].filter((one) => one !== false);
  return said.length > 0 ? section('Paid twice, too much, or ahead', said) : '';
}

function lastReminder({ last_reminder }: PaymentRequest): Html | string | undefined {
  if (!last_reminder) return undefined;
  const { at, send_id, not_sent } = last_reminder;
  if (send_id) return html`<a href="${textAddress(send_id)}">${shownTime(at)}</a>`;
  return `${shownDay(at)}: not sent (${not_sent ?? 'nothing was due'})`;
}

function linesOf({ lines }: PaymentRequest): Html {
  return table(
    'What makes up the sum',
    ['What', { name: 'Number', isNumber: true }, { name: 'Each', isNumber: true }],
    lines.map(({ description, quantity, amount_pesewas }) => ({
      cells: [description, String(quantity), shownAmount(amount_pesewas)],
    })),
  );
}

function instalmentsOf({ instalments }: PaymentRequest, { paidPesewas }: Sums): Html {
  return table(
    'What is due when',
    ['Due', { name: 'Amount', isNumber: true }, { name: 'Paid', isNumber: true }],
    withPaid(instalments, paidPesewas).map(({ due = '', amount_pesewas, paid_pesewas }) => ({
      cells: [shownDay(due), shownAmount(amount_pesewas), shownAmount(paid_pesewas)],
    })),
  );
}

function chargesOf({ charges, found }: Sums): Html {
  if (charges.length === 0) return html`<p class="hint">Nobody has pressed Pay yet.</p>`;
  return table(
    'Charges of this request',
    ['Charge', 'Paid at', { name: 'Asked', isNumber: true }, { name: 'Paid', isNumber: true }],
    charges.map(({ reference, paid_pesewas, paid_at }) => {
      const charge = found.get(reference);
      const asked = charge ? shownAmount(charge.amount_pesewas) : '';
      const cells = [reference, paid_at ? shownTime(paid_at) : '', asked, shownAmount(paid_pesewas)];
      return { ...(charge && { href: chargeAddress(reference) }), cells };
    }),
  );
}

function whatsApp({ title, customer_phone }: PaymentRequest, shop: string, url: string, { openPesewas }: Sums) {
  return whatsAppUrl(`${shop}: ${title}, ${shownMoney(openPesewas)}. See and pay it here: ${url}`, customer_phone);
}

function cancelForm(visit: MerchantVisit<'slug'>): Html {
  const facts = { path: `${PATH}/cancel`, submit: 'Cancel the request', isDangerous: true };
  return section(
    'Change',
    foldedForm(
      visit,
      'Cancel this request',
      facts,
      () => html`<p>Its page says so, and nobody is reminded. What was paid stays yours.</p>`,
    ),
  );
}

export function cancelThisRequest(visit: MerchantVisit<'slug'>, outside: Outside): Promise<Going> {
  const { merchant, path, commit } = visit;
  return cancelRequest(outside, merchant.merchant_id, path.slug, ({ slug }, _, writes) => {
    const going = { goTo: requestAddress(slug), notice: 'The request is cancelled.' };
    return writes.length > 0
      ? commit(writes, going, { action: 'request cancel', about: slug })
      : Promise.resolve(going);
  });
}
