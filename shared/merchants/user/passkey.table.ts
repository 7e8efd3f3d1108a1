/**
 * passkey   PASSKEY#<user> / <credential id>   a user's sign-in credential. The private key stays on their device
 */
import * as z from 'zod/mini';
import { type Clock, nowIso, type TableOutside } from '../../runtime/outside/outside.ts';
import { rows } from '../../runtime/table/rows.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { PublicError } from '../../runtime/values/errors.ts';

const Passkey = z.object({
  user_id: z.string(),
  credential_id: z.string(),
  public_key: z.string(),
  /** The passkey's signature counter, which is always 0 for many passkeys. */
  counter: z.number(),
  browser: z.string(),
  created_at: z.string(),
  used_at: z.string(),
});
export type Passkey = z.infer<typeof Passkey>;

export const passkeyRows = rows(Passkey, {
  pk: 'PASSKEY#<user_id>',
  sk: '<credential_id>',
  changed: 'This passkey is already being used elsewhere. Try again.',
});

export async function listPasskeys(outside: TableOutside, user_id: string): Promise<Passkey[]> {
  const passkeys = await passkeyRows.list(outside, { user_id });
  return passkeys.sort((one, other) => one.created_at.localeCompare(other.created_at));
}

export function createPasskey(passkey: Passkey): TableWrite {
  return passkeyRows.create(passkey, () => new PublicError('invalid_request', 'This passkey is already registered.'));
}

/** Records a passkey's use. The write fails if the counter has changed, because the passkey may be cloned. */
export function usePasskey(outside: Clock, passkey: Passkey, counter: number): TableWrite {
  const used = { used_at: nowIso(outside), counter };
  const unused = { when: '#counter = :was', values: { ':was': passkey.counter } };
  return passkeyRows.change(passkey, used, { ...unused, refused: passkeyRows.changed });
}
