import { html } from 'hono/html';
import { shownAmount, shownMoney } from '../../../ghana/money.ts';
import { shownNumber } from '../../../ghana/shown-number.ts';
import { may } from '../../../merchants/user/permissions.ts';
import { cancelRequest } from '../../../money/request/make-request.ts';
import { type PaymentRequest, requireRequest } from '../../../money/request/request.table.ts';
import { requestUrl } from '../../../money/request/request-url.ts';
import { withPaid } from '../../../money/request/schedule.ts';
import { readSums, type Sums, stateOf } from '../../../money/request/sums.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { chargeAddress, REQUESTS, requestAddress, textAddress } from '../addresses.ts';
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
  return {
    title: request.title,
    main: html`<p>${statePill(outside, request, sums)}</p>
<p>${copyable(url, 'address')}</p>
<p class="actions"><a class="plain button" href="${url}">Open it</a><a class="plain button" href="${whatsApp(request, merchant.name, url, sums)}" rel="noreferrer">Send by WhatsApp</a></p>
${tiles(
  tile('Paid', shownMoney(sums.paidPesewas), { hint: `of ${shownMoney(request.total_pesewas)}` }),
  tile('Open', shownMoney(sums.openPesewas)),
  ...(sums.overpaidPesewas > 0
    ? [tile('Paid too much', shownMoney(sums.overpaidPesewas), { isUrgent: true, hint: 'Send it back.' })]
    : []),
)}
${facts([
  ['Customer', request.customer_name],
  ['Number', request.customer_phone && shownNumber(request.customer_phone)],
  ['More about it', request.note],
  ['Your own number', request.merchant_reference],
  ['Reminders', remindersOf(request)],
  ['Last reminder', lastReminder(request)],
  ['Made', shownTime(request.created_at)],
  ['Found paid', request.paid_at && shownTime(request.paid_at)],
  ['Cancelled', request.cancelled_at && shownTime(request.cancelled_at)],
])}
${section('What for', linesOf(request))}
${request.instalments[0]?.due === undefined ? html`` : section('Days', instalmentsOf(request, sums))}
${section('Charges', chargesOf(sums))}
${may(user, 'charges:write') && stateOf(request, sums) === 'open' ? cancelForm(visit) : html``}
<p><a href="${REQUESTS}">All payment requests</a></p>`,
  };
}

function remindersOf({ reminder_days }: PaymentRequest): string | undefined {
  return reminder_days && shownReminderDays(reminder_days);
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
