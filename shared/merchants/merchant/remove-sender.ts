import { requireSender } from '../../phones/sender/manage-senders.ts';
import { deleteSender } from '../../phones/sender/sender.table.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import { listMerchants } from './merchant.table.ts';

/**
 * Removes a sender. Texts that still wait on it fail, and their credits are given back. Payments that its phone hears are nobody's then.
 * @throws NoSuch sender; PublicError `invalid_request` while it is enabled, or a merchant's texts leave from it by default.
 */
export async function removeSender(outside: Pick<Outside, 'table'>, number: string): Promise<readonly TableWrite[]> {
  const [sender, merchants] = await Promise.all([requireSender(outside, number), listMerchants(outside)]);
  if (sender.enabled)
    throw new PublicError(
      'invalid_request',
      `${number} still accepts texts. Disable it first, and let its texts leave.`,
    );
  const users = merchants.filter(({ default_from }) => default_from === number);
  if (users.length > 0)
    throw new PublicError(
      'invalid_request',
      `Texts of ${users.map(({ name }) => name).join(', ')} leave from ${number} by default. Give them another number first.`,
    );
  return [deleteSender(number)];
}
