import type { Outside } from '../../runtime/outside/outside.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import { rereadAccounts } from './accounts.ts';
import { noteRefused, type Refused } from './refused-callback.table.ts';

/**
 * Checks a callback against the cached accounts. Before rejecting a callback, reloads the accounts and checks again.
 */
export async function refusalNow(
  outside: Outside,
  judge: () => Promise<Refused | undefined>,
): Promise<Refused | undefined> {
  const refusal = await judge();
  // A reload cannot correct a phone's clock.
  const mayHaveChanged = refusal !== undefined && refusal.reason !== 'clock';
  return mayHaveChanged && (await rereadAccounts(outside)) ? judge() : refusal;
}

/**
 * Counts a rejected callback and returns the error. The error is the same for every reason, so that callers cannot find
 * out which phones exist.
 */
export async function refused(outside: Outside, what: Refused, help: string): Promise<PublicError> {
  const { gateway, reason } = what;
  const isNoted = await noteRefused(outside, what).catch(() => false);
  // Omit the device id, which anybody can invent.
  if (isNoted && gateway !== undefined) outside.log.warn('callback_refused', { gateway, code: reason });
  return new PublicError('unauthorized', `The signature is not valid. Check ${help}.`);
}
