import { fieldAmount } from '../../../shared/ghana/typed.ts';
import { prepareAllow, prepareRelease } from '../../../shared/money/purchase/give-credits.ts';
import type { TableOutside } from '../../../shared/runtime/outside/outside.ts';
import { getOffer } from '../../../shared/texts/credits/bundle.table.ts';
import { prepareBundle, prepareSeller } from '../../../shared/texts/credits/bundles.ts';
import { prepareTopUp, showCredits } from '../../../shared/texts/credits/top-up.ts';
import { changeVerb, noun, optional, required, verb } from '../command.ts';
import { amountFromZero, MERCHANT, positiveInteger } from '../options.ts';

export const credits = noun('credits', 'prepaid SMS credits', {
  add: changeVerb(
    'add credits to a merchant',
    {
      merchant: MERCHANT,
      amount: required('<credits>', 'one credit is one text to one number', positiveInteger),
    },
    async (outside, { merchant, amount }) => ({ merchant, ...(await prepareTopUp(outside, merchant, amount)) }),
    async ({ merchant }, outside) => ({ balance: (await showCredits(outside, merchant)).balance }),
  ),
  seller: changeVerb(
    'set the merchant that sells bundles of credits, or none',
    { merchant: optional('<id>', 'the merchant; leave it out to stop selling', String) },
    (outside, { merchant }) => prepareSeller(outside, merchant),
    (_, outside) => shownOffer(outside),
  ),
  bundle: changeVerb(
    'set the price of a bundle of credits that shops can buy',
    {
      credits: required('<credits>', 'the number of credits in the bundle', positiveInteger),
      price: required('<cedis>', 'the price including taxes; 0 takes it off sale', amountFromZero),
    },
    (outside, { credits, price }) => prepareBundle(outside, { credits, price_pesewas: price }),
    (_, outside) => shownOffer(outside),
  ),
  release: changeVerb(
    'release the credits bought with an unverified payment; check the wallet first',
    { reference: required('<reference>', 'the reference of the purchase’s charge', String) },
    (outside, { reference }) => prepareRelease(outside, reference),
    ({ entry }) => entry.after,
  ),
  allow: changeVerb(
    'let a merchant whose payment was reversed buy credits again',
    { merchant: MERCHANT },
    (outside, { merchant }) => prepareAllow(outside, merchant),
    ({ entry: { merchant_id } }) => ({ merchant_id }),
  ),
  show: verb(
    "show a merchant's balance, the credits it owes, and its low-balance limit",
    { merchant: MERCHANT },
    async ({ outside }, { merchant }) => {
      const { balance, owed, low_below } = await showCredits(outside, merchant);
      return { balance, owed, low_below };
    },
  ),
});

async function shownOffer(outside: TableOutside) {
  const { seller_id, bundles } = await getOffer(outside);
  const shown = bundles.map(({ credits, price_pesewas }) => ({ credits, price: fieldAmount(price_pesewas) }));
  return { seller: seller_id ?? 'none', bundles: shown };
}
