import { ESTABLISHED } from '../../../wallets/chain/chain.ts';

/** For a new wallet, whose payments are all confirmed as the merchant has set. */
export const PROOF_BEGINS = `New wallet: look in your MoMo balance. This service is still learning yours: it verifies payments once it has read ${ESTABLISHED.links} of the wallet’s texts in a row, ${ESTABLISHED.outgoing} of them about money that went out, and at the earliest ${ESTABLISHED.days} days after the first`;
