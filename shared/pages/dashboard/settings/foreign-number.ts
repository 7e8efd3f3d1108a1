import { Network } from '../../../ghana/network.ts';
import { othersPaidOn } from '../../../merchants/merchant/manage-merchant.ts';
import type { Merchant } from '../../../merchants/merchant/merchant.ts';
import { may } from '../../../merchants/user/permissions.ts';
import type { User } from '../../../merchants/user/user.table.ts';
import { listSenders } from '../../../phones/sender/sender.table.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { invalidRequest } from '../../../runtime/values/errors.ts';
import { getChains } from '../../../wallets/chain/chain.table.ts';

/**
 * Refuses a number that may be somebody else's. Whoever adds one that another merchant is paid on hides that merchant's unclear payments
 * from it; whoever adds one whose SIM is in a phone of the stage sees what is in its wallet. The operator knows whose SIM it is, and
 * adds it here or at the command line, which allows it and warns.
 * @throws PublicError `invalid_request`.
 */
export async function refuseForeign(
  outside: Pick<Outside, 'table'>,
  { merchant_id }: Merchant,
  user: User,
  number: string,
): Promise<void> {
  if (may(user, 'operator')) return;
  const wallets = Network.options.map((network) => ({ network, momo_number: number }));
  const [others, senders, chains] = await Promise.all([
    othersPaidOn(outside, merchant_id, number),
    listSenders(outside),
    getChains(outside, wallets),
  ]);
  const isKnown = others.length > 0 || chains.length > 0 || senders.some((sender) => sender.number === number);
  if (!isKnown) return;
  const message = 'is known to this service already: ask the operator to add it, who knows whose it is';
  throw invalidRequest([{ field: 'number', message }]);
}
