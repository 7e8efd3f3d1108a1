import * as z from 'zod/mini';
import { COUNTRY_CODE } from '../../ghana/country.ts';
import { isMobileNumber } from '../../ghana/network.ts';
import { parsePhoneNumber } from '../../ghana/phone-number.ts';
import { merchantCache } from '../../merchants/merchant/merchant.table.ts';
import type { Charge } from '../../money/charge/charge.table.ts';
import { sendPayText } from '../../money/charge/send-pay-text.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import { invalidRequest, PublicError } from '../../runtime/values/errors.ts';
import { fitName } from '../../texts/sms/segments.ts';
import { checkoutWords as words } from '../words/words.ts';
import { type CheckoutView, checkoutView } from './checkout-view.ts';
import { endedError, typedField } from './claim.ts';
import type { PhoneClaim } from './phone-claim.ts';

export const PayTextRequest = z
  .object(
    { phone: typedField(`The customer’s number: \`0\` or \`${COUNTRY_CODE}\` and nine digits.`, '0209876543') },
    'must be a form or a JSON object',
  )
  .check(z.meta({ id: 'CheckoutTextRequest' }));
export type PayTextRequest = z.infer<typeof PayTextRequest>;

/**
 * This message is the same for every number, so that it does not reveal which numbers have reached their daily limit.
 */
export const PAY_TEXT_SENT = words.textOnItsWay;
const NO_TEXT_NOW = new PublicError('not_found', words.noTextNow);

/** Texts the payment details to a number. Returns undefined if the charge is already paid. */
export async function askForPayText(
  outside: Outside,
  charge: Charge,
  { phone: typed }: PayTextRequest,
  { network, sourceIp }: { readonly network: string | undefined; readonly sourceIp: string },
): Promise<PhoneClaim | undefined> {
  if (charge.state === 'success') return undefined;
  const ended = endedError(outside, charge);
  if (ended) return { typed, error: ended };
  const number = parsePhoneNumber(typed);
  if (!number || !isMobileNumber(number)) {
    return { typed, error: invalidRequest([{ field: 'phone', message: words.typeMobile }]) };
  }
  const merchant = await merchantCache.get(outside, charge.merchant_id);
  if (!merchant?.pay_texts_per_day || merchant.suspended_at !== undefined) return { typed, error: NO_TEXT_NOW };
  const message = payText(checkoutView(outside, charge, { network }));
  const isSent = await sendPayText(outside, merchant, charge, { to: number, message, sourceIp });
  return isSent ? { typed, message: PAY_TEXT_SENT } : { typed, error: NO_TEXT_NOW };
}

/**
 * Returns the payment details in the order of the network's menu, in one SMS. Numbers stand alone, so that phones can
 * copy them.
 */
export function payText({
  merchant,
  amount,
  parts,
  number,
  network,
  reference,
}: Pick<CheckoutView, 'merchant' | 'amount' | 'parts' | 'number' | 'network' | 'reference'>): string {
  const digits = reference.replace(/\D/g, '');
  return fitName(merchant, { orElse: words.theShop, maxSegments: 1 }, (shop) =>
    words.text({ shop, amount: parts?.missing ?? amount, to: `${number} (${network.short})`, digits }),
  );
}
