import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

interface Signing {
  readonly origin?: string;
  readonly crossOrigin?: boolean;
  readonly type?: string;
  readonly challenge?: string;
  readonly host?: string;
  readonly isVerified?: boolean;
  readonly counter?: number;
  readonly forges?: boolean;
}

/** A passkey that can also sign invalid data. */
export interface TestPasskey {
  make(challenge: string): string;
  sign(challenge: string, how?: Signing): string;
}

export function newPasskey(baseUrl: string, userHandle: string, idBytes = 16): TestPasskey {
  const id = randomBytes(idBytes);
  const own = newKeys();
  const { origin, hostname } = new URL(baseUrl);
  const another = newKeys();
  const client = (type: string, challenge: string, how: Signing = {}) =>
    Buffer.from(
      JSON.stringify({
        type: how.type ?? type,
        challenge: how.challenge ?? challenge,
        origin: how.origin ?? origin,
        crossOrigin: how.crossOrigin ?? false,
      }),
    );
  const head = ({ host = hostname, isVerified = true, counter = 0 }: Signing, more = 0) => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([sha256(host), Buffer.of(1 | (isVerified ? 4 : 0) | more), count]);
  };
  return {
    make: (challenge) => {
      const { x = '', y = '' } = own.publicKey.export({ format: 'jwk' });
      const length = Buffer.of(id.length >> 8, id.length & 0xff);
      const data = Buffer.concat([head({}, 0x40), Buffer.alloc(16), length, id, cosePoint(x, y)]);
      return JSON.stringify({
        clientDataJSON: client('webauthn.create', challenge).toString('base64url'),
        attestationObject: attestation(data).toString('base64url'),
      });
    },
    sign: (challenge, how = {}) => {
      const [data, text] = [head(how), client('webauthn.get', challenge, how)];
      const signature = sign('sha256', Buffer.concat([data, sha256(text)]), (how.forges ? another : own).privateKey);
      return JSON.stringify({
        id: id.toString('base64url'),
        userHandle,
        clientDataJSON: text.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
      });
    },
  };
}

function newKeys() {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' });
}

function sha256(data: string | Buffer): Buffer {
  return createHash('sha256').update(data).digest();
}

/** CBOR: {1: 2, 3: -7, -1: 1, -2: x, -3: y}. */
function cosePoint(x: string, y: string): Buffer {
  const bytes = (text: string) => Buffer.concat([Buffer.of(0x58, 32), Buffer.from(text, 'base64url')]);
  const head = Buffer.of(0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01);
  return Buffer.concat([head, Buffer.of(0x21), bytes(x), Buffer.of(0x22), bytes(y)]);
}

/** CBOR: {fmt: 'none', attStmt: {}, authData}. */
function attestation(data: Buffer): Buffer {
  const text = (word: string) => Buffer.concat([Buffer.of(0x60 + word.length), Buffer.from(word)]);
  const length = Buffer.of(0x59, data.length >> 8, data.length & 0xff);
  return Buffer.concat([
    Buffer.of(0xa3),
    text('fmt'),
    text('none'),
    text('attStmt'),
    Buffer.of(0xa0),
    text('authData'),
    length,
    data,
  ]);
}
