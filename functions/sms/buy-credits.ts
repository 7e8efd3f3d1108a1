import { merchantRoute } from '../../shared/merchants/merchant/merchant-route.ts';
import { buyCredits } from '../../shared/money/purchase/buy-credits.ts';
import { presentPurchase } from '../../shared/money/purchase/present-purchase.ts';
import { BuyCreditsRequest } from '../../shared/money/purchase/purchase-request.ts';
import { ok } from '../../shared/runtime/http/answer.ts';
import { manifest } from '../manifest.ts';

/** Opens a charge for a bundle of credits and returns its checkout URL. */
export const handler = merchantRoute(
  manifest['sms/buy-credits'],
  { body: BuyCreditsRequest },
  ({ merchant, body: { price: price_pesewas, ...wanted }, commit }, outside) =>
    buyCredits(outside, merchant, { ...wanted, price_pesewas }, (charge, writes) =>
      commit(writes, ok('Checkout created', presentPurchase(outside, charge, wanted.credits)), {
        about: charge.reference,
        after: { credits: wanted.credits, amount_pesewas: charge.amount_pesewas },
      }),
    ),
);
