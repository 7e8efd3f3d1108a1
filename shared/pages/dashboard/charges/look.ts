import { html } from 'hono/html';
import * as z from 'zod/mini';
import { wholeMoney } from '../../../ghana/money.ts';
import type { Charge } from '../../../money/charge/charge.table.ts';
import { shownReceipt } from '../../../money/payment/shown-payment.ts';
import type { Receipt } from '../../../money/receipt/receipt.ts';
import {
  namesOfDoubts,
  namesOfPayments,
  ShownProof,
  shownProofOf,
  shownProofOfCharge,
} from '../../../money/receipt/shown-proof.ts';
import { doubtPill, type Html, notice } from '../parts/content.ts';
import { heldWords, lookFor, NO_REVERSAL, proofWords } from './held-words.ts';

/** A form that confirms a payment. The default, `verified`, means that nobody was asked to check the wallet. */
export const LookForm = z.object({ shown: z._default(ShownProof, 'verified') });

const Names = z.optional(z.string().check(z.maxLength(4_000)));

/** A form that confirms a held payment. It names the payment's doubts, so that it ends no others. */
export const LookAtReceiptForm = z.extend(LookForm, { doubts: Names });

/** A form that confirms a charge's payments. It names them, so that it confirms no others. */
export const LookAtChargeForm = z.extend(LookForm, { payments: Names });

export function carriesOf(charge: Charge) {
  return { shown: shownProofOfCharge(charge), payments: namesOfPayments(charge) };
}

export function carriesOfReceipt(receipt: Receipt) {
  return { shown: shownProofOf(receipt), doubts: namesOfDoubts(receipt) };
}

export interface GiveWords {
  readonly warning: Html | '';
  readonly carries: ReturnType<typeof carriesOfReceipt>;
  readonly submit: string;
}

/** Returns the button's label. For an unverified payment, the button confirms that the money arrived. */
export function giveWords(receipt: Receipt): GiveWords {
  const carries = carriesOfReceipt(receipt);
  const shown = shownReceipt(receipt);
  const { doubt } = shown;
  const amount = wholeMoney(shown.pesewas);
  if (!doubt) return { warning: '', carries, submit: `Yes, match ${amount}` };
  const explanation =
    shown.backing === 'contradicted'
      ? heldWords(receipt).explanation
      : (proofWords(receipt) ?? 'We have no further details of this payment.');
  const reversal = receipt.reversal_doubt_at !== undefined && html`<br>${NO_REVERSAL}`;
  const warning = html`<p>${doubtPill(shown)}</p>${notice('look', html`<b>${doubt.lookFirst}</b> ${lookFor(shown, receipt)}${reversal}`)}<p class="hint">${explanation}</p>`;
  return { warning, carries, submit: `The money is there: match ${amount}` };
}
