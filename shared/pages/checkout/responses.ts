import * as z from 'zod/mini';
import { CURRENCY } from '../../ghana/country.ts';
import { amountGhs } from '../../ghana/responses.ts';
import { chargeStatuses } from '../../money/charge/states.ts';
import { time } from '../../runtime/http/responses.ts';

export const StatusResponse = z
  .object({
    status: z.enum(chargeStatuses),
    amount_paid: amountGhs(
      `What has arrived so far, in ${CURRENCY}: less than the amount of the charge while part of it is missing, and more only where the excess is verified.`,
    ),
    checking: z
      .boolean()
      .check(z.describe('True while a payment for it that has arrived is being checked, for two minutes at most.')),
    expires_at: time('Until when the charge can be paid.'),
    redirect_url: z
      .nullable(z.string())
      .check(z.describe('Once it is paid: the `callback_url` with `reference` added to its query.')),
  })
  .check(z.meta({ id: 'CheckoutStatus' }));
export type StatusResponse = z.infer<typeof StatusResponse>;
