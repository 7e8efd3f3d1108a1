import { html } from 'hono/html';
import * as z from 'zod/mini';
import { shownMoney } from '../../../ghana/money.ts';
import { assignReceipt, requireReceipt } from '../../../money/receipt/assign-receipt.ts';
import { candidate } from '../../../money/receipt/candidates.ts';
import { isAssignable, type PaymentReceipt } from '../../../money/receipt/receipt.ts';
import { missingPesewas } from '../../../money/transaction/payment.ts';
import { getTransaction, type Transaction } from '../../../money/transaction/transaction.table.ts';
import { statusOf } from '../../../money/transaction/transaction.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import type { Html } from '../html.ts';
import { choice } from '../parts/field.ts';
import { type Filled, form } from '../parts/form.ts';
import { emptyState, facts, section } from '../parts/status.ts';
import { shownTime } from '../shown-time.ts';
import type { Going, MerchantVisit, Shown } from '../visit.ts';
import { withAudit } from '../with-audit.ts';
import { chargeAddress, chargeLink, heldAddress } from './addresses.ts';
import { statePill } from './charge-state.ts';
import { chargesTable } from './charges-table.ts';
import { compared } from './compare.ts';
import { findCharges } from './find-charges.ts';
import { readSearch } from './search.ts';

const PATH = '/held/{id}/give';

export const GiveForm = z.object({
  reference: z.string('must be the reference of a charge'),
  counts_as: z._default(z.enum(['part', 'full'], 'must be one of those listed'), 'full'),
});

/** The page that asks once more before a payment is given to a charge. */
export function giveAddress(receiptId: string, reference?: string): string {
  return `${heldAddress(receiptId)}/give${reference ? `?reference=${encodeURIComponent(reference)}` : ''}`;
}

/** A payment and the charge that was chosen for it, beside each other, and the second of the two taps. */
export async function showGive(visit: MerchantVisit<'id'>, outside: Outside): Promise<Shown> {
  const { merchant, path, query, refused } = visit;
  const receipt = await requireReceipt(outside, merchant.merchant_id, path.id);
  const typed = refused?.typed.reference ?? query.reference ?? '';
  const search = readSearch(typed);
  const reference = 'reference' in search ? search.reference : typed;
  const charge = await getTransaction(outside, reference, merchant.merchant_id);
  const title = 'Give the payment to this charge?';
  const back = html`<p><a href="${heldAddress(path.id)}">Back to the payment</a></p>`;
  if (!charge) return { title: 'Which charge is it for?', main: html`${await others(visit, outside, typed)}${back}` };
  if (!isAssignable(receipt))
    return {
      title,
      main: html`${emptyState('It is held no longer', 'This payment can be given to no charge now.')}${back}`,
    };
  return {
    title,
    main: html`${beside(outside, receipt, charge)}${confirmation(visit, outside, receipt, charge)}${back}`,
  };
}

/** The charges that somebody may mean who typed no reference: a customer's name or number, an order, an amount. */
async function others({ merchant, path }: MerchantVisit<'id'>, outside: Outside, typed: string): Promise<Html> {
  const queries = [{ q: typed }, ...(AMOUNT.test(typed) ? [{ amount: typed }] : [])];
  for (const query of typed === '' ? [] : queries) {
    const found = await findCharges(outside, merchant.merchant_id, query);
    if ('charges' in found && found.charges.length > 0)
      return chargesTable(outside, found.charges, (reference) => giveAddress(path.id, reference));
  }
  return emptyState(
    'No such charge',
    `Nothing is found for “${typed}”: type a customer’s name or number, an order number, an amount or a reference.`,
  );
}

const AMOUNT = /^\d{1,6}(\.\d{1,2})?$/;

function beside(outside: Outside, receipt: PaymentReceipt, charge: Transaction): Html {
  const due = missingPesewas(charge);
  return html`<div class="beside">${section(
    'The payment',
    facts([
      ['Amount', html`<span class="number">${shownMoney(receipt.amount_pesewas)}</span>`],
      ['From', receipt.payer_name],
      ['The payer typed', receipt.payer_reference],
      ['Arrived', shownTime(receipt.received_at)],
    ]),
  )}${section(
    'The charge',
    facts([
      ['Amount', html`<span class="number">${shownMoney(charge.amount_pesewas)}</span>`],
      [
        'Still due',
        due > 0 && due < charge.amount_pesewas ? html`<span class="number">${shownMoney(due)}</span>` : undefined,
      ],
      ['Customer', charge.customer_name],
      ['For', charge.description],
      ['Reference', chargeLink(charge.reference)],
      ['Created', shownTime(charge.created_at)],
      ['Status', statePill(outside, charge)],
    ]),
  )}</div>${section('How they compare', compared(outside, receipt, candidate(outside, receipt, charge)))}`;
}

function confirmation(
  visit: MerchantVisit<'id'>,
  outside: Outside,
  receipt: PaymentReceipt,
  charge: Transaction,
): Html {
  const amount = shownMoney(receipt.amount_pesewas);
  const left = missingPesewas(charge) - receipt.amount_pesewas;
  const mayBePart = left > 0 && statusOf(outside, charge) === 'pending';
  const submit = `Yes, give ${amount}`;
  return section(
    'Confirm',
    form(visit, { path: PATH, action: giveAddress(receipt.receipt_id), submit }, (filled) => [
      html`<input type="hidden" name="reference" value="${charge.reference}">`,
      html`<p>${mayBePart ? '' : 'The charge is then paid, and your server is told. '}A payment can be given once.</p>`,
      ...(mayBePart ? [countsAs(filled, left)] : []),
    ]),
  );
}

function countsAs(filled: Filled, left: number): Html {
  return choice(filled, {
    name: 'counts_as',
    label: 'The payment is less than what is due',
    value: 'part',
    options: [
      ['part', `A part of it: ${shownMoney(left)} stays due`],
      ['full', 'Enough: the charge is then paid'],
    ],
  });
}

/** @throws PublicError `not_found`, `receipt_not_held`, `charge_not_pending`. */
export async function givePayment(
  visit: MerchantVisit<'id', z.infer<typeof GiveForm>>,
  outside: Outside,
): Promise<Going> {
  const { merchant, path, form, commit } = visit;
  const { reference, counts_as } = form;
  const { charge, writes } = await assignReceipt(outside, merchant.merchant_id, path.id, {
    reference,
    as_part: counts_as === 'part',
  });
  const notice =
    missingPesewas(charge) > 0 && charge.state === 'pending'
      ? `Counted as a part: ${shownMoney(missingPesewas(charge))} is missing.`
      : 'The payment was given to this charge, which is paid.';
  const entry = { action: 'receipt assign', about: path.id, after: { reference, counts_as } };
  return commit(withAudit(outside, visit, writes, entry), { goTo: chargeAddress(reference), notice });
}
