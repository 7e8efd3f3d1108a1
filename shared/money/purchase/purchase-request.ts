import * as z from 'zod/mini';
import { Amount } from '../../ghana/amount-schema.ts';
import { CURRENCY } from '../../ghana/country.ts';
import { described, requestBody } from '../../runtime/values/described.ts';
import { InitializeRequest } from '../charge/initialize-request.ts';

/** Body of `POST /api/v1/sms/credits`. Includes the price, so that the buyer never pays a different price. */
export const BuyCreditsRequest = requestBody('BuyCreditsRequest', {
  credits: described(z.int('must be a whole number'), 'The number of credits in one of the `bundles`.', {
    examples: [500],
  }),
  price: described(Amount, `The price of that bundle, in ${CURRENCY}.`, { examples: [30] }),
  callback_url: InitializeRequest.shape.callback_url,
});
