import { html } from 'hono/html';
import { may } from '../../../merchants/user/permissions.ts';
import type { Charge } from '../../../money/charge/charge.table.ts';
import { namesCharge } from '../../../money/matching/typed-reference.ts';
import {
  COUNT_FIRST,
  cautionOfSecond,
  type HeldPart,
  LOOK_FIRST,
  shownHeld,
  shownReceipt,
} from '../../../money/payment/shown-payment.ts';
import { billsOf } from '../../../money/receipt/paid-as.ts';
import { OWED } from '../../../money/receipt/receipt.table.ts';
import {
  isAssignable,
  isUndecidedText,
  listOf,
  looksLikeAnother,
  type Receipt,
} from '../../../money/receipt/receipt.ts';
import { lastDigits, receiptFor } from '../../../money/receipt/shown-receipt.ts';
import { acceptsHeld } from '../../../money/settling/assign-receipt.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { counted } from '../../../runtime/values/counted.ts';
import { chargeLink, giveAddress, heldAddress } from '../parts/addresses.ts';
import { ago, type Html, notice, pill, proofPill, typedWords } from '../parts/content.ts';
import { actionOf } from '../parts/title.ts';
import type { MerchantVisit } from '../parts/visit.ts';
import { seeTexts, trueBalance } from '../parts/wallet-pill.ts';
import { decisionForms } from './aside.ts';
import { heldWords, onlyNeedsBill } from './held-words.ts';
import { readerOf } from './reader.ts';

/** True for an unverified payment that a wallet may show. */
function isForWallet(receipt: Receipt): receipt is Receipt & HeldPart {
  const isOther = receipt.marked?.how === 'cash' || receipt.reason === 'checking';
  const isWaiting = listOf(receipt) === 'held';
  const isPayment = receipt.momo_number !== undefined && receipt.amount_pesewas !== undefined;
  return isWaiting && shownReceipt(receipt).doubt !== undefined && !isOther && isPayment;
}

/** True if the warning above the list says everything about the payment. A contradicted one has another of its own. */
function isWarnedAbove(receipt: Receipt): boolean {
  return isForWallet(receipt) && shownReceipt(receipt).backing !== 'contradicted';
}

/** Renders one warning for each wallet with unverified payments. */
function warnings({ user }: MerchantVisit, receipts: readonly Receipt[], hasMore: boolean): Html {
  const unverified = [...Map.groupBy(receipts.filter(isForWallet), ({ momo_number = '' }) => momo_number)];
  const byWallet = unverified.filter(([, ofWallet]) => ofWallet.some(isWarnedAbove));
  return html`${byWallet.map(([momo_number, receipts]) => {
    const network = receipts[0]?.network;
    const { amount } = shownHeld(receipts);
    const count = `${counted(receipts.length, 'payment')}${hasMore ? ' on this page' : ''}`;
    return notice(
      'look',
      html`<b>${count}, <span class="number">${amount}</span>, not verified</b><br>
<b>${LOOK_FIRST}</b> ${network && trueBalance({ network, momo_number })}${may(user, 'balances:read') && html`<br>${seeTexts(momo_number)}`}`,
    );
  })}`;
}

/** Renders payments and texts, below one warning for each wallet with unverified payments that wait for a decision. */
export async function heldCards(
  visit: MerchantVisit,
  outside: Outside,
  receipts: readonly Receipt[],
  hasMore = false,
): Promise<Html> {
  const bills = await billsOf(outside, receipts);
  const cards = receipts.map((receipt) =>
    heldCard(visit, outside, receipt, {
      bill: bills.get(receipt.suggested_reference),
      isWarned: isWarnedAbove(receipt),
      isAlike: looksLikeAnother(receipt, receipts),
    }),
  );
  return html`${warnings(visit, receipts, hasMore)}<ul class="cards-list" role="list">${cards}</ul>`;
}

interface Card {
  /** The charge that the payment was meant for. */
  readonly bill: Charge | undefined;
  /** True if a warning above the list covers the payment. */
  readonly isWarned: boolean;
  /** True if the list has another payment with the same amount and payer. */
  readonly isAlike: boolean;
}

