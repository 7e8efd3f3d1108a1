import * as z from 'zod/mini';
import { answer, described, describedValues } from '../../runtime/values/described.ts';
import { ProofState, Unproven } from './proof.ts';

const unproven: Readonly<Record<Unproven, string>> = {
  balance_gap: 'an earlier text is missing, or this one is forged',
  balance_unsure:
    'somebody may be guessing the wallet’s balance, or the wallet was empty: its owner must confirm the balance',
  clock_odd: 'its transaction id does not fit its time',
  balance_impossible: 'it is larger than the balance after it',
  sender_differs: 'its sender name differs from the wallet’s other texts',
  no_balance: 'its text has no balance',
  not_established:
    'the wallet has too few or contradictory texts, or its first arrived less than seven days before; payments from then stay unproven',
  reversal_suspected: 'the network may have reversed it without a text',
};

export const ProofResponse = answer('Proof', {
  state: described(
    ProofState,
    '`proven`: the balance in its text continues the wallet’s last one, which a forger would have to know, or a person found the money. `checking`: for at most two minutes, because an earlier text may still arrive. `unproven`: neither.',
  ),
  why: describedValues(z.nullable(Unproven), 'Why the payment is unproven.', unproven),
});
export type ProofResponse = z.infer<typeof ProofResponse>;
