import * as z from 'zod/mini';
import { isTestAccount } from '../../merchants/merchant/test-account.ts';
import type { Charge } from '../../money/charge/charge.table.ts';
import { accountsOf, isSettled, statusOf } from '../../money/charge/charge.ts';
import { matchableName } from '../../money/charge/customer-name.ts';
import { type Claim, claimPayment } from '../../money/claims/claim-payment.ts';
import { testTransactionId } from '../../money/receipt/receipt.ts';
import { describeTransactionId, transactionIdIn } from '../../money/receipt/typed-transaction-id.ts';
import type { Clock, Outside } from '../../runtime/outside/outside.ts';
import { type FieldError, invalidRequest, PublicError, retryAfter } from '../../runtime/values/errors.ts';

/** Fields of the claim form. `claim` checks them, because its messages suit the page. */
export const ClaimRequest = z
  .object(
    {
      transaction_id: typedField(
        'The network’s transaction id, from the text that the payer received. The whole text is accepted too.',
        '62841953770',
      ),
      name: typedField(
        'The name that the payer’s wallet is registered under: two to four names, in any order.',
        'Kofi Mensah',
      ),
    },
    'must be a form or a JSON object',
  )
  .check(z.meta({ id: 'ClaimRequest' }));
export type ClaimRequest = z.infer<typeof ClaimRequest>;

/** A missing field counts as empty. */
export function typedField(description: string, example: string) {
  return z._default(z.string('must be a string'), '').check(z.meta({ description, examples: [example] }));
}

/** A refused claim: the error for the customer, and the typed values. */
export interface Refusal {
  readonly error: PublicError;
  readonly typed: ClaimRequest;
}

/** Confirms a charge with the customer's details of the payment. Returns undefined once the charge is paid. */
export async function claim(
  outside: Outside,
  charge: Charge,
  typed: ClaimRequest,
  sourceIp: string,
): Promise<Refusal | undefined> {
  const error = await refusalOf(outside, charge, typed, sourceIp);
  return error && { error, typed };
}

async function refusalOf(
  outside: Outside,
  charge: Charge,
  typed: ClaimRequest,
  sourceIp: string,
): Promise<PublicError | undefined> {
  if (isSettled(charge)) return undefined;
  const ended = endedError(outside, charge);
  if (ended) return ended;
  // Checked before any lookup, so that a typing error does not use up an attempt.
  const read = readClaim(charge, typed);
  if (read instanceof PublicError) return read;
  const claimed = await claimPayment(outside, charge, { ...read, sourceIp });
  switch (claimed.outcome) {
    case 'paid':
      return undefined;
    case 'unknown':
      return new PublicError(
        'payment_not_found',
        `No payment can be confirmed with this ID, name and amount. Check all three. If you paid just now, wait a minute and try again. If they are right, ask ${charge.merchant_name}: a payment that arrived is not lost.`,
      );
    case 'not_by_id':
      return notById(charge);
    case 'too_many':
      return tooManyTries(claimed.waitSeconds);
    case 'paused':
      return pausedClaims(charge, claimed.waitSeconds);
  }
}

function notById({ merchant_name, reference }: Charge): PublicError {
  return new PublicError(
    'payment_not_found',
    `Credits cannot be claimed by a transaction ID. Paid from another network? Type the number that paid, and we text it a code. Otherwise show ${merchant_name} your network’s text and the reference ${reference}.`,
  );
}

/** Tells the customer why the charge takes no claim. Undefined while it is pending or paid. */
export function endedError(outside: Clock, charge: Charge): PublicError | undefined {
  switch (statusOf(outside, charge)) {
    case 'expired':
      return new PublicError('charge_expired', 'This charge has expired. Ask the shop for a new link.');
    case 'cancelled':
      return new PublicError('charge_cancelled', 'The shop has cancelled this charge. Ask the shop.');
    case 'reversed':
      return new PublicError('charge_reversed', 'The network reversed the payment of this charge. Ask the shop.');
    default:
      return undefined;
  }
}

export function tooManyTries(waitSeconds: number): PublicError {
  return new PublicError(
    'too_many_tries',
    `Too many attempts. Wait ${minutes(waitSeconds)} and try again.`,
    retryAfter(waitSeconds),
  );
}

/** Others have guessed at this payer's payments. An honest customer must learn that their details are not wrong. */
export function pausedClaims({ merchant_name }: Charge, waitSeconds: number): PublicError {
  return new PublicError(
    'too_many_tries',
    `We could not check this: many wrong attempts were made for a payment like yours. If you have paid, your payment is not lost. Ask ${merchant_name}, or wait ${minutes(waitSeconds)} and try again.`,
    retryAfter(waitSeconds),
  );
}

function readClaim(charge: Charge, { transaction_id, name }: ClaimRequest): Omit<Claim, 'sourceIp'> | PublicError {
  const payments = accountsOf(charge).flatMap(({ network, number }) => {
    const digits = transactionIdIn(transaction_id, network);
    if (digits === undefined) return [];
    return [{ network, number, transactionId: isTestAccount(charge.merchant_id) ? testTransactionId(digits) : digits }];
  });
  const nameWords = matchableName(name.slice(0, MAX_NAME_CHARACTERS));
  if (payments.length > 0 && nameWords !== undefined) return { payments, nameWords };
  const idFault: FieldError = {
    field: 'transaction_id',
    message:
      transaction_id.trim() === ''
        ? 'Type the transaction ID from the text that your network sent you.'
        : `${describeTransactionId(charge.momo_network)}. It is in the text that your network sent you.`,
  };
  const nameFault: FieldError = {
    field: 'name',
    message:
      name.trim() === ''
        ? 'Type the name that your wallet is registered under.'
        : 'Type two to four of the names that your wallet is registered under, written out in full.',
  };
  if (payments.length > 0) return invalidRequest([nameFault]);
  return invalidRequest(nameWords === undefined ? [idFault, nameFault] : [idFault]);
}

/** Longer than any name. Parsing cost grows with the length. */
const MAX_NAME_CHARACTERS = 200;

function minutes(seconds: number): string {
  const count = Math.max(1, Math.ceil(seconds / 60));
  return count === 1 ? 'a minute' : `${count} minutes`;
}
