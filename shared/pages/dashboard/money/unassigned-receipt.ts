import { html } from 'hono/html';
import * as z from 'zod/mini';
import { shownMoney } from '../../../ghana/money.ts';
import { networks } from '../../../ghana/network.ts';
import { shownNumber } from '../../../ghana/shown-number.ts';
import { assignUnassignedReceipt } from '../../../money/receipt/assign-receipt.ts';
import { getReceipt } from '../../../money/receipt/receipt.table.ts';
import { isAssignable, type Receipt } from '../../../money/receipt/receipt.ts';
import { sampleOfText } from '../../../money/receipt/sample-of-text.ts';
import { findTransaction } from '../../../money/transaction/transaction.table.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { PublicError } from '../../../runtime/values/errors.ts';
import { NoSuch } from '../../../runtime/values/no-such.ts';
import { heldWords } from '../charges/held-words.ts';
import { field } from '../parts/field.ts';
import { form } from '../parts/form.ts';
import { copyable, facts, pill, section } from '../parts/status.ts';
import { shownTime } from '../shown-time.ts';
import type { Going, PersonVisit, Shown } from '../visit.ts';
import { writesOnce } from '../writes-once.ts';
import { UNASSIGNED, UNREAD } from './tabs.ts';

export const AssignForm = z.object({ reference: z.string().check(z.maxLength(64)) });

/** A payment that is nobody's, to be given to a charge; or a text that nobody can read, to be shown to who can. */
export async function showReceipt(visit: PersonVisit<'id'>, outside: Outside): Promise<Shown> {
  const receipt = await unassigned(visit, outside);
  const { state, sender, text, received_at } = receipt;
  const isUnread = state === 'unread';
  return {
    title: isUnread ? 'An unread text' : shownMoney(receipt.amount_pesewas ?? 0),
    main: html`${!isUnread && payment(receipt)}
${!isUnread && isAssignable(receipt) && assigning(visit, receipt)}
${section('The text', [
  facts([
    ['From', sender ?? 'Not known'],
    ['When', shownTime(received_at)],
  ]),
  html`<p class="words">${text ?? 'Not kept.'}</p>`,
])}
${
  text &&
  section('A sample to show to others', [
    html`<p>Names, numbers, ids and amounts are invented, in the same shape. Read it once before you paste it into an issue.</p>
<p>${copyable(sampleOfText(text), 'sample')}</p>`,
  ])
}
<p><a href="${isUnread ? UNREAD : UNASSIGNED}">${isUnread ? 'All unread texts' : 'All unassigned payments'}</a></p>`,
  };
}

function payment(receipt: Receipt) {
  const { tone, word, why } = heldWords(receipt);
  const { payer_name, payer_phone, payer_reference, momo_number, network, transaction_id } = receipt;
  return section('The payment', [
    html`<p>${pill(tone, word)} ${why}</p>`,
    facts([
      ['Payer', payer_name],
      ['Paid from', payer_phone && shownNumber(payer_phone)],
      ['They typed', payer_reference],
      ['Paid on', momo_number ? shownNumber(momo_number) : 'Not known'],
      ['Network', network && networks[network].name],
      ['Transaction ID', transaction_id],
    ]),
  ]);
}

function assigning(visit: PersonVisit<'id'>, { receipt_id, suggested_reference }: Receipt) {
  const action = `${UNASSIGNED}/${encodeURIComponent(receipt_id)}/assign`;
  return section('Whose is it?', [
    html`<p>It pays the charge that you name, whatever its amount, once. Its merchant sees it then.</p>`,
    form(visit, { path: '/unassigned/{id}/assign', action, submit: 'Give it to this charge' }, (filled) =>
      field(filled, {
        name: 'reference',
        label: 'Reference of the charge',
        value: suggested_reference,
        hint: 'MK- and ten digits.',
        isRequired: true,
      }),
    ),
  ]);
}

export async function assignReceipt(
  visit: PersonVisit<'id', z.infer<typeof AssignForm>>,
  outside: Outside,
): Promise<Going> {
  const { receipt_id } = await unassigned(visit, outside);
  const reference = visit.form.reference.trim();
  // It is the merchant whose charge is paid that sees it.
  const merchant_id = (await findTransaction(outside, reference))?.merchant_id;
  if (!merchant_id) throw new PublicError('invalid_request', `There is no charge ${reference}.`);
  const going = { goTo: UNASSIGNED, notice: `The payment was given to ${reference}.` };
  const entry = {
    merchant_id,
    by: visit.user.user_id,
    action: 'receipt assign',
    about: receipt_id,
    after: { reference },
  };
  await assignUnassignedReceipt(writesOnce(outside, visit, going, entry), receipt_id, reference);
  return going;
}

/** @throws NoSuch for a receipt that is some merchant's: that is the merchant's to see. */
async function unassigned({ path }: Pick<PersonVisit<'id'>, 'path'>, outside: Outside): Promise<Receipt> {
  const receipt = await getReceipt(outside, path.id);
  if (!receipt || receipt.merchant_id !== undefined)
    throw new NoSuch('receipt', `No unassigned receipt has the id ${path.id}.`);
  return receipt;
}
