import { COUNTRY_CODE } from '../../ghana/country.ts';
import { counted } from '../../runtime/values/counted.ts';
import { PublicError, retryAfter } from '../../runtime/values/errors.ts';

/**
 * What becomes of a text with a test key depends on its number. To any other it is delivered, like the first; no text with a test key
 * ever leaves, whatever its number.
 */
export const magicNumbers = {
  delivered: `${COUNTRY_CODE}240000001`,
  failed: `${COUNTRY_CODE}240000002`,
  slow: `${COUNTRY_CODE}240000003`,
  noSender: `${COUNTRY_CODE}240000004`,
  noCredits: `${COUNTRY_CODE}240000005`,
} as const;

/** @throws PublicError `no_sender_available`, `insufficient_credits` where one of the numbers asks for it. */
export function refuseByMagic(to: readonly string[]): void {
  if (to.includes(magicNumbers.noSender)) {
    const message = 'A test: no sender number is available at the moment. Nothing was debited; try again later.';
    throw new PublicError('no_sender_available', message, retryAfter(60));
  }
  if (to.includes(magicNumbers.noCredits)) {
    const message = `A test: this costs ${counted(to.length, 'credit')}, but only 0 are left. Ask the operator to add credits and try again.`;
    throw new PublicError('insufficient_credits', message);
  }
}
