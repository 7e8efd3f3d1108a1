import { createPublicKey, type JsonWebKey, verify } from 'node:crypto';
import {
  type AuthenticatorData,
  ClientDataType,
  COSEKeyType,
  type COSEPublicKey,
  coseAlgorithmES256,
  coseAlgorithmRS256,
  coseEllipticCurveP256,
  parseAttestationObject,
  parseAuthenticatorData,
  parseClientDataJSON,
} from '@oslojs/webauthn';
import * as z from 'zod/mini';
import { MAX_PATH_ID_CHARACTERS } from '../../runtime/http/request.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import { parseJson } from '../../runtime/values/json.ts';
import { sha256Bytes } from '../../runtime/values/sha256.ts';
import type { Passkey } from './passkey.table.ts';

const Bytes = z.string().check(z.regex(/^[\w-]+$/), z.maxLength(4_000));

const Made = z.object({ clientDataJSON: Bytes, attestationObject: Bytes });
const Signed = z.object({
  id: Bytes,
  userHandle: Bytes,
  clientDataJSON: Bytes,
  authenticatorData: Bytes,
  signature: Bytes,
});
export type Signed = z.infer<typeof Signed>;

/** Accepted signature algorithms. ES256 covers nearly all devices; some Windows computers use RS256. */
export const passkeyAlgorithms = [coseAlgorithmES256, coseAlgorithmRS256] as const;

type Own = Pick<Outside, 'baseUrl'>;

export function passkeyHost({ baseUrl }: Own): string {
  return new URL(baseUrl).hostname;
}

/** Parses a signature in the format that browsers send. @throws PublicError `invalid_request`. */
export function readSigned(written: string): Signed {
  return parseJson(Signed, written) ?? refuse();
}

/**
 * Verifies a new passkey against its challenge.
 * @throws PublicError `invalid_request` if anything differs from the request.
 */
export function verifyMade(own: Own, challenge: string, written: string) {
  return orRefuse(() => {
    const made = parseJson(Made, written) ?? refuse();
    requireClient(own, challenge, ClientDataType.Create, made.clientDataJSON);
    const { authenticatorData } = parseAttestationObject(Buffer.from(made.attestationObject, 'base64url'));
    requireAuthenticator(own, authenticatorData);
    const { credential, signatureCounter } = authenticatorData;
    const credential_id = Buffer.from(credential?.id ?? []).toString('base64url');
    if (!credential || credential_id.length > MAX_PATH_ID_CHARACTERS) return refuse();
    return { credential_id, public_key: spkiOf(credential.publicKey), counter: signatureCounter };
  });
}

/** Verifies a signed challenge. @returns the passkey's new counter. @throws PublicError `invalid_request`. */
export function verifySigned(own: Own, challenge: string, passkey: Passkey, signed: Signed): number {
  return orRefuse(() => {
    requireClient(own, challenge, ClientDataType.Get, signed.clientDataJSON);
    const [data, client, signature] = [signed.authenticatorData, signed.clientDataJSON, signed.signature].map((text) =>
      Buffer.from(text, 'base64url'),
    );
    if (!data || !client || !signature) return refuse();
    const authenticator = parseAuthenticatorData(data);
    requireAuthenticator(own, authenticator);
    const key = createPublicKey({ key: Buffer.from(passkey.public_key, 'base64'), format: 'der', type: 'spki' });
    const message = Buffer.concat([data, sha256Bytes(client)]);
    if (!verify('sha256', message, key, signature)) return refuse();
    const { signatureCounter } = authenticator;
    // A counter that does not increase suggests a cloned passkey.
    if ((signatureCounter > 0 || passkey.counter > 0) && signatureCounter <= passkey.counter) return refuse();
    return signatureCounter;
  });
}

function requireClient({ baseUrl }: Own, challenge: string, type: ClientDataType, written: string): void {
  const client = parseClientDataJSON(Buffer.from(written, 'base64url'));
  const isOurs = client.origin === new URL(baseUrl).origin && !client.crossOrigin;
  const isAsked = client.type === type && Buffer.from(client.challenge).toString('base64url') === challenge;
  if (!isOurs || !isAsked) refuse();
}

function requireAuthenticator(own: Own, data: AuthenticatorData): void {
  if (!data.verifyRelyingPartyIdHash(passkeyHost(own)) || !data.userPresent || !data.userVerified) refuse();
}

function spkiOf(publicKey: COSEPublicKey): string {
  return createPublicKey({ key: jwkOf(publicKey), format: 'jwk' })
    .export({ format: 'der', type: 'spki' })
    .toString('base64');
}

function jwkOf(publicKey: COSEPublicKey): JsonWebKey {
  if (publicKey.type() === COSEKeyType.EC2 && publicKey.algorithm() === coseAlgorithmES256) {
    const { curve, x, y } = publicKey.ec2();
    if (curve !== coseEllipticCurveP256) refuse();
    return { kty: 'EC', crv: 'P-256', x: base64url(x, 32), y: base64url(y, 32) };
  }
  if (publicKey.type() !== COSEKeyType.RSA || publicKey.algorithm() !== coseAlgorithmRS256) refuse();
  const { n, e } = publicKey.rsa();
  if (n < 2n ** 2047n) refuse();
  return { kty: 'RSA', n: base64url(n, 0), e: base64url(e, 0) };
}

function base64url(number: bigint, bytes: number): string {
  const hex = number.toString(16);
  const length = Math.max(bytes * 2, hex.length + (hex.length % 2));
  return Buffer.from(hex.padStart(length, '0'), 'hex').toString('base64url');
}

function orRefuse<Result>(check: () => Result): Result {
  try {
    return check();
  } catch {
    return refuse();
  }
}

/** Returns the same message for all failures, so that attackers learn nothing. */
function refuse(): never {
  throw new PublicError('invalid_request', 'That passkey was not accepted. Try again, or use a different passkey.');
}
