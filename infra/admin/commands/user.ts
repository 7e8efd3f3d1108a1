import { COMMAND_LINE } from '../../../shared/merchants/audit/audit.table.ts';
import { invitationTime } from '../../../shared/merchants/user/invitation.table.ts';
import {
  inviteAgain,
  inviteUser,
  removePerson,
  revokeSessions,
  showUsers,
} from '../../../shared/merchants/user/manage-users.ts';
import { roles } from '../../../shared/merchants/user/permissions.ts';
import { requireUser } from '../../../shared/merchants/user/user.table.ts';
import { invitationUrl, PersonName } from '../../../shared/pages/dashboard/sign-in/invitation-link.ts';
import type { AdminOutside } from '../../../shared/runtime/stage/deployment.ts';
import { OperatorError } from '../../../shared/runtime/stage/operator-error.ts';
import { type Given, noun, oneOf, optional, required, verb } from '../command.ts';
import { read, someText } from '../options.ts';

const USER = required('<id>', 'the person', someText);
const BY = { by: COMMAND_LINE };

const INVITED = {
  merchant: optional(
    '<id>',
    'the merchant whose dashboard they use; leave it out with --role operator for the whole stage',
    String,
  ),
  name: optional('<name>', 'the name that colleagues use', read(PersonName)),
  role: oneOf('<role>', 'their role (for a merchant: owner)', roles),
  user: optional('<id>', 'an existing user who lost their passkey, instead of a new one', someText),
};

export const users = noun('user', 'people who use the dashboard', {
  invite: verb(
    `print a link to create a passkey, valid once within ${invitationTime({ role: 'owner' })} (for a cashier or viewer, ${invitationTime({ role: 'cashier' })})`,
    INVITED,
    async ({ outside, baseUrl }, options) => {
      const { user_id, token } = await invited(outside, options);
      return { user_id, url: invitationUrl({ baseUrl: await baseUrl() }, token) };
    },
  ),
  list: verb(
    'list the users of a merchant, or the operators of the stage',
    { merchant: optional('<id>', 'the merchant', String) },
    async ({ outside }, { merchant }) => ({ users: await showUsers(outside, merchant) }),
  ),
  remove: verb(
    'remove a user, with their passkeys, sessions and API keys',
    { user: USER },
    async ({ outside }, { user }) => {
      const person = await requireUser(outside, user);
      await removePerson(outside, person, BY);
      return { removed: person.name };
    },
  ),
  'revoke-sessions': verb('sign a user out everywhere', { user: USER }, async ({ outside }, { user }) => ({
    ended: await revokeSessions(outside, await requireUser(outside, user), BY),
  })),
});

async function invited(
  outside: AdminOutside,
  { merchant, name, role = 'owner', user }: Given<typeof INVITED>,
): Promise<{ user_id: string; token: string }> {
  if (user !== undefined) {
    const person = await requireUser(outside, user);
    return { user_id: person.user_id, token: await inviteAgain(outside, person, BY) };
  }
  if (name === undefined)
    throw new OperatorError('No person was given. Add --name, or --user for somebody who lost their passkey.');
  if ((role === 'operator') === (merchant !== undefined))
    throw new OperatorError(
      'No dashboard was given. Add --merchant, or --role operator for somebody who runs the stage.',
    );
  const { user: person, token } = await inviteUser(outside, { name, role, merchant_id: merchant }, BY);
  return { user_id: person.user_id, token };
}
