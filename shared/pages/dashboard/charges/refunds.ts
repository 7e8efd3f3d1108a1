import { html } from 'hono/html';
import * as z from 'zod/mini';
import { shownMoney, wholeMoney } from '../../../ghana/money.ts';
import { networks } from '../../../ghana/network.ts';
import { shownNumber } from '../../../ghana/shown-number.ts';
import { fieldAmount, TypedAmount } from '../../../ghana/typed.ts';
import { may, type Rights } from '../../../merchants/user/permissions.ts';
import type { Charge } from '../../../money/charge/charge.table.ts';
import {
  isOpenRefund,
  paymentsOf,
  type Refund,
  refundablePesewas,
  unnotedPesewas,
} from '../../../money/payment/payment.ts';
import { type ShownPayment, shownOf, shownOne } from '../../../money/payment/shown-payment.ts';
import { closeRefundByHand, noteRefund } from '../../../money/refund/note-refund.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { PublicError } from '../../../runtime/values/errors.ts';
import { text } from '../../../runtime/values/text.ts';
import { chargeAddress } from '../parts/addresses.ts';
import { type Html, pill, quiet, section } from '../parts/content.ts';
import { field, foldedForm, form } from '../parts/form.ts';
import type { Going, MerchantVisit } from '../parts/visit.ts';

export const RefundForm = z.object({
  amount: TypedAmount,
  reason: z.optional(text(200)),
  /** Maximum refund that the form showed, in pesewas. */
  most: z.optional(z.coerce.number()),
});
export const CloseRefundForm = z.object({
  outcome: z.enum(['sent', 'withdrawn'], 'must be one of the options listed'),
});

/** Names the refund's section in links to it on the page. */
export const REFUND_ID = 'refund';

/** Says that too much was paid and, to people who may, where to record it as a refund. */
export function tooMuch(user: Rights, { amountText, doubt }: ShownPayment, bill: Charge | undefined): Html {
  const to = bill && may(user, 'refunds:write') && `${chargeAddress(bill.reference)}#${REFUND_ID}`;
  return html`${amountText} is too much${to && html`. ${doubt && 'After the check, '}<a href="${to}">${doubt ? 'refund' : 'Refund'} it on its bill</a>.`}`;
}

export function refundSection(visit: MerchantVisit<'reference'>, charge: Charge): Html | string {
  const refunds = charge.refunds ?? [];
  const left = shownOf(charge, refundablePesewas(charge));
  const mayNote = charge.state === 'success' && left.pesewas > 0;
  if (!mayNote && refunds.length === 0) return '';
  const hasOpen = refunds.some(isOpenRefund);
  const about = aboutRefund(charge, left);
  const usual = unnotedPesewas(charge) || left.pesewas;
  const record = mayNote ? noteForm(visit, left, { about: hasOpen ? '' : about, usual }) : html``;
  if (refunds.length === 0) return html`<div id="${REFUND_ID}">${record}</div>`;
  // In doubt, the check comes before the amount.
  const [first] = left.doubt ? [] : refunds.filter(isOpenRefund);
  const recorded = refunds.map((refund) => refundOf(visit, refund, { left, about: refund === first && about }));
  const check = hasOpen && left.doubt ? [about] : [];
  return html`<div id="${REFUND_ID}">${(hasOpen ? section : quiet)('Refund', [...check, ...recorded, record])}</div>`;
}

/** Says whom to refund or, in doubt, only to check the wallet. */
function aboutRefund(charge: Charge, { doubt }: ShownPayment): Html {
  const payments = paymentsOf(charge);
  const { customer_phone } = charge;
  const isKnown = payments.every(({ payer_phone }) => payer_phone !== undefined);
  return html`${doubt && html`<p><b>${doubt.lookFirst}</b></p><p class="hint">A refund of this payment is not added to any day’s total.</p>`}
<ul class="payers" role="list">${payments.map((payment) => {
    const { payer_name, payer_phone, network, marked } = payment;
    if (marked?.how === 'cash') return html`<li>In cash${payer_name && html` by <b>${payer_name}</b>`}</li>`;
    return html`<li>${doubt ? 'Its text names' : 'Send it to'} <b>${payer_name ?? 'a payer whose name is no longer known'}</b>, ${payer_phone ? html`<b class="number">${shownNumber(payer_phone)}</b>` : 'number unknown'} (${networks[network].name})${payments.length > 1 && html`, who paid ${shownOne(charge, payment).amountText}`}</li>`;
  })}</ul>
${!isKnown && html`<p class="hint">The text does not show the number. Ask the customer which wallet they paid from. Check the name before you confirm.${customer_phone && html` The phone number on this bill is <span class="number">${shownNumber(customer_phone)}</span>.`}</p>`}`;
}

