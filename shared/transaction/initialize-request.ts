import * as z from 'zod/mini';
import { Metadata } from '../runtime/metadata.ts';
import { text } from '../runtime/text.ts';
import { LEAST_AMOUNT_GHS, MOST_AMOUNT_GHS, pesewasOf } from './money.ts';

const AMOUNT = `must be a number from ${LEAST_AMOUNT_GHS} to ${MOST_AMOUNT_GHS} (GHS) with at most two decimals`;

/** The body of `POST /api/v1/transaction/initialize`. Unknown fields are ignored. */
export const InitializeRequest = z.object(
  {
    amount: z
      .number(AMOUNT)
      .check(
        z.refine((ghs) => ghs >= LEAST_AMOUNT_GHS && ghs <= MOST_AMOUNT_GHS && pesewasOf(ghs) !== undefined, AMOUNT),
      ),
    email: z.optional(text(254).check(z.refine((value) => z.regexes.email.test(value), 'must be an e-mail address'))),
    customer_name: z.optional(text(100)),
    callback_url: z.optional(
      text(2048).check(z.refine(isCallbackUrl, 'must be an https:// address without a user name or password in it')),
    ),
    description: z.optional(text(500)),
    metadata: z.optional(Metadata),
  },
  'must be a JSON object',
);
export type InitializeRequest = z.infer<typeof InitializeRequest>;

function isCallbackUrl(value: string): boolean {
  if (!/^https:\/\/[^\s]+$/i.test(value)) return false;
  const url = URL.parse(value);
  return url !== null && url.username === '' && url.password === '';
}
