import { ESTABLISHED } from '../../../wallets/chain/chain.ts';

/** Of a wallet with few texts so far, whose payments are all confirmed as their merchant has set. */
export const PROOF_BEGINS = `New wallet: look in your MoMo balance. Its payments are verified once ${ESTABLISHED.links} texts of this wallet follow each other, ${ESTABLISHED.outgoing} of them about money that went out, and at the earliest ${ESTABLISHED.days} days after the first`;
