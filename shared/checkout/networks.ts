import { Network } from '../ghana/network.ts';
import type { MomoAccount } from '../merchant/momo-account.ts';
import type { Transaction } from '../transaction/transaction.table.ts';
import { accountsOf } from '../transaction/transaction.ts';

/** What a customer needs to know about a network. */
export interface NetworkFacts {
  /** As customers call the wallet. */
  readonly name: string;
  /** As customers call the network. */
  readonly short: string;
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
    short: 'MTN',
    colours: 'mtn',
    ussd: '*170#',
    fromOthers: 'From Telecel or AT: dial *110# and send to an MTN number.',
  },
  TELECEL: {
    name: 'Telecel Cash',
    short: 'Telecel',
    colours: 'telecel',
    ussd: '*110#',
    fromOthers: 'From MTN: dial *170#, from AT: *110#, and send to a Telecel number.',
  },
  AT: {
    name: 'AT Money',
    short: 'AT',
    colours: 'at',
    ussd: '*110#',
    fromOthers: 'From MTN: dial *170#, from Telecel: *110#, and send to an AT number.',
  },
};

/** Which network a customer pays from, and the account that is paid from there. */
export interface PayingFrom {
  readonly payer: Network;
  readonly account: MomoAccount;
  /** The networks to choose from; none where the merchant has numbers on one network only. */
  readonly choices: readonly Network[];
  /** Whether the customer has chosen another network than the charge's own. */
  readonly isChosen: boolean;
}

/** `asked` is what the page's address says; anything that is not one of the choices counts as the charge's own network. */
export function payingFrom(transaction: Transaction, asked: string | undefined): PayingFrom {
  const { momo_number: number, momo_network: network, momo_account_name: account_name } = transaction;
  const accounts = accountsOf(transaction);
  const own = { number, network, account_name };
  const hasChoice = accounts.some((account) => account.network !== network);
  const payer = (hasChoice && Network.options.find((option) => option === asked)) || network;
  const account = payer === network ? undefined : accounts.find((one) => one.network === payer);
  return {
    payer,
    account: account ?? own,
    choices: hasChoice ? Network.options : [],
    isChosen: payer !== network,
  };
}
