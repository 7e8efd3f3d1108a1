import { may } from '../../user/permissions.ts';
import type { User } from '../../user/user.table.ts';

/** A network's text as somebody may read it: what is in the wallet is not for everybody. */
export function shownText(user: User, text: string | undefined): string | undefined {
  return may(user, 'balances:read') ? text : text?.replace(BALANCE, '$1…');
}

/** The word in any form, and the next number after it. */
const BALANCE = /(\bbal\w*[^\d]{0,40})\d[\d,]*(?:\.\d+)?/gi;
