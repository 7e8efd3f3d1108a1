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
import { createItem } from '../runtime/table/table.ts';

const keyOf = (half: 'public' | 'private') => ({ pk: `PUSH_KEY#${half}`, sk: 'PUSH_KEY' });

const PublicKey = z.object({ public_key: z.string() });
const PushKey = z.extend(PublicKey, { private_key: z.string() });
/** Both halves, in base64url: the point without compression, and the number. */
export type PushKey = z.infer<typeof PushKey>;

/** The public half, after making both where there is none yet. */
export async function publicPushKey(outside: TableOutside & Pick<IdOutside, 'randomBytes'>): Promise<string> {
  const known = await readPublic(outside);
  if (known) return known;
  const key = newPushKey(outside);
  // Where another has made one at the same time, that is it.
  const refused = () => undefined;
  await outside.table.write([
    createItem({ ...keyOf('private'), ...key }, refused),
    createItem({ ...keyOf('public'), public_key: key.public_key }, refused),
  ]);
  return (await readPublic(outside)) ?? key.public_key;
}

/** Both halves; undefined before the first use. */
export function pushKey(outside: TableOutside & Clock): Promise<PushKey | undefined> {
  return keys.get(outside, 'private');
}

const KEPT_SECONDS = 5 * 60;
const keys = cached(KEPT_SECONDS, async (outside: TableOutside & Clock) => {
  const item = await outside.table.get(keyOf('private'));
  return item && z.parse(PushKey, item);
});

async function readPublic({ table }: TableOutside): Promise<string | undefined> {
  const item = await table.get(keyOf('public'));
  return item && z.parse(PublicKey, item).public_key;
}

/** A key of P-256, whose private half is 32 random bytes. */
function newPushKey({ randomBytes }: Pick<IdOutside, 'randomBytes'>): PushKey {
  const pair = createECDH('prime256v1');
  const secret = randomBytes(32);
  pair.setPrivateKey(secret);
  return { private_key: secret.toString('base64url'), public_key: pair.getPublicKey('base64url') };
}
