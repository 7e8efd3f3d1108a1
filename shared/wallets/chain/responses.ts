import * as z from 'zod/mini';
import { answer, described, describedValues } from '../../runtime/values/described.ts';
import { ProofState, Unproven } from './proof.ts';

const unproven: Readonly<Record<Unproven, string>> = {
  balance_gap: 'a text before it is missing, or it is forged',
  balance_unsure:
    'somebody may be guessing the wallet’s balance, because other texts failed to continue it or because the wallet was empty, so its owner has to confirm the balance',
  clock_odd: 'its transaction id does not belong to its time',
  balance_impossible: 'it is larger than the balance that its text tells after it',
  sender_differs: 'it came under another sender name than the wallet’s other texts',
  no_balance: 'its text tells no balance',
  not_established:
    'too few texts of the wallet are known yet, or they contradict each other, or its first text came less than seven days ago; payments of that time stay so',
};

export const ProofResponse = answer('Proof', {
  state: described(
    ProofState,
    '`proven`: the balance in its text continues the wallet’s, so nobody forged it who does not know the balance. `checking`: a text before it may still be on its way, for two minutes at most. `unproven`: neither is known.',
  ),
  why: describedValues(z.nullable(Unproven), 'Why it is unproven.', unproven),
});
export type ProofResponse = z.infer<typeof ProofResponse>;
