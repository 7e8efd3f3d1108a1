import * as z from 'zod/mini';
import { claimPayment } from '../receipt/claim-payment.ts';
import { invalidRequest, PublicError } from '../runtime/errors.ts';
import type { Outside } from '../runtime/outside.ts';
import type { Transaction } from '../transaction/transaction.table.ts';
import { statusOf } from '../transaction/transaction.ts';

/** The claim form. What is wrong with an id is said by `claim`, which knows the page that says it. */
export const ClaimRequest = z
  .object(
    {
      transaction_id: z._default(z.string('must be a string'), '').check(
        z.meta({
          description: 'The network’s id of the payment, from the text that the payer got.',
          examples: ['62841953770'],
        }),
      ),
    },
    'must be a form or a JSON object',
  )
  .check(z.meta({ id: 'ClaimRequest' }));

/** A wrong claim: why, in words for the customer, and what was typed. */
export interface Refusal {
  readonly error: PublicError;
  readonly typed: string;
}

/** Confirms a charge with the transaction id that a customer typed; undefined where the charge is paid now. */
export async function claim(outside: Outside, transaction: Transaction, typed: string): Promise<Refusal | undefined> {
  const error = await refusalOf(outside, transaction, typed.trim());
  return error && { error, typed };
}

async function refusalOf(outside: Outside, transaction: Transaction, id: string): Promise<PublicError | undefined> {
  const status = statusOf(outside, transaction);
  if (status === 'success') return undefined;
  if (status === 'expired') {
    return new PublicError('charge_expired', 'The time to pay this charge is over. Ask the shop for a new link.');
  }
  if (status === 'reversed') {
    return new PublicError('charge_reversed', 'The network took the payment of this charge back. Ask the shop.');
  }
  const fault = faultOf(id);
  // Said before anything is looked up, so that a slip of the finger does not use up a try.
  if (fault) return invalidRequest([{ field: 'transaction_id', message: fault }]);
  const claimed = await claimPayment(outside, transaction, id);
  switch (claimed.outcome) {
    case 'paid':
      return undefined;
    case 'unknown':
      return new PublicError(
        'payment_not_found',
        `No payment with this ID and amount has reached ${transaction.merchant_name}. Check the ID. If you paid just now, wait a minute and try again.`,
      );
    case 'too_many':
      return new PublicError('too_many_tries', `Too many tries. Wait ${minutes(claimed.waitSeconds)} and try again.`, {
        headers: { 'retry-after': String(claimed.waitSeconds) },
      });
  }
}

/** Longer than any network's id, shorter than a receipt pasted whole. */
const MOST_ID_CHARACTERS = 40;

function faultOf(id: string): string | undefined {
  if (id === '') return 'Type the transaction ID from the text that your network sent you.';
  if (id.length > MOST_ID_CHARACTERS)
    return 'That is too long for a transaction ID. Type only the ID, not the whole text.';
  if (!/\d/.test(id)) return 'A transaction ID has digits in it. You find it in the text that your network sent you.';
  return undefined;
}

function minutes(seconds: number): string {
  const count = Math.max(1, Math.ceil(seconds / 60));
  return count === 1 ? 'a minute' : `${count} minutes`;
}
