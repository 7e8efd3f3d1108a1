import * as z from 'zod/mini';
import { Amount } from '../../ghana/amount-schema.ts';
import { CURRENCY } from '../../ghana/country.ts';
import { described, requestBody } from '../../runtime/values/described.ts';
import { InitializeRequest } from '../charge/initialize-request.ts';

/**
 * Body of `POST /api/v1/sms/credits`: a bundle and its price. The price is included so that the buyer never pays a
 * price other than the one shown.
 */
export const BuyCreditsRequest = requestBody('BuyCreditsRequest', {
  credits: described(z.int('must be a whole number'), 'How many, as one of `bundles` has them.', { examples: [500] }),
  price: described(Amount, `Its price in ${CURRENCY}, as the same bundle has it.`, { examples: [30] }),
  callback_url: InitializeRequest.shape.callback_url,
});
