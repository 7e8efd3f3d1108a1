import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { gatewayAccount } from '../../../shared/phones/gateway/accounts.ts';
import { CANCELLED, CallbackEvent, refusalOf } from '../../../shared/phones/gateway/callback.ts';
import { createWorld } from '../../support/world.ts';

const NOW_SECONDS = 1_767_783_771;
const BODY = '{"event":"sms:received","id":"1","deviceId":"kiosk"}';
const account = {
  url: 'https://gateway.example.com/3rdparty/v1',
  username: 'ama',
  password: 'secret',
  signing_keys: { kiosk: 'kiosk-key', stall: 'stall-key', keyless: '' },
};

test('a callback is accepted if its phone’s key signed the time and body', () => {
  // Computed with OpenSSL, so that the test does not depend on the code: printf '%s' "$BODY$NOW" | openssl dgst -sha256
  // -hmac kiosk-key
  const signature = 'f2bbac00e0044f837678d9df5a023e418cb323a139d12a6955e34c6a05b06f68';
  const callback = { deviceId: 'kiosk', rawBody: BODY, timestamp: String(NOW_SECONDS), signature };
  expect(refusalOf(account, callback, NOW_SECONDS * 1000)).toBeUndefined();
});

describe('the signed time of a callback', () => {
  test.each([
    [-300_000, true],
    [-299_999, true],
    [0, true],
    [999, true],
    [300_000, true],
    [300_001, false],
    [-300_001, false],
    [86_400_000, false],
    [-86_400_000, false],
  ])('is accepted %d ms after signing: %s', (ageMs, genuine) => {
    expect(refusalOf(account, signed(), NOW_SECONDS * 1000 + ageMs) === undefined).toBe(genuine);
  });

  test.each([
    ...['', ' ', ` ${NOW_SECONDS}`, `+${NOW_SECONDS}`, `-${NOW_SECONDS}`, `${NOW_SECONDS}.0`, `${NOW_SECONDS}000`],
    ...[`0x${NOW_SECONDS.toString(16)}`, '1.767783771e9', 'NaN', 'Infinity', '2026-01-07T11:02:51Z'],
    `${NOW_SECONDS},${NOW_SECONDS}`,
  ])('is rejected if it is %j', (timestamp) => {
    expect(isGenuine(signed({ timestamp }))).toBe(false);
  });
});

describe('forged callbacks', () => {
  test.each([
    ['no signature', { signature: undefined }],
    ['no time', { timestamp: undefined }],
    ['neither signature nor time', { signature: undefined, timestamp: undefined }],
    ['an empty signature', { signature: '' }],
    ['a signature of zeros', { signature: '0'.repeat(64) }],
    ['a signature in capitals', { signature: signed().signature.toUpperCase() }],
    ['a truncated signature', { signature: signed().signature.slice(0, -1) }],
    ['a signature with trailing characters', { signature: `${signed().signature}00` }],
    ['a signature with a trailing newline', { signature: `${signed().signature}\n` }],
    ['a signature that is not hexadecimal', { signature: 'z'.repeat(64) }],
    ['the signature of another body', { rawBody: BODY.replace('"1"', '"2"') }],
    ['a body with an additional space', { rawBody: `${BODY} ` }],
    ['an empty body', { rawBody: '' }],
    ['a different time than was signed', { timestamp: String(NOW_SECONDS + 1) }],
    ['the key of another phone', { deviceId: 'stall' }],
    ['a phone without a key', { deviceId: 'new' }],
    ['a phone with an empty key', { deviceId: 'keyless', signature: hmac('', BODY + NOW_SECONDS) }],
    [
      'a phone named like an inherited object property',
      { deviceId: 'constructor', signature: hmac('', BODY + NOW_SECONDS) },
    ],
    ['a phone named __proto__', { deviceId: '__proto__', signature: hmac('', BODY + NOW_SECONDS) }],
    ['the body signed without the time', { signature: hmac('kiosk-key', BODY) }],
    ['the time signed before the body', { signature: hmac('kiosk-key', NOW_SECONDS + BODY) }],
  ])('are rejected if they have %s', (_, changed) => {
    expect(isGenuine({ ...signed(), ...changed })).toBe(false);
  });

  test('are rejected if one character has changed', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('rawBody' as const, 'timestamp' as const, 'signature' as const),
        fc.nat(),
        fc.string({ minLength: 1, maxLength: 1, unit: 'binary' }),
        (part, place, character) => {
          const genuine = signed();
          const at = place % genuine[part].length;
          fc.pre(genuine[part][at] !== character);
          const changed = genuine[part].slice(0, at) + character + genuine[part].slice(at + 1);
          expect(isGenuine({ ...genuine, [part]: changed })).toBe(false);
        },
      ),
      { numRuns: 300 },
    );
  });

  test('are rejected without an exception if they are random bytes', () => {
    const some = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('kiosk', 'stall', String(NOW_SECONDS), BODY));
    const maybe = fc.option(some, { nil: undefined });
    fc.assert(
      fc.property(some, some, maybe, maybe, (deviceId, rawBody, signature, timestamp) => {
        expect(isGenuine({ deviceId, rawBody, signature, timestamp })).toBe(false);
      }),
      { numRuns: 500 },
    );
  });
});

