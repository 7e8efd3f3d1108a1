import type { Network } from '../ghana/network.ts';

/** What a customer needs to know about the network of the MoMo number. */
export interface NetworkFacts {
  /** As customers call the wallet. */
  readonly name: string;
  /** The name of its colours in `checkout.css`. */
  readonly colours: 'mtn' | 'telecel' | 'at';
  /** The code to dial to start a payment. */
  readonly ussd: string;
  /** For a customer whose own wallet is on another network. */
  readonly fromOthers: string;
}

export const networks: Readonly<Record<Network, NetworkFacts>> = {
  MTN: {
    name: 'MTN MoMo',
    colours: 'mtn',
    ussd: '*170#',
    fromOthers: 'From Telecel or AT: dial *110# and send to an MTN number.',
  },
  TELECEL: {
    name: 'Telecel Cash',
    colours: 'telecel',
    ussd: '*110#',
    fromOthers: 'From MTN: dial *170#, from AT: *110#, and send to a Telecel number.',
  },
  AT: {
    name: 'AT Money',
    colours: 'at',
    ussd: '*110#',
    fromOthers: 'From MTN: dial *170#, from Telecel: *110#, and send to an AT number.',
  },
};
