import * as z from 'zod/mini';
import { CURRENCY } from '../../ghana/country.ts';
import { amountGhs } from '../../ghana/responses.ts';
import { chargeStatuses } from '../../money/charge/states.ts';
import { time } from '../../runtime/http/responses.ts';

export const StatusResponse = z
  .object({
    status: z.enum(chargeStatuses),
    amount_paid: amountGhs(`The amount that has arrived, in ${CURRENCY}; any excess is included only if verified.`),
    checking: z.boolean().check(z.describe('True while a payment is being checked, which takes at most two minutes.')),
    expires_at: time('When the charge expires.'),
    redirect_url: z
      .nullable(z.string())
      .check(z.describe('The `callback_url` with `reference` in its query, once the charge is paid.')),
  })
  .check(z.meta({ id: 'CheckoutStatus' }));
export type StatusResponse = z.infer<typeof StatusResponse>;
