import { may } from '../../../merchants/user/permissions.ts';
import type { User } from '../../../merchants/user/user.table.ts';
import type { mayUndo } from '../../../money/till/take.ts';

export function undoerOf(user: User): Parameters<typeof mayUndo>[2] {
  return { by: user.user_id, mayAssign: may(user, 'receipts:assign') };
}
