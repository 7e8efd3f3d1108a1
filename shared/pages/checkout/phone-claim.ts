import * as z from 'zod/mini';
import { COUNTRY_CODE } from '../../ghana/country.ts';
import { shownMoney } from '../../ghana/money.ts';
import { isMobileNumber } from '../../ghana/network.ts';
import { parsePhoneNumber } from '../../ghana/phone-number.ts';
import type { Charge } from '../../money/charge/charge.table.ts';
import { isSettled } from '../../money/charge/charge.ts';
import { payByCode, requestCode } from '../../money/claims/claim-by-phone.ts';
import { missingPesewas } from '../../money/payment/payment.ts';
import type { Clock, Outside } from '../../runtime/outside/outside.ts';
import { invalidRequest, PublicError } from '../../runtime/values/errors.ts';
import { checkoutWords as words } from '../words/words.ts';
import { endedError, pausedClaims, tooManyTries, typedField } from './claim.ts';

const phone = typedField(
  `The number that the payment came from: \`0\` or \`${COUNTRY_CODE}\` and nine digits.`,
  '0209876543',
);

export const CodeRequest = z
  .object({ phone }, 'must be a form or a JSON object')
  .check(z.meta({ id: 'CheckoutCodeRequest' }));
export type CodeRequest = z.infer<typeof CodeRequest>;

export const CodeConfirmation = z
  .object({ phone, code: typedField('The six digits from the text.', '123456') }, 'must be a form or a JSON object')
  .check(z.meta({ id: 'CheckoutCodeConfirmation' }));
export type CodeConfirmation = z.infer<typeof CodeConfirmation>;

export const MAX_NUMBER_CHARACTERS = 40;

export type PhoneClaim = {
  readonly typed: string;
} & (
  | {
      /** Message shown once a claim code has been requested. While it is set, the page asks for the code. */
      readonly message: string;
      readonly error?: undefined;
    }
  | { readonly message?: string; readonly error: PublicError }
);

/**
 * Texts a claim code to the number that the customer says they paid from. Returns undefined if the charge is already
 * paid.
 */
export async function askForCode(
  outside: Outside,
  charge: Charge,
  { phone: typed }: CodeRequest,
  sourceIp: string,
): Promise<PhoneClaim | undefined> {
  if (isSettled(charge)) return undefined;
  const number = numberOrFault(outside, charge, typed);
  if (typeof number !== 'string') return { typed, error: number };
  const requested = await requestCode(outside, charge, { phone: number, sourceIp });
  if (!('refusedBy' in requested)) return { typed, message: codeSentMessage(charge) };
  const { refusedBy, waitSeconds } = requested;
  return { typed, error: refusedBy === 'charge' ? tooManyTries(waitSeconds) : pausedClaims(charge, waitSeconds) };
}

/** Confirms a charge by claim code. Returns undefined if the charge is already paid. */
export async function confirmCode(
  outside: Outside,
  charge: Charge,
  { phone: typed, code }: CodeConfirmation,
  sourceIp: string,
): Promise<PhoneClaim | undefined> {
  if (isSettled(charge)) return undefined;
  const number = numberOrFault(outside, charge, typed);
  if (typeof number !== 'string') return { typed, error: number };
  const message = codeSentMessage(charge);
  const digits = code.replace(/[\s-]/g, '');
  // Validate first, so that a typo does not use up an attempt.
  if (!/^\d{6}$/.test(digits)) return { typed, message, error: badCode() };
  const isPaid = await payByCode(outside, charge, { phone: number, sourceIp }, digits);
  return isPaid ? undefined : { typed, message, error: wrongCode() };
}

/** Returns a message that does not reveal whether the number has paid. */
function codeSentMessage(charge: Charge): string {
  const amount = shownMoney(missingPesewas(charge));
  return words.codeTexted(charge.merchant_name, amount);
}

function numberOrFault(outside: Clock, charge: Charge, typed: string): string | PublicError {
  const ended = endedError(outside, charge);
  if (ended) return ended;
  const number = parsePhoneNumber(typed);
  if (number && isMobileNumber(number)) return number;
  const message = typed.trim() === '' ? words.typeNumberThatPaid : words.typeNumberAsOnPhone;
  return invalidRequest([{ field: 'phone', message }]);
}

function badCode(): PublicError {
  return invalidRequest([{ field: 'code', message: words.typeSixDigits }]);
}

/** Returns an error that does not reveal whether a claim code exists. */
function wrongCode(): PublicError {
  return new PublicError('wrong_code', words.wrongCode);
}