function heldCard(visit: MerchantVisit, outside: Outside, held: Receipt, { bill, isWarned, isAlike }: Card): Html {
  const { user } = visit;
  const receipt = receiptFor(readerOf(user), held);
  const { receipt_id, received_at, state, suggested_reference: named, payer_reference, transaction_id } = receipt;
  const address = heldAddress(receipt_id);
  if (state === 'unread')
    return html`<li class="card"><p class="head-line"><a href="${address}">Text from ${receipt.sender ?? 'the network'}</a><span class="hint">${ago(outside, received_at)}</span>${receipt.set_aside && pill('plain', 'Not a payment')}${receipt.reference && pill('good', 'Marked as paid')}</p><p class="words">${receipt.text}</p>
${may(user, 'receipts:assign') && isUndecidedText(receipt) && html`<p class="actions"><a class="plain button" href="${address}/mark">Mark a bill as paid</a></p>`}</li>`;
  const { tone, label, explanation } = heldWords(receipt);
  const { set_aside } = receipt;
  const shown = shownReceipt(receipt);
  const lookFirst = warningOf(receipt, bill);
  const isPayable = isAssignable(held) && bill !== undefined && acceptsHeld(outside, bill, held);
  const isNamed = bill !== undefined && namesCharge(payer_reference ?? null, bill);
  const isCertain = isPayable && isNamed && !UNSURE.has(receipt.reason);
  const meant =
    named !== undefined && (isPayable || receipt.reason === 'already_paid')
      ? html`${isNamed ? 'Typed' : 'May be for'}\u00a0${chargeLink(named)}`
      : payer_reference && html`Typed\u00a0${typedWords(payer_reference)}`;
  const isUsual = receipt.reason === 'no_charge';
  const why = set_aside
    ? (set_aside.why ??
      (set_aside.sent_back ? 'The money was sent back to the payer.' : 'This payment is not for a bill.'))
    : !isWarned && !isUsual && explanation;
  const badge = set_aside ? set_aside.sent_back && pill('plain', 'Sent back') : !isUsual && pill(tone, label);
  const id = isAlike && transaction_id && html`<span>ID\u00a0${lastDigits(transaction_id)}</span>`;
  const texts = textsOf(visit, receipt);
  const check = !set_aside && nextStep(visit, receipt, isCertain);
  // The same line as at a till.
  return html`<li class="card"><div class="payment-line"><a href="${address}"><b class="number">${shown.amount}</b>${receipt.payer_name && html`<span class="unseen"> from ${receipt.payer_name}</span>`}</a><span class="hint">${ago(outside, received_at)}</span><span class="payment-payer">${receipt.payer_name}</span><span class="pills">${proofPill(shown)}${badge}</span>${check}</div>
${(meant || id) && html`<p class="hint">${meant}${meant && id && ' · '}${id}</p>`}
${why && html`<p>${why}</p>`}
${!set_aside && !isWarned && lookFirst && notice('look', html`<b>${lookFirst}</b>${texts && html`<br>${texts}`}`)}
${!set_aside && decisions(visit, receipt)}</li>`;
}

/** Links to the texts of the wallet on which an unverified payment arrived. */
export function textsOf({ user }: Pick<MerchantVisit, 'user'>, receipt: Receipt): Html | false {
  const { momo_number } = receipt;
  const isShown = shownReceipt(receipt).doubt !== undefined && may(user, 'balances:read');
  return isShown && momo_number !== undefined && seeTexts(momo_number);
}

/** Says what to check before anything else. The payment that paid the bill may be forged, too. */
function warningOf(receipt: Receipt, bill: Charge | undefined): string | undefined {
  const { backing, doubt } = shownReceipt(receipt);
  if (backing === 'contradicted') return doubt?.lookFirst;
  if (doubt) return receipt.marked?.how === 'cash' ? COUNT_FIRST : LOOK_FIRST;
  return OWED.has(receipt.reason) ? cautionOfSecond(receipt, bill)?.lookFirst : undefined;
}

/** Hold reasons for a payment that may belong to another bill or to none. A late payer may have paid again. */
const UNSURE: ReadonlySet<Receipt['reason']> = new Set(['checking', 'amount_of_another', ...OWED]);

/**
 * Renders the next step for a held payment. Assigning the payment opens a page that compares it with the bill.
 */
function nextStep({ user }: MerchantVisit, receipt: Receipt, isCertain: boolean): Html | false {
  const { receipt_id, suggested_reference: reference = '' } = receipt;
  const { doubt } = shownReceipt(receipt);
  const bill =
    isCertain && !doubt
      ? {
          name: html`Match it<span class="unseen"> to ${reference}</span>`,
          address: giveAddress(receipt_id, reference),
        }
      : {
          name: doubt ? 'Check' : onlyNeedsBill(receipt) ? 'Choose a bill' : 'Decide',
          address: heldAddress(receipt_id),
        };
  return may(user, 'receipts:assign') && isAssignable(receipt) && actionOf({ ...bill, isPlain: doubt !== undefined });
}

/** Renders the other actions on a held payment. */
function decisions(visit: MerchantVisit, receipt: Receipt): Html | false {
  const mayDecide = may(visit.user, 'receipts:assign') && receipt.reason !== 'checking';
  return mayDecide && decisionForms(visit, receipt);
}
