import { ESTABLISHED } from '../../../wallets/chain/chain.ts';

/** For a new wallet, whose payments are all confirmed as the merchant has set. */
export const PROOF_BEGINS = `We are still learning your wallet. This takes at least ${ESTABLISHED.days} days. Until then, check your MoMo balance.`;
