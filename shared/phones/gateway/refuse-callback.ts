import type { Outside } from '../../runtime/outside/outside.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import { rereadAccounts } from './accounts.ts';
import { noteRefused, type Refused } from './refused-callback.table.ts';

/** By what is remembered of the accounts and their keys, and where that would refuse a phone, by these as they are now. */
export async function refusalNow(
  outside: Outside,
  judge: () => Promise<Refused | undefined>,
): Promise<Refused | undefined> {
  const refusal = await judge();
  // No account mends a clock.
  const mayHaveChanged = refusal !== undefined && refusal.reason !== 'clock';
  return mayHaveChanged && (await rereadAccounts(outside)) ? judge() : refusal;
}

/** Counts what is refused. The answer is the same whatever the reason, so that no gateway and no phone is disclosed: `help` is what to check. */
export async function refused(outside: Outside, what: Refused, help: string): Promise<PublicError> {
  const { gateway, reason } = what;
  const isNoted = await noteRefused(outside, what).catch(() => false);
  // Without the device's id, which anybody may have chosen.
  if (isNoted && gateway !== undefined) outside.log.warn('callback_refused', { gateway, code: reason });
  return new PublicError('unauthorized', `The signature is not valid: check ${help}.`);
}