describe('the reason for rejecting a callback', () => {
  test.each<[string, object, number, object]>([
    ['a phone without a key', { deviceId: 'new' }, 0, { reason: 'unknown_device' }],
    ['a phone with an empty key', { deviceId: 'keyless' }, 0, { reason: 'unknown_device' }],
    ['another key', { signature: hmac('stall-key', BODY + NOW_SECONDS) }, 0, { reason: 'wrong_signature' }],
    ['no signature', { signature: undefined, timestamp: undefined }, 0, { reason: 'wrong_signature' }],
    ['a slow clock', {}, 301_000, { reason: 'clock', skew_seconds: -301 }],
    ['a fast clock', {}, -7_200_000, { reason: 'clock', skew_seconds: 7200 }],
    // With a wrong key, an old time is not reported.
    ['another key and an old time', { signature: '0'.repeat(64) }, 86_400_000, { reason: 'wrong_signature' }],
    ['a changed time', { timestamp: String(NOW_SECONDS - 400) }, 0, { reason: 'wrong_signature' }],
  ])('is reported for a callback with %s', (_, changed, ageMs, refusal) => {
    expect(refusalOf(account, { ...signed(), ...changed }, NOW_SECONDS * 1000 + ageMs)).toEqual(refusal);
  });
});

test.each([
  ['text-1', 'text-1'],
  [7, '7'],
  [-7, '-7'],
  [Number.MAX_SAFE_INTEGER, '9007199254740991'],
  [Number.MAX_SAFE_INTEGER + 1, undefined],
  [0, undefined],
  ['0', undefined],
  ['', undefined],
  [null, undefined],
])('the event id %j is read as %j', (id, read) => {
  expect(CallbackEvent.parse({ event: 'sms:received', id, deviceId: 'kiosk' }).id).toBe(read);
});

test('the reason for a cancelled text is “Cancelled”', () => {
  expect(CANCELLED).toBe('Cancelled');
});

test.each(['{"phone": {"password": canary}}', '{"phone": {"url": 7, "password": "canary"}}', 'canary', ''])(
  'the error about an invalid accounts secret does not contain the secret: %#',
  async (secret) => {
    const { outside } = await createWorld({ inMemory: true });
    const error = await gatewayAccount({ ...outside, secret: async () => secret }, 'phone').catch((thrown) => thrown);
    expect(error.message).toContain('Run "doctor" to see which part is invalid');
    expect(`${error.message} ${error.stack} ${error.cause}`).not.toContain('canary');
  },
);

function signed({ timestamp = String(NOW_SECONDS) } = {}) {
  return { deviceId: 'kiosk', rawBody: BODY, timestamp, signature: hmac('kiosk-key', BODY + timestamp) };
}

function isGenuine(callback: Parameters<typeof refusalOf>[1]): boolean {
  return refusalOf(account, callback, NOW_SECONDS * 1000) === undefined;
}

function hmac(key: string, text: string): string {
  return createHmac('sha256', key).update(text).digest('hex');
}
