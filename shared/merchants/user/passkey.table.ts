/*
 * passkey   PASSKEY#<user> / <credential id>   what a person signs in with; its private half is in their phone or computer
 */
import * as z from 'zod/mini';
import { type Clock, nowIso, type TableOutside } from '../../runtime/outside/outside.ts';
import { changeItem, createItem, type TableWrite } from '../../runtime/table/table.ts';
import { PublicError } from '../../runtime/values/errors.ts';

const Passkey = z.object({
  user_id: z.string(),
  /** Base64url. */
  credential_id: z.string(),
  /** SPKI, in base64. */
  public_key: z.string(),
  /** How often it was used, by its own count; many say 0 each time. */
  counter: z.number(),
  /** Where it was made: `Chrome on Android`. */
  browser: z.string(),
  created_at: z.string(),
  used_at: z.string(),
});
export type Passkey = z.infer<typeof Passkey>;

const keyOf = (userId: string, credentialId: string) => ({ pk: `PASSKEY#${userId}`, sk: credentialId });

export async function getPasskey(
  outside: TableOutside,
  userId: string,
  credentialId: string,
): Promise<Passkey | undefined> {
  const item = await outside.table.get(keyOf(userId, credentialId));
  return item && z.parse(Passkey, item);
}

/** A person's passkeys, the first one first. */
export async function listPasskeys(outside: TableOutside, userId: string): Promise<Passkey[]> {
  const passkeys = (await outside.table.list(`PASSKEY#${userId}`)).map((item) => z.parse(Passkey, item));
  return passkeys.sort((one, other) => one.created_at.localeCompare(other.created_at));
}

export function createPasskey(passkey: Passkey): TableWrite {
  return createItem(
    { ...keyOf(passkey.user_id, passkey.credential_id), ...passkey },
    () => new PublicError('invalid_request', 'This passkey is known already.'),
  );
}

/** Notes that a passkey was used; refused where its count has changed since it was read: there may be two copies of it. */
export function usePasskey(outside: Clock, passkey: Passkey, counter: number): TableWrite {
  const used = { used_at: nowIso(outside), counter };
  const unused = { when: '#counter = :was', values: { ':was': passkey.counter } };
  return {
    ...changeItem(keyOf(passkey.user_id, passkey.credential_id), used, unused),
    refused: () => new PublicError('busy', 'This passkey was used at the same time. Try again.'),
  };
}

export function removePasskey(userId: string, credentialId: string): TableWrite {
  return { delete: { Key: keyOf(userId, credentialId) } };
}
