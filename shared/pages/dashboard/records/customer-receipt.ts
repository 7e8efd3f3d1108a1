import { html } from 'hono/html';
import { shownMoney } from '../../../ghana/money.ts';
import { isTestAccount } from '../../../merchants/merchant/test-account.ts';
import { requireCharge } from '../../../money/charge/charge.table.ts';
import { paymentsOf } from '../../../money/payment/payment.ts';
import { shownPaid } from '../../../money/payment/shown-payment.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { receiptPath } from '../../checkout/checkout-view.ts';
import { receiptFacts } from '../../checkout/receipt-facts.ts';
import { sharedWords } from '../../words/words.ts';
import { mayOpenPage, readerOf } from '../charges/reader.ts';
import { chargeAddress, textAddress } from '../parts/addresses.ts';
import { copyable, doubtPill, emptyState, facts, section, shareButton } from '../parts/content.ts';
import { printable } from '../parts/print.ts';
import type { MerchantVisit, Shown } from '../parts/visit.ts';
import { shownContact } from '../settings/contact.ts';

export async function showReceipt(visit: MerchantVisit<'reference'>, outside: Outside): Promise<Shown> {
  const { merchant, user, path } = visit;
  const charge = await requireCharge(outside, path.reference, merchant.merchant_id);
  const receipt = receiptFacts(charge, readerOf(user));
  const back = { name: 'The bill', path: chargeAddress(charge.reference) };
  if (!receipt)
    return { title: 'Receipt', back, main: emptyState('Not paid yet', 'A bill has a receipt only once it is paid.') };
  const url = `${outside.baseUrl}${receiptPath(charge.access_code)}`;
  const payers = [...new Set(paymentsOf(charge).flatMap(({ payer_name }) => payer_name ?? []))];
  const { receipt_send_id } = charge;
  const pill = charge.state === 'success' && doubtPill(shownPaid(charge));
  const isVerified = charge.state === 'success' && !pill;
  const name = `Receipt of ${charge.merchant_name}, ${shownMoney(charge.amount_pesewas)}`;
  const message = `${isTestAccount(charge.merchant_id) ? sharedWords.testTitle(name) : name}: ${url}`;
  const forCustomer = [
    ...(mayOpenPage(user, charge)
      ? [
          html`<p class="hint">The page behind this link does not say who paid.</p>${copyable(url, 'link')}${isVerified && html`<p class="actions">${shareButton(message)}</p>`}`,
        ]
      : []),
    ...(receipt_send_id
      ? [html`<p><a href="${textAddress(receipt_send_id)}">The receipt was sent as a text</a></p>`]
      : []),
  ];
  const main = html`<section>${pill && html`<p class="unprinted">${pill}</p>`}${receipt.but.map((sentence) => html`<p><b>${sentence}</b></p>`)}
${facts([...receipt.lines, ['Paid by', payers.join(', ')], ['Questions', shownContact(charge.merchant_contact)]])}</section>
${forCustomer.length > 0 && html`<div class="unprinted">${section('For the customer', forCustomer)}</div>`}
${printable()}`;
  return { title: charge.state === 'reversed' ? 'Payment reversed' : 'Receipt', back, main };
}
