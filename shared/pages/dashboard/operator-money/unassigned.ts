import { html } from 'hono/html';
import * as z from 'zod/mini';
import { shownMoney } from '../../../ghana/money.ts';
import { networks } from '../../../ghana/network.ts';
import { shownNumber } from '../../../ghana/shown-number.ts';
import { getMerchantOrTestAccount } from '../../../merchants/merchant/merchant.table.ts';
import type { Merchant } from '../../../merchants/merchant/merchant.ts';
import { type Charge, chargeRows } from '../../../money/charge/charge.table.ts';
import { shownReceipt } from '../../../money/payment/shown-payment.ts';
import { listReceipts, receiptRows } from '../../../money/receipt/receipt.table.ts';
import { isAssignable, isUnseen, type PaymentReceipt, type Receipt } from '../../../money/receipt/receipt.ts';
import { sampleOfText } from '../../../money/receipt/sample-of-text.ts';
import { payByHand, prepareAssignment } from '../../../money/settling/assign-receipt.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { NoSuch } from '../../../runtime/values/no-such.ts';
import { statePill } from '../charges/charge-state.ts';
import { heldWords } from '../charges/held-words.ts';
import { carriesOfReceipt, giveWords, LookAtReceiptForm } from '../charges/look.ts';
import { chargeAfter, releasedGoodsText } from '../charges/released-goods.ts';
import { UNASSIGNED, UNREAD } from '../parts/addresses.ts';
import {
  arrived,
  copyable,
  emptyState,
  facts,
  type Html,
  pill,
  section,
  shortened,
  shownTime,
} from '../parts/content.ts';
import { form } from '../parts/form.ts';
import { type Columns, listPage } from '../parts/list.ts';
import type { PersonVisit, Shown } from '../parts/visit.ts';

const MAX_SHOWN_CHARACTERS = 120;

export function showUnassigned(visit: PersonVisit, outside: Outside): Promise<Shown> {
  return show(visit, outside, 'held', {
    title: 'Unassigned payments',
    columns: {
      Payer: ({ payer_name }) => payer_name ?? 'Not named',
      'Paid on': ({ momo_number }) => (momo_number ? shownNumber(momo_number) : 'Not known'),
      When: ({ received_at }) => shownTime(received_at),
      Why: (receipt) => {
        const { tone, label } = heldWords(receipt);
        return pill(tone, label);
      },
      Amount: { figure: (receipt) => arrived(shownReceipt(receipt)) },
    },
    nothing: emptyState(
      'No unassigned payments',
      'Payments to an unknown number, or to a number with no merchant or several, appear here.',
    ),
  });
}

export function showUnread(visit: PersonVisit, outside: Outside): Promise<Shown> {
  return show(visit, outside, 'unread', {
    title: 'Unread texts',
    columns: {
      Text: ({ text = '' }) => shortened(text, MAX_SHOWN_CHARACTERS),
      From: ({ sender = 'Not known' }) => sender,
      When: ({ received_at }) => shownTime(received_at),
    },
    nothing: emptyState('No unread texts', 'Network texts that this version cannot read appear here for 30 days.'),
  });
}

function show(
  visit: PersonVisit,
  outside: Outside,
  state: 'held' | 'unread',
  list: { readonly title: string; readonly columns: Columns<Receipt>; readonly nothing: Html },
): Promise<Shown> {
  return listPage(visit, {
    ...list,
    perPage: 25,
    read: async (page) => {
      const { receipts, next } = await listReceipts(outside, undefined, state, page);
      return { entries: receipts.filter(isUnseen), next };
    },
    href: ({ receipt_id }) => `${UNASSIGNED}/${encodeURIComponent(receipt_id)}`,
  });
}

export const AssignForm = z.object({
  reference: z.string().check(z.maxLength(64)),
  ...LookAtReceiptForm.shape,
});

