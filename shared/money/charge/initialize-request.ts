import * as z from 'zod/mini';
import { Amount } from '../../ghana/amount-schema.ts';
import { CURRENCY } from '../../ghana/country.ts';
import { described } from '../../runtime/values/described.ts';
import { Metadata } from '../../runtime/values/metadata.ts';
import { text } from '../../runtime/values/text.ts';
import { chargeDetails } from './charge-details.ts';
import { HTTPS_CALLBACK, isCallbackUrl, MAX_EXPIRES_IN_SECONDS } from './initialize-limits.ts';

const MIN_EXPIRES_IN_SECONDS = 5 * 60;
const EXPIRES_IN = `must be a whole number of seconds from ${MIN_EXPIRES_IN_SECONDS} (5 minutes) to ${MAX_EXPIRES_IN_SECONDS} (7 days)`;

export const InitializeRequest = z
  .strictObject(
    {
      amount: Amount,
      currency: z.optional(
        described(
          z.literal(CURRENCY, `must be "${CURRENCY}": charges are in Ghana cedis`),
          'Any other currency is refused.',
        ),
      ),
      email: z.optional(
        described(
          chargeDetails.email,
          'The customer’s e-mail address, to which we never write. See `customer_phone`.',
          {
            format: 'email',
            examples: ['kofi@example.com'],
          },
        ),
      ),
      customer_name: z.optional(
        described(
          chargeDetails.customer_name,
          'The name under which the customer is registered with MoMo: two to four names, written out, in any order. Other names are stored but not matched (see `warnings`).',
          { examples: ['Kofi Mensah'] },
        ),
      ),
      customer_phone: z.optional(
        described(
          chargeDetails.customer_phone,
          'The customer’s number, to which we never write. If two unpaid charges have the same name and amount, a payment without a reference pays the newer one if this number or `email` is the same and the other does not differ; otherwise it is held.',
        ),
      ),
      callback_url: z.optional(
        described(
          text(2048).check(z.refine(isCallbackUrl, HTTPS_CALLBACK)),
          'The https address to which the customer’s browser goes after paying, with `reference` in its query. Unpaid, cancelled and expired pages lead to `/` on the same host. With a test key, or on your own machine, also `http://localhost`, with any port.',
          { format: 'uri', examples: ['https://shop.example.com/thanks'] },
        ),
      ),
      description: z.optional(
        described(chargeDetails.description, 'Shown at checkout.', { examples: ['Two yards of kente'] }),
      ),
      merchant_reference: z.optional(
        described(
          chargeDetails.merchant_reference,
          'Your own reference, such as an order number, which is returned and can be searched.',
          { minLength: 1, examples: ['A-1007'] },
        ),
      ),
      unique_reference: z.optional(
        described(
          z.boolean('must be true or false'),
          'Refuse the charge (409 `duplicate_reference`) if one of your charges, in any state, has the same `merchant_reference`: a new attempt needs another one, such as `order-9-2`. The response names that charge. Set it on all charges; otherwise two that are created in the same second may both succeed.',
        ),
      ),
      expires_in: z.optional(
        described(
          z
            .int(EXPIRES_IN)
            .check(z.minimum(MIN_EXPIRES_IN_SECONDS, EXPIRES_IN), z.maximum(MAX_EXPIRES_IN_SECONDS, EXPIRES_IN)),
          'The time until the charge expires, in seconds; 24 hours by default.',
          { examples: [3600] },
        ),
      ),
      metadata: z.optional(Metadata),
    },
    'must be a JSON object',
  )
  .check(
    z.refine(({ unique_reference, merchant_reference }) => !unique_reference || merchant_reference !== undefined, {
      error: 'is required by unique_reference',
      path: ['merchant_reference'],
    }),
    z.meta({ id: 'InitializeRequest' }),
  );
export type InitializeRequest = z.infer<typeof InitializeRequest>;
