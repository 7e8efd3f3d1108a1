import { type Command, Option } from 'commander';
import { COMMAND_LINE } from '../../../shared/merchants/audit/audit.table.ts';
import { INVITATION_SECONDS } from '../../../shared/merchants/user/invitation.table.ts';
import {
  inviteAgain,
  inviteUser,
  requireUser,
  revokeSessions,
  showUsers,
  takeOut,
} from '../../../shared/merchants/user/manage-users.ts';
import { type Role, roles } from '../../../shared/merchants/user/permissions.ts';
import { invitationUrl } from '../../../shared/pages/dashboard/sign-in/invitation-link.ts';
import { OperatorError } from '../../../shared/runtime/stage/operator-error.ts';
import { run, runAt, verb } from '../command.ts';
import { someText } from '../options.ts';

const USER = new Option('--user <id>', 'the person').argParser(someText).makeOptionMandatory();
const BY = { by: COMMAND_LINE };

export function addUserCommands(program: Command): void {
  const user = program.command('user').description('people who use the dashboard');

  verb(user, 'invite', `print a link to make a passkey at: once, within ${INVITATION_SECONDS / 60} minutes`, [
    new Option('--merchant <id>', 'whose dashboard it is; without it, with --role operator, that of the whole stage'),
    new Option('--name <name>', 'as colleagues call this person').argParser(someText),
    new Option('--role <role>', 'what they may do (for a merchant: owner)').choices([...roles]),
    new Option('--user <id>', 'somebody who lost their passkey, in place of a new person').argParser(someText),
  ]).action(
    runAt(async ({ outside, baseUrl }, options: Invited) => {
      const { user_id, token } = await invited(outside, options);
      return { user_id, url: invitationUrl({ baseUrl: await baseUrl() }, token) };
    }),
  );

  verb(user, 'list', 'show the people of a merchant, or those who run the stage', [
    new Option('--merchant <id>', 'the merchant'),
  ]).action(
    run(async (outside, { merchant }: { merchant?: string }) => ({ users: await showUsers(outside, merchant) })),
  );

  verb(user, 'remove', 'remove a person, with their passkeys and sessions', [USER]).action(
    run(async (outside, options: { user: string }) => {
      const person = await requireUser(outside, options.user);
      await takeOut(outside, person, BY);
      return { removed: person.name };
    }),
  );

  verb(user, 'revoke-sessions', 'sign a person out everywhere', [USER]).action(
    run(async (outside, options: { user: string }) => ({
      ended: await revokeSessions(outside, await requireUser(outside, options.user), BY),
    })),
  );
}

interface Invited {
  merchant?: string;
  name?: string;
  role?: Role;
  user?: string;
}

/** A new person, or one who lost their passkey. */
async function invited(
  outside: Parameters<typeof inviteUser>[0],
  { merchant, name, role = 'owner', user }: Invited,
): Promise<{ user_id: string; token: string }> {
  if (user !== undefined) {
    const person = await requireUser(outside, user);
    return { user_id: person.user_id, token: await inviteAgain(outside, person, BY) };
  }
  if (name === undefined) throw new OperatorError('Whom? Add --name, or --user for somebody who lost their passkey.');
  if ((role === 'operator') === (merchant !== undefined))
    throw new OperatorError('Add --merchant, or --role operator for somebody who runs the stage, and not both.');
  const { user: person, token } = await inviteUser(outside, { name, role, merchant_id: merchant }, BY);
  return { user_id: person.user_id, token };
}
