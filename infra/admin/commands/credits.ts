import { prepareTopUp, showCredits } from '../../../shared/texts/credits/top-up.ts';
import { changeVerb, noun, required, verb } from '../command.ts';
import { MERCHANT, positiveInteger } from '../options.ts';

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
  show: verb(
    "show a merchant's balance, and the balance below which it is low",
    { merchant: MERCHANT },
    async ({ outside }, { merchant }) => {
      const { balance, low_below } = await showCredits(outside, merchant);
      return { balance, low_below };
    },
  ),
});
