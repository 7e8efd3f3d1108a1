import * as z from 'zod/mini';
import { PhoneNumber } from '../../ghana/phone-number-schema.ts';
import { plainText } from '../../runtime/values/plain-text.ts';
import { isEmail, text, unlessBlank } from '../../runtime/values/text.ts';

export const MAX_MERCHANT_REFERENCE_CHARACTERS = 100;

const Email = z
  .pipe(
    text(254),
    z.transform((written: string) => plainText(written).trim()),
  )
  .check(z.refine(isEmail, 'must be an e-mail address'));

/** Rules for a charge's details, for the API and the dashboard. */
export const chargeDetails = {
  description: text(500),
  customer_name: text(100),
  customer_phone: unlessBlank(PhoneNumber),
  email: unlessBlank(Email),
  merchant_reference: text(MAX_MERCHANT_REFERENCE_CHARACTERS).check(
    z.refine((value) => value.trim() !== '', 'must not be empty'),
  ),
};
