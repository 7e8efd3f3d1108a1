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
import { checkoutWords as words } from '../words/words.ts';

/** The claim form. `claim` validates the fields, with error messages for the page. */
export const ClaimRequest = z
  .object(
    {
      transaction_id: typedField(
        'The network’s transaction id, from the payer’s text. The full text is accepted too.',
        '62841953770',
      ),
      name: typedField('The name on the payer’s wallet: two to four names, in any order.', 'Kofi Mensah'),
    },
    'must be a form or a JSON object',
  )
  .check(z.meta({ id: 'ClaimRequest' }));
export type ClaimRequest = z.infer<typeof ClaimRequest>;

/** Defines an optional text field, empty by default. */
export function typedField(description: string, example: string) {
  return z._default(z.string('must be a string'), '').check(z.meta({ description, examples: [example] }));
}

export interface Refusal {
  readonly error: PublicError;
  readonly typed: ClaimRequest;
}

/** Confirms a charge from payment details entered by the customer. Returns undefined if the charge is already paid. */
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
  // Validate first, so that a typo does not use up an attempt.
  const read = readClaim(charge, typed);
  if (read instanceof PublicError) return read;
  const claimed = await claimPayment(outside, charge, { ...read, sourceIp });
  switch (claimed.outcome) {
    case 'paid':
      return undefined;
    case 'unknown':
      return new PublicError('payment_not_found', words.notFound(charge.merchant_name));
    case 'not_by_id':
      return notById(charge);
    case 'too_many':
      return tooManyTries(claimed.waitSeconds);
    case 'paused':
      return pausedClaims(charge, claimed.waitSeconds);
  }
}

function notById({ merchant_name, reference }: Charge): PublicError {
  return new PublicError('payment_not_found', words.notById(merchant_name, reference));
}

/** Returns the error for a charge that no longer accepts claims, or undefined. */
export function endedError(outside: Clock, charge: Charge): PublicError | undefined {
  switch (statusOf(outside, charge)) {
    case 'expired':
      return new PublicError('charge_expired', words.chargeExpired);
    case 'cancelled':
      return new PublicError('charge_cancelled', words.chargeCancelled);
    case 'reversed':
      return new PublicError('charge_reversed', words.chargeReversed);
    default:
      return undefined;
  }
}

export function tooManyTries(waitSeconds: number): PublicError {
  return new PublicError('too_many_tries', words.tooMany(minutes(waitSeconds)), retryAfter(waitSeconds));
}

/**
 * Returns the error for claims that are paused because somebody was guessing. This customer's details may be correct.
 */
export function pausedClaims({ merchant_name }: Charge, waitSeconds: number): PublicError {
  return new PublicError('too_many_tries', words.paused(merchant_name, minutes(waitSeconds)), retryAfter(waitSeconds));
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
    message: transaction_id.trim() === '' ? words.typeId : words.whereIdIs(describeTransactionId(charge.momo_network)),
  };
  const nameFault: FieldError = {
    field: 'name',
    message: name.trim() === '' ? words.typeName : words.typeFullName,
  };
  if (payments.length > 0) return invalidRequest([nameFault]);
  return invalidRequest(nameWords === undefined ? [idFault, nameFault] : [idFault]);
}

/** Maximum length of a name. Longer names are expensive to parse. */
const MAX_NAME_CHARACTERS = 200;

function minutes(seconds: number): string {
  const count = Math.max(1, Math.ceil(seconds / 60));
  return count === 1 ? words.aMinute : words.minutes(`${count}`);
}
