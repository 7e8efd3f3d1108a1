import * as z from 'zod/mini';
import { shownMoney } from '../../ghana/money.ts';
import { answer, described, describedValues } from '../../runtime/values/described.ts';
import { YOUNG_PESEWAS } from './anchor.ts';
import { ProofState, Unproven } from './proof.ts';

export const whyUnproven: Readonly<Record<Unproven, string>> = {
  balance_gap: 'an earlier text is missing, or this one is forged',
  balance_unsure: 'someone may be guessing the wallet’s balance, or anyone would: its owner must name it',
  clock_odd: 'its transaction id does not fit its time',
  balance_impossible: 'it is larger than the balance after it',
  sender_differs: 'its sender name differs from the wallet’s other texts',
  no_balance: 'its text has no balance',
  not_anchored: 'nobody had named the wallet’s balance, or too few texts were linked',
  anchor_young: `it is above the ${shownMoney(YOUNG_PESEWAS)} a day that a balance named once verifies: its owner must name it again, 12 hours later`,
  reversal_suspected: 'the network may have reversed it without a text',
};

export const ProofResponse = answer('Proof', {
  state: described(
    ProofState,
    '`proven`: the balance in its text continues the wallet’s last one, which a forger would have to know, or a person found the money. `checking`: for at most two minutes, because an earlier text may still arrive. `unproven`: neither.',
  ),
  why: describedValues(z.nullable(Unproven), 'Why the payment is unproven.', whyUnproven),
});
export type ProofResponse = z.infer<typeof ProofResponse>;
