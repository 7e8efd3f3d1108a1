import { ESTABLISHED } from '../../../wallets/chain/chain.ts';

/** Of a wallet with few texts so far, whose payments are all confirmed as their merchant has set. */
export const PROOF_BEGINS = `New wallet: look in your MoMo balance. This service is still learning yours: it verifies payments once it has read ${ESTABLISHED.links} of the wallet’s texts in a row, ${ESTABLISHED.outgoing} of them about money that went out, and at the earliest ${ESTABLISHED.days} days after the first`;
