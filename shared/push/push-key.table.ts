/**
 * push key   PUSH_KEY#public / PUSH_KEY    public key that identifies the stage to push services (RFC 8292)
 *            PUSH_KEY#private / PUSH_KEY   key pair, readable only by the function that signs
 *
 * Created on first use. Browser subscriptions work only with this key, so both are stored and backed up in one table.
 */
import { createECDH } from 'node:crypto';
import * as z from 'zod/mini';
import { cached } from '../runtime/outside/cached.ts';
import type { Clock, IdOutside, TableOutside } from '../runtime/outside/outside.ts';
import { rows } from '../runtime/table/rows.ts';

const PublicKey = z.object({ public_key: z.string() });
const PushKey = z.extend(PublicKey, { private_key: z.string() });
/** Base64url: the uncompressed public point and the private scalar. */
export type PushKey = z.infer<typeof PushKey>;

const publicRows = rows(PublicKey, { pk: 'PUSH_KEY#public', sk: 'PUSH_KEY' });
const privateRows = rows(PushKey, { pk: 'PUSH_KEY#private', sk: 'PUSH_KEY' });

/** Returns the public key. Creates the key pair on first use. */
export async function publicPushKey(outside: TableOutside & Pick<IdOutside, 'randomBytes'>): Promise<string> {
  const known = await readPublic(outside);
  if (known) return known;
  const key = newPushKey(outside);
  // If two processes create a key pair at once, the first one wins.
  await outside.table.write([privateRows.createOnce(key), publicRows.createOnce({ public_key: key.public_key })]);
  return (await readPublic(outside)) ?? key.public_key;
}

export function pushKey(outside: TableOutside & Clock): Promise<PushKey | undefined> {
  return keys.get(outside, 'private');
}

const KEPT_SECONDS = 5 * 60;
const keys = cached(KEPT_SECONDS, (outside: TableOutside & Clock) => privateRows.find(outside, {}));

async function readPublic(outside: TableOutside): Promise<string | undefined> {
  return (await publicRows.find(outside, {}))?.public_key;
}

/** Creates a P-256 key pair from 32 random bytes. */
function newPushKey({ randomBytes }: Pick<IdOutside, 'randomBytes'>): PushKey {
  const pair = createECDH('prime256v1');
  const secret = randomBytes(32);
  pair.setPrivateKey(secret);
  return { private_key: secret.toString('base64url'), public_key: pair.getPublicKey('base64url') };
}
