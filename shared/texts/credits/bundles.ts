import { ghsOf } from '../../ghana/money.ts';
import { requireMerchant } from '../../merchants/merchant/manage-merchant.ts';
import { getMerchantOrTestAccount, merchantRows } from '../../merchants/merchant/merchant.table.ts';
import type { Merchant } from '../../merchants/merchant/merchant.ts';
import { isTestAccount, originalIdOf, testAccountIdOf } from '../../merchants/merchant/test-account.ts';
import type { TableOutside } from '../../runtime/outside/outside.ts';
import { asRead, type TableWrite } from '../../runtime/table/table.ts';
import { invalidRequest } from '../../runtime/values/errors.ts';
import { type Bundle, getOffer, offerRows } from './bundle.table.ts';

const MAX_BUNDLES = 10;

export interface Offer {
  readonly seller: Merchant;
  readonly bundles: readonly Bundle[];
}

/**
 * Returns the bundles that a merchant or test account can buy. Returns undefined if nothing is for sale to this buyer.
 */
export async function offerFor(outside: TableOutside, buyerId: string): Promise<Offer | undefined> {
  const { seller_id, bundles } = await getOffer(outside);
  if (seller_id === undefined || seller_id === originalIdOf(buyerId) || bundles.length === 0) return undefined;
  const seller = await getMerchantOrTestAccount(
    outside,
    isTestAccount(buyerId) ? testAccountIdOf(seller_id) : seller_id,
  );
  return seller && !seller.suspended_at && seller.momo_accounts.length > 0 ? { seller, bundles } : undefined;
}

/**
 * Returns conditions that fail with `Changed` once the seller stops selling credits. Returns undefined if the seller
 * has already stopped.
 */
export async function whileSelling(outside: TableOutside, sellerId: string): Promise<TableWrite[] | undefined> {
  const merchant_id = originalIdOf(sellerId);
  const [{ seller_id }, seller] = await Promise.all([getOffer(outside), merchantRows.find(outside, { merchant_id })]);
  if (seller_id !== merchant_id || !seller || seller.suspended_at !== undefined) return undefined;
  return [
    offerRows.check({}, { ...asRead({ seller_id }), refused: offerRows.changed }),
    merchantRows.check({ merchant_id }, { ...asRead({ suspended_at: undefined }), refused: merchantRows.changed }),
  ];
}

export async function presentBundles(outside: TableOutside, buyerId: string) {
  const bundles = (await offerFor(outside, buyerId))?.bundles ?? [];
  return bundles.map(({ credits, price_pesewas }) => ({ credits, price: ghsOf(price_pesewas) }));
}

/** Sets the merchant that sells credits. @throws NoSuch if the merchant does not exist. */
export async function prepareSeller(outside: TableOutside, sellerId: string | undefined) {
  if (sellerId !== undefined) await requireMerchant(outside, sellerId);
  const { seller_id: was } = await getOffer(outside);
  const entry = { action: 'credits seller', before: { seller: was ?? null }, after: { seller: sellerId ?? null } };
  return {
    writes: was === sellerId ? [] : [offerRows.change({}, { seller_id: sellerId }, { once: { bundles: [] } })],
    entry,
  };
}

/**
 * Sets a bundle's price. A price of 0 removes the bundle. Pending purchases keep their price.
 * @throws PublicError `invalid_request` if there would be more than the maximum number of bundles. The writes fail with
 * `Changed` if another bundle is set at the same time.
 */
export async function prepareBundle(outside: TableOutside, { credits, price_pesewas }: Bundle) {
  const { bundles: had } = await getOffer(outside);
  const priceIn = (bundles: readonly Bundle[]) => bundles.find((one) => one.credits === credits)?.price_pesewas ?? 0;
  const others = had.filter((one) => one.credits !== credits);
  const bundles = [...others, ...(price_pesewas > 0 ? [{ credits, price_pesewas }] : [])];
  if (bundles.length > MAX_BUNDLES) {
    const message = `There are already ${MAX_BUNDLES} bundles, the maximum. Take one off sale first by setting its price to 0.`;
    throw invalidRequest([{ field: 'credits', message }]);
  }
  const asRead = { when: 'attribute_not_exists(#bundles) OR #bundles = :read' };
  const sorted = bundles.toSorted((one, other) => one.credits - other.credits);
  const change = { ...asRead, values: { ':read': had }, refused: offerRows.changed };
  return {
    writes: priceIn(had) === price_pesewas ? [] : [offerRows.change({}, { bundles: sorted }, change)],
    entry: {
      action: 'credits bundle',
      about: String(credits),
      before: { price_pesewas: priceIn(had) },
      after: { price_pesewas },
    },
  };
}
