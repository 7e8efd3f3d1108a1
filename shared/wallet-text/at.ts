import type { NetworkTexts } from './shape.ts';

/** AT, once AirtelTigo. No verified text of its wallets has been found, so none is read: each is left to a person. */
export const at: NetworkTexts = {
  network: 'AT',
  senders: ['atmoney'],
  /** Unknown: nothing is one. */
  transactionId: '(?!)',
  shapes: {},
  chargeLabels: [],
  adverts: [],
  systems: [],
};
