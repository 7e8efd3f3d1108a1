import { shownMoney } from '../../ghana/money.ts';
import type { Merchant } from '../../merchants/merchant/merchant.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import { retryIfChanged } from '../../runtime/table/contention.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { counted } from '../../runtime/values/counted.ts';
import { invalidRequest, PublicError } from '../../runtime/values/errors.ts';
import type { Bundle } from '../../texts/credits/bundle.table.ts';
import { offerFor } from '../../texts/credits/bundles.ts';
import type { Charge } from '../charge/charge.table.ts';
import { initializeCharge } from '../charge/initialize-charge.ts';
import { OPENED_LIFETIME_SECONDS } from '../link/open-link-charge.ts';
import { keptPurchases, lastPurchases } from './last-purchases.ts';
import { beginPurchase, getPurchases } from './purchase.table.ts';

interface Wanted extends Bundle {
  readonly callback_url?: string | undefined;
}

/**
 * Opens the seller's charge for a bundle at its current price. The charge expires after half an hour and is never
 * matched by name.
 * @throws PublicError `invalid_request` if the bundle is not for sale, `forbidden` if the operator has stopped the
 * buyer's purchases.
 */
export function buyCredits<Result>(
  outside: Outside,
  { merchant_id, name }: Merchant,
  { callback_url, ...wanted }: Wanted,
  commit: (charge: Charge, writes: readonly TableWrite[]) => Promise<Result>,
): Promise<Result> {
  return retryIfChanged(async () => {
    const { seller, bundle } = await requireBundle(outside, merchant_id, wanted);
    const read = await getPurchases(outside, merchant_id);
    if (read.stopped_by !== undefined) throw stopped(read.stopped_by);
    const kept = keptPurchases(await lastPurchases(outside, read));
    const { credits, price_pesewas: amount } = bundle;
    const description = `${counted(credits, 'credit')} for texts of ${name}`;
    const asked = { amount, description, callback_url, expires_in: OPENED_LIFETIME_SECONDS };
    const origin = { kind: 'bundle', buyer_id: merchant_id } as const;
    const goods = { kind: 'credits', state: 'unpaid', credits } as const;
    return initializeCharge(outside, seller, { asked, origin, goods }, (charge, writes) =>
      commit(charge, [...writes, beginPurchase(merchant_id, read, [...kept, charge.reference])]),
    );
  });
}

async function requireBundle(outside: Outside, buyerId: string, { credits, price_pesewas }: Bundle) {
  const offer = await offerFor(outside, buyerId);
  const bundle = offer?.bundles.find((one) => one.credits === credits);
  if (offer && bundle?.price_pesewas === price_pesewas) return { seller: offer.seller, bundle };
  const onSale = offer?.bundles.map((one) => `${one.credits} for ${shownMoney(one.price_pesewas)}`).join(', ');
  const message = onSale ? `is not a bundle on sale now: choose one of ${onSale}` : 'are not for sale here';
  throw invalidRequest([{ field: bundle ? 'price' : 'credits', message }]);
}

function stopped(reference: string): PublicError {
  return new PublicError(
    'forbidden',
    `The payment for ${reference} was reversed or is in doubt, so this shop cannot buy credits. Ask the operator to allow purchases again.`,
  );
}
