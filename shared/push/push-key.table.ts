/*
 * push key   PUSH_KEY#public / PUSH_KEY    by which push services know the stage (RFC 8292): what browsers are told
 *            PUSH_KEY#private / PUSH_KEY   the half that signs, for the one function that sends
 *
 * Made once, at the first use. A browser's subscription is bound to it, so it is in the table with them, and comes back with them from
 * a backup.
 */
import { createECDH } from 'node:crypto';
import * as z from 'zod/mini';
import { cached } from '../runtime/outside/cached.ts';
import type { Clock, IdOutside, TableOutside } from '../runtime/outside/outside.ts';
import { rows } from '../runtime/table/rows.ts';

const PublicKey = z.object({ public_key: z.string() });
const PushKey = z.extend(PublicKey, { private_key: z.string() });
/** Both halves, in base64url: the point without compression, and the number. */
export type PushKey = z.infer<typeof PushKey>;

const publicRows = rows(PublicKey, { pk: 'PUSH_KEY#public', sk: 'PUSH_KEY' });
const privateRows = rows(PushKey, { pk: 'PUSH_KEY#private', sk: 'PUSH_KEY' });

/** The public half, after making both where there is none yet. */
export async function publicPushKey(outside: TableOutside & Pick<IdOutside, 'randomBytes'>): Promise<string> {
  const known = await readPublic(outside);
  if (known) return known;
  const key = newPushKey(outside);
  // Where another has made one at the same time, that is it.
  await outside.table.write([privateRows.createOnce(key), publicRows.createOnce({ public_key: key.public_key })]);
  return (await readPublic(outside)) ?? key.public_key;
}

/** Both halves; undefined before the first use. */
export function pushKey(outside: TableOutside & Clock): Promise<PushKey | undefined> {
  return keys.get(outside, 'private');
}

const KEPT_SECONDS = 5 * 60;
const keys = cached(KEPT_SECONDS, (outside: TableOutside & Clock) => privateRows.find(outside, {}));

async function readPublic(outside: TableOutside): Promise<string | undefined> {
  return (await publicRows.find(outside, {}))?.public_key;
}

/** A key of P-256, whose private half is 32 random bytes. */
function newPushKey({ randomBytes }: Pick<IdOutside, 'randomBytes'>): PushKey {
  const pair = createECDH('prime256v1');
  const secret = randomBytes(32);
  pair.setPrivateKey(secret);
  return { private_key: secret.toString('base64url'), public_key: pair.getPublicKey('base64url') };
}
