import { ESTABLISHED } from '../../../wallets/chain/chain.ts';

/** Shown for a new wallet, whose payments cannot be verified yet. */
export const PROOF_BEGINS = `We are still getting to know your wallet. This takes at least ${ESTABLISHED.days} days. Until then, check your MoMo balance.`;