const STATES = {
  noted: pill('waiting', 'To be sent by you'),
  sent: pill('plain', 'Sent'),
  withdrawn: pill('plain', 'Withdrawn'),
} as const;

interface About {
  readonly left: ShownPayment;
  readonly about: Html | false;
}

function refundOf(visit: MerchantVisit<'reference'>, refund: Refund, { left: { doubt }, about }: About): Html {
  const { refund_id, amount_pesewas, reason, state, closed_by } = refund;
  const isVerified = state === 'sent' && closed_by === 'wallet';
  const facts = { path: '/{reference}/refund/{refund_id}/close', ids: { refund_id }, isSmall: true };
  const close = (outcome: z.infer<typeof CloseRefundForm>['outcome'], submit: string) =>
    form(visit, { ...facts, submit, carries: { outcome } });
  return html`<div class="refund"><p><b class="number">${shownMoney(amount_pesewas)}</b> ${isVerified ? pill('good', 'Sent') : STATES[state]}${reason && html`<br><span class="hint">${reason}</span>`}</p>
${about}
${state === 'noted' && html`${!doubt && html`<p class="hint">Send it from your MoMo, then press “I have sent it”. A verified text about it does the same.</p>`}<div class="actions">${close('sent', 'I have sent it')}${close('withdrawn', 'I will not send it')}</div>`}</div>`;
}

interface Noting {
  readonly about: Html | '';
  /** The excess or, if there is none, everything that can be refunded. */
  readonly usual: number;
}

function noteForm(
  visit: MerchantVisit<'reference'>,
  { amountText, doubt, pesewas }: ShownPayment,
  { about, usual }: Noting,
): Html {
  const facts = { path: '/{reference}/refund', submit: 'Record it', carries: { most: String(pesewas) } };
  return foldedForm(visit, 'Record a refund', facts, [
    about,
    html`${!doubt && html`<p class="hint">Momo Kiosk does not hold money. Send the refund from your wallet. This note keeps track of it.</p>`}`,
    field('amount', 'Amount', {
      value: fieldAmount(usual),
      inputMode: 'decimal',
      isRequired: true,
      hint: `At most ${amountText}.`,
    }),
    field('reason', 'Why', { maxLength: 200 }),
  ]);
}

export function writeRefund(visit: MerchantVisit<'reference', typeof RefundForm>, outside: Outside): Promise<Going> {
  const { merchant, path, form, commit } = visit;
  const { amount, reason, most = 0 } = form;
  return noteRefund(outside, merchant.merchant_id, { ...path, amount, reason }, (charge, writes) => {
    const amount_pesewas = charge.refunds?.at(-1)?.amount_pesewas ?? 0;
    // A payment may have left the bill since, for example because the network reversed it.
    if (refundablePesewas(charge) + amount_pesewas < most)
      throw new PublicError(
        'nothing_to_refund',
        'Less of this bill can be refunded than the form showed. Check it again before you send any money.',
      );
    const { advise } = shownOf(charge, refundablePesewas(charge));
    const notice = `Recorded. ${advise(`Send ${wholeMoney(amount_pesewas)} from your wallet to the customer.`)}`;
    const entry = { action: 'refund note', about: charge.reference, after: { amount_pesewas } };
    return commit(writes, { goTo: chargeAddress(charge.reference), notice }, entry);
  });
}

export function closeRefund(visit: MerchantVisit<'reference' | 'refund_id', typeof CloseRefundForm>, outside: Outside) {
  const { merchant, path, form, commit } = visit;
  const { outcome } = form;
  const entry = { action: 'refund close', about: path.reference, after: { refund_id: path.refund_id, outcome } };
  const notice = outcome === 'sent' ? 'The refund was sent.' : 'The refund was withdrawn.';
  return closeRefundByHand(outside, merchant.merchant_id, { ...form, ...path }, ({ reference }, writes) =>
    commit(writes, { goTo: chargeAddress(reference), notice }, entry),
  );
}
