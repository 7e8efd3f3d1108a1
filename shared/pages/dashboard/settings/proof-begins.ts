import { ESTABLISHED } from '../../../wallets/chain/chain.ts';

/**
 * Text for a new wallet, whose payments are confirmed according to the merchant's settings because none can be
 * verified.
 */
export const PROOF_BEGINS = `We are still getting to know your wallet. This takes at least ${ESTABLISHED.days} days. Until then, check your MoMo balance.`;