export async function showReceipt(visit: PersonVisit<'id'>, outside: Outside): Promise<Shown> {
  const receipt = await unassigned(visit, outside);
  const { state, sender, text, received_at } = receipt;
  const isUnread = state === 'unread';
  return {
    title: isUnread ? 'An unread text' : shownReceipt(receipt).amountText,
    ...(isUnread && { back: { name: 'Unread', path: UNREAD } }),
    main: html`${!isUnread && payment(receipt)}
${!isUnread && isAssignable(receipt) && (await assigning(visit, outside, receipt))}
${section('The text', [
  facts([
    ['From', sender ?? 'Not known'],
    ['When', shownTime(received_at)],
  ]),
  html`<p class="words">${text ?? 'Not kept.'}</p>`,
])}
${
  text &&
  section('A sample that you can share', [
    html`<p>Names, numbers, IDs and amounts have been replaced with made-up ones. Check the sample before you paste it into an issue.</p>
<p>${copyable(sampleOfText(text), 'sample')}</p>`,
  ])
}`,
  };
}

function payment(receipt: Receipt) {
  const { tone, label, explanation } = heldWords(receipt);
  const { payer_name, payer_phone, payer_reference, momo_number, network, transaction_id } = receipt;
  return section('The payment', [
    html`<p>${pill(tone, label)} ${explanation}</p>`,
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

/** Renders the confirmation before a payment is assigned to a charge. */
async function assigning(visit: PersonVisit<'id'>, outside: Outside, receipt: PaymentReceipt): Promise<Html> {
  const reference = (visit.refused?.typed.reference ?? visit.query.reference ?? '').trim();
  const charge = reference === '' ? undefined : await chargeRows.find(outside, { reference });
  const merchant = charge && (await getMerchantOrTestAccount(outside, charge.merchant_id));
  if (charge && merchant) return confirmation(visit, outside, receipt, { charge, merchant });
  const address = `${UNASSIGNED}/${encodeURIComponent(receipt.receipt_id)}`;
  const value = reference || receipt.suggested_reference;
  return section('Whose is it?', [
    html`${reference !== '' && html`<p class="fault" role="alert">There is no charge ${reference}.</p>`}`,
    html`<form method="get" action="${address}"><p class="field"><label for="reference">Reference of the charge</label><input id="reference" name="reference" value="${value}" autocomplete="off" required aria-describedby="reference-hint"><span class="hint" id="reference-hint">MK- and ten digits.</span></p><button class="plain button">Find it</button></form>`,
  ]);
}

async function confirmation(
  visit: PersonVisit<'id'>,
  outside: Outside,
  receipt: PaymentReceipt,
  { charge, merchant }: { readonly charge: Charge; readonly merchant: Merchant },
): Promise<Html> {
  const by = visit.user.user_id;
  const look = { by, ...carriesOfReceipt(receipt) };
  const after = await chargeAfter(payByHand(outside, receipt, charge, { look }));
  const { reference, amount_pesewas, customer_name } = charge;
  const { warning, carries, submit } = giveWords(receipt);
  const place = { path: '/unassigned/{id}/assign', submit, carries: { reference, ...carries } };
  return section('Assign it to this charge?', [
    facts([
      ['Reference', reference],
      ['Merchant', merchant.name],
      ['Amount', shownMoney(amount_pesewas)],
      ['Customer', customer_name],
      ['State', statePill(outside, charge)],
    ]),
    form(visit, place, [
      warning,
      html`<p>${charge.state !== 'success' && 'This charge will count as paid in full, whatever the payment’s amount. '}${releasedGoodsText(outside, by, { charge, after, merchant })}</p>`,
    ]),
  ]);
}

export async function assignReceipt(
  { path, user, form, commit }: PersonVisit<'id', typeof AssignForm>,
  outside: Outside,
) {
  const reference = form.reference.trim();
  const look = { by: user.user_id, shown: form.shown, doubts: form.doubts };
  const { writes, entry } = await prepareAssignment(outside, path.id, reference, look);
  return commit(writes, { goTo: UNASSIGNED, notice: `The payment was assigned to ${reference}.` }, entry);
}

/** @throws NoSuch if the receipt belongs to a merchant. */
async function unassigned({ path }: Pick<PersonVisit<'id'>, 'path'>, outside: Outside): Promise<Receipt> {
  const receipt = await receiptRows.find(outside, { receipt_id: path.id });
  if (!receipt || receipt.merchant_id !== undefined)
    throw new NoSuch('receipt', `No unassigned receipt has the id ${path.id}.`);
  return receipt;
}
