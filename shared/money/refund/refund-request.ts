import * as z from 'zod/mini';
import { Amount } from '../../ghana/amount-schema.ts';
import { CURRENCY } from '../../ghana/country.ts';
import { described, requestBody } from '../../runtime/values/described.ts';
import { text } from '../../runtime/values/text.ts';

const RECEIPT_ID = 'must be the receipt_id of a second payment';

export const RefundRequest = requestBody('RefundRequest', {
  amount: z.optional(
    described(Amount, `The amount to refund, in ${CURRENCY}; by default, everything that is left to refund.`),
  ),
  reason: z.optional(described(text(200), 'For your records.', { examples: ['Out of stock'] })),
  receipt_id: z.optional(
    described(
      z.string(RECEIPT_ID).check(z.maxLength(200, RECEIPT_ID)),
      'The id of a second payment that you have sent back in full: from `second_payments`, or from a `receipt.held` that suggests this charge (for keys that may assign). It is recorded on that payment, once; the charge’s own payment stays refundable.',
    ),
  ),
});
export type RefundRequest = z.infer<typeof RefundRequest>;

export const CloseRefundRequest = requestBody('CloseRefundRequest', {
  outcome: described(
    z.enum(['sent', 'withdrawn'], 'must be "sent" or "withdrawn"'),
    '`sent`: the money left the wallet. `withdrawn`: it will not be sent.',
  ),
});
export type CloseRefundRequest = z.infer<typeof CloseRefundRequest>;
