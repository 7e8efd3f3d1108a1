import { Network, networks } from '../../ghana/network.ts';
import type { MomoAccount } from '../../merchants/merchant/merchant.ts';
import type { Transaction } from '../../money/transaction/transaction.table.ts';
import { accountsOf } from '../../money/transaction/transaction.ts';

/** Which network a customer pays from, and the account that is paid from there. */
interface PayingFrom {
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

/** For a customer whose own wallet is on another network: `From Telecel or AT: dial *110# and send to an MTN number.` */
export function fromOthers(network: Network): string {
  const others = Network.options.filter((one) => one !== network).map((one) => networks[one]);
  const ways = Object.entries(Object.groupBy(others, ({ ussd }) => ussd)).map(
    ([ussd, from = []], n) =>
      `${n ? 'from' : 'From'} ${from.map(({ short }) => short).join(' or ')}: ${n ? '' : 'dial '}${ussd}`,
  );
  const { article, short } = networks[network];
  return `${ways.join(', ')}${ways.length > 1 ? ',' : ''} and send to ${article} ${short} number.`;
}
