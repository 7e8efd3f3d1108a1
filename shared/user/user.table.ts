/*
 * user   USER#<id> / USER   a person who uses the dashboard
 *   gsi1   MERCHANT#<merchant>#USER / <created_at>     OPERATOR#USER for those who run the stage
 */
import * as z from 'zod/mini';
import type { Item, TableWrite } from '../runtime/table/table.ts';
import { roles } from './permissions.ts';

export const User = z.object({
  /** A ulid. */
  user_id: z.string(),
  /** As colleagues call this person. */
  name: z.string(),
  role: z.enum(roles),
  /** Whose dashboard it is; an operator has none. */
  merchant_id: z.optional(z.string()),
  created_at: z.string(),
});
export type User = z.infer<typeof User>;

export const userKey = (userId: string) => ({ pk: `USER#${userId}`, sk: 'USER' });
const indexPartition = (merchantId: string | undefined) =>
  merchantId === undefined ? 'OPERATOR#USER' : `MERCHANT#${merchantId}#USER`;

export function parseUser(item: Item): User {
  return z.parse(User, item);
}

export function createUser(user: User): TableWrite {
  const index = { gsi1pk: indexPartition(user.merchant_id), gsi1sk: user.created_at };
  return {
    put: { Item: { ...userKey(user.user_id), ...index, ...user }, ConditionExpression: 'attribute_not_exists(pk)' },
  };
}
