import { html } from 'hono/html';
import { networks } from '../../../ghana/network.ts';
import { wholeNumber } from '../../../ghana/shown-number.ts';
import { namesOf } from '../../../merchants/user/user.table.ts';
import { type Charge, requireCharge } from '../../../money/charge/charge.table.ts';
import { claimTries } from '../../../money/claims/claim.table.ts';
import { paymentsOf } from '../../../money/payment/payment.ts';
import { shownReceipt } from '../../../money/payment/shown-payment.ts';
import { endedPartsOf, withParts } from '../../../money/receipt/ended-parts.ts';
import { getReceipts } from '../../../money/receipt/receipt.table.ts';
import type { Receipt } from '../../../money/receipt/receipt.ts';
import { receiptFor } from '../../../money/receipt/shown-receipt.ts';
import { nowIso, type Outside } from '../../../runtime/outside/outside.ts';
import { counted } from '../../../runtime/values/counted.ts';
import { detailsOf, happeningsOf, heldFor, summary } from '../charges/charge-story.ts';
import { heldWords, proofWords } from '../charges/held-words.ts';
import { readerOf } from '../charges/reader.ts';
import { chargeAddress } from '../parts/addresses.ts';
import { arrived, facts, type Html, section, shownTime, timeline } from '../parts/content.ts';
import { printable } from '../parts/print.ts';
import type { MerchantVisit, Shown } from '../parts/visit.ts';

/**
 * Renders a printable case file for the network's support: the order, its events and receipts. Hides balances from
 * people who may not see them.
 */
export async function showCaseFile(visit: MerchantVisit<'reference'>, outside: Outside): Promise<Shown> {
  const { merchant, user, path } = visit;
  const charge = await requireCharge(outside, path.reference, merchant.merchant_id);
  const reader = readerOf(user);
  const [ended, receipts, held, claims, names] = await Promise.all([
    endedPartsOf(outside, charge),
    receiptsOf(outside, charge),
    heldFor(outside, charge),
    claimTries(outside, charge.reference),
    namesOf(
      outside,
      (charge.notes ?? []).map(({ by }) => by),
    ),
  ]);
  const known = new Set(receipts.map(({ receipt_id }) => receipt_id));
  const all = [...receipts, ...held.filter(({ receipt_id }) => !known.has(receipt_id))]
    .map((receipt) => receiptFor(reader, receipt))
    .toSorted((one, other) => one.received_at.localeCompare(other.received_at));
  const main = html`${summary(outside, charge, ended)}
${section('The order', detailsOf(charge))}
${section('What happened', timeline(happeningsOf(outside, withParts(charge, ended), { held, names, reader })))}
${section(all.some((one) => shownReceipt(one).doubt) ? 'The texts that arrived' : 'The network’s texts', all.length > 0 ? all.map(textOf) : html`<p>No text about this bill arrived.</p>`)}
${section('Claims', html`<p>${claimsIn(claims)}</p>`)}
<p class="hint">Created by ${user.name} at ${merchant.name}, ${shownTime(nowIso(outside))}.</p>
${printable()}`;
  const back = { name: 'The bill', path: chargeAddress(charge.reference) };
  return { title: `Evidence for ${charge.reference}`, back, main };
}

/** Returns the stored receipts of the charge, including later payments. */
async function receiptsOf(outside: Outside, charge: Charge): Promise<Receipt[]> {
  const ids = [...paymentsOf(charge).map(({ receipt_id }) => receipt_id), ...(charge.second_receipts ?? [])];
  const found = await getReceipts(outside, ids);
  return found.filter(({ merchant_id }) => merchant_id === charge.merchant_id);
}

function textOf(receipt: Receipt): Html {
  const { state, reference, network, momo_number, amount_pesewas, payer_name, payer_phone, sender } = receipt;
  return html`<div class="case-text">${facts([
    ['Arrived', shownTime(receipt.received_at)],
    ['Sender', sender],
    ['To', network && `${networks[network].name}${momo_number ? `, ${wholeNumber(momo_number)}` : ''}`],
    ['Amount', amount_pesewas === undefined ? undefined : arrived(shownReceipt(receipt))],
    ['Transaction ID', receipt.transaction_id],
    ['From', payer_name && `${payer_name}${payer_phone ? `, ${wholeNumber(payer_phone)}` : ''}`],
    ['The payer typed', receipt.payer_reference],
    ['Matched to', state === 'matched' ? reference : `no bill: ${heldWords(receipt).label}`],
    ['Verified', proofWords(receipt)],
  ])}${receipt.text && html`<p class="words">${receipt.text}</p>`}</div>`;
}

function claimsIn(tries: number | undefined): string {
  if (tries === undefined) return 'None in the last eight days. See above how the bill’s payment was recognised.';
  return `The customer tried ${counted(tries, 'time')} in the last eight days to claim a payment.`;
}
