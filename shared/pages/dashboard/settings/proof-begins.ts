import { ESTABLISHED } from '../../../wallets/chain/chain.ts';

/** Shown for a new wallet, whose payments cannot be verified yet. */
export const STILL_LEARNING = `We are still getting to know your wallet. This takes at least ${ESTABLISHED.days} days.`;
export const PROOF_BEGINS = `${STILL_LEARNING} Until then, check your MoMo balance.`;
