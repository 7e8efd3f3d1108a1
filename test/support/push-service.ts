import {
  createDecipheriv,
  createECDH,
  createHmac,
  createPublicKey,
  type ECDH,
  hkdfSync,
  randomBytes,
  verify,
} from 'node:crypto';
import * as z from 'zod';
import type { PublicPost } from '../../shared/runtime/outside/post-public.ts';

// A browser and its push service, as specified in RFC 8030, 8188, 8291 and 8292. Written without the push library.

const Payload = z.strictObject({
  id: z.string(),
  kind: z.string(),
  title: z.string(),
  body: z.string(),
  path: z.string(),
  many: z.string(),
  list: z.string(),
  more: z.literal(true).optional(),
  look_first: z.string().optional(),
  unsure: z.string().optional(),
});
export type Payload = z.infer<typeof Payload>;

export class TestBrowser {
  readonly endpoint: string;
  readonly #pair: ECDH = createECDH('prime256v1');
  readonly #auth = randomBytes(16);

  constructor(endpoint = `https://push.example.com/canary-${randomBytes(9).toString('base64url')}`) {
    this.endpoint = endpoint;
    this.#pair.generateKeys();
  }

  get subscription(): string {
    const keys = { p256dh: this.#pair.getPublicKey('base64url'), auth: this.#auth.toString('base64url') };
    return JSON.stringify({ endpoint: this.endpoint, expirationTime: null, keys });
  }

  /** Decrypts a push message. @throws if it is for another browser or violates RFC 8291. */
  open({ body, encoding }: Pick<PublicPost, 'body' | 'encoding'>): Payload {
    const bytes = Buffer.from(body, encoding ?? 'utf8');
    if (bytes.length > 4096) throw new Error(`The push has ${bytes.length} bytes, more than 4096`);
    const [salt, size, length] = [bytes.subarray(0, 16), bytes.readUInt32BE(16), bytes.readUInt8(20)];
    const [sender, sealed] = [bytes.subarray(21, 21 + length), bytes.subarray(21 + length)];
    if (sealed.length > size) throw new Error('The push has more than one record');
    const secret = this.#pair.computeSecret(sender);
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), this.#pair.getPublicKey(), sender]);
    const ikm = Buffer.from(hkdfSync('sha256', secret, this.#auth, info, 32));
    const prk = createHmac('sha256', salt).update(ikm).digest();
    const derived = (name: string, bytesOfIt: number) =>
      createHmac('sha256', prk).update(`Content-Encoding: ${name}\0\u0001`).digest().subarray(0, bytesOfIt);
    const decipher = createDecipheriv('aes-128-gcm', derived('aes128gcm', 16), derived('nonce', 12));
    decipher.setAuthTag(sealed.subarray(-16));
    const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
    const end = padded.findLastIndex((byte) => byte !== 0);
    if (padded[end] !== 2) throw new Error('The last record does not end in a 2');
    return Payload.parse(JSON.parse(padded.subarray(0, end).toString()));
  }
}

/** Returns a push message's sender according to RFC 8292. @throws if the signature is wrong. */
export function senderOf({ url, headers }: PublicPost, nowMs = Date.now()): { key: string; subject: string } {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(headers.authorization ?? '') ?? [];
  const [head = '', claims = '', signature = ''] = token.split('.');
  const point = Buffer.from(key, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
  const signed = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const;
  if (!verify('sha256', Buffer.from(`${head}.${claims}`), signed, Buffer.from(signature, 'base64url')))
    throw new Error('The push is not signed with its own key');
  const { aud, exp, sub } = Claims.parse(JSON.parse(Buffer.from(claims, 'base64url').toString()));
  if (aud !== new URL(url).origin.replace('http:', 'https:')) throw new Error(`The push is for ${aud}`);
  const leftSeconds = exp - nowMs / 1000;
  if (leftSeconds <= 0 || leftSeconds > 24 * 60 * 60) throw new Error(`The push is valid for ${leftSeconds} s`);
  return { key, subject: sub };
}

const Claims = z.object({ aud: z.string(), exp: z.number(), sub: z.string() });
