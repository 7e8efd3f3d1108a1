import { showCredits, topUp } from '../../../shared/texts/credits/top-up.ts';
import { notedVerb, noun, required, verb } from '../command.ts';
import { MERCHANT, positiveInteger } from '../options.ts';

export const credits = noun('credits', 'prepaid SMS credits', {
  add: notedVerb(
    'add credits to a merchant',
    {
      merchant: MERCHANT,
      amount: required('<credits>', 'one credit is one text to one number', positiveInteger),
    },
    ({ amount }) => ({ after: { credits: amount } }),
    async ({ outside }, { merchant, amount }) => ({ balance: await topUp(outside, merchant, amount) }),
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
