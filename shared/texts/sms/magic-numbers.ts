import { COUNTRY_CODE } from '../../ghana/country.ts';
import { counted } from '../../runtime/values/counted.ts';
import { PublicError, retryAfter } from '../../runtime/values/errors.ts';

/** Phone numbers that determine the outcome of a test text. Test texts to all other numbers are delivered. */
export const magicNumbers = {
  delivered: `${COUNTRY_CODE}240000001`,
  failed: `${COUNTRY_CODE}240000002`,
  slow: `${COUNTRY_CODE}240000003`,
  noSender: `${COUNTRY_CODE}240000004`,
  noCredits: `${COUNTRY_CODE}240000005`,
} as const;

/**
 * Throws the error that a magic number stands for.
 * @throws PublicError `no_sender_available`, `insufficient_credits`.
 */
export function refuseByMagic(to: readonly string[]): void {
  if (to.includes(magicNumbers.noSender)) {
    const message = 'A test: no sender is available at the moment. Nothing was debited. Try again later.';
    throw new PublicError('no_sender_available', message, retryAfter(60));
  }
  if (to.includes(magicNumbers.noCredits)) {
    const message = `A test: this costs ${counted(to.length, 'credit')}, but only 0 are left. Ask the operator to add credits and try again.`;
    throw new PublicError('insufficient_credits', message);
  }
}
