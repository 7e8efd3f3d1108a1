import { requireMerchant } from '../merchant/manage-merchant.ts';
import type { Outside } from '../runtime/outside/outside.ts';
import { newUlid } from '../runtime/values/ids.ts';
import { createUser, type User } from './user.table.ts';

/** Adds a person of a merchant, or an operator. @throws NoSuch merchant. */
export async function addUser(
  outside: Pick<Outside, 'table' | 'now' | 'randomBytes'>,
  { name, role, merchant_id }: Pick<User, 'name' | 'role' | 'merchant_id'>,
): Promise<User> {
  if (merchant_id !== undefined) await requireMerchant(outside, merchant_id);
  const user = {
    user_id: newUlid(outside),
    name,
    role,
    ...(merchant_id && { merchant_id }),
    created_at: new Date(outside.now()).toISOString(),
  };
  await outside.table.write([createUser(user)]);
  return user;
}
