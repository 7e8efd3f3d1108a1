import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { DAY_MS } from '../../../shared/runtime/values/calendar.ts';
import type { WebhookEndpoint } from '../../../shared/webhook/endpoint.table.ts';
import { newWebhookSecret, signatureHeaders, validSecrets, withNewSecret } from '../../../shared/webhook/endpoint.ts';
import { liveHolder } from '../../support/holders.ts';

// The library checks the clock and allows at most five minutes of skew.
const nowMs = Date.now();
const body = JSON.stringify({ type: 'charge.success', data: { name: 'Abɛna 😀', amount: 36 } });

test('a webhook secret is whsec_ and 24 random bytes in base64', () => {
  const secrets = Array.from({ length: 20 }, () => newWebhookSecret(randomBytes));
  for (const secret of secrets) {
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
    expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(24);
  }
  expect(new Set(secrets).size).toBe(20);
});

test('the Standard Webhooks example produces the expected signature', () => {
  const id = 'msg_p5jXN8AQM9LWM0D4loKWxJek';
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  expect(signatureHeaders(id, '{"test": 2432232314}', [secret], 1_614_265_330_000)).toEqual({
    'webhook-id': id,
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

test('verifying a correctly signed body returns the body', () => {
  const secret = newWebhookSecret(randomBytes);
  const headers = signatureHeaders('evt_1', body, [secret], nowMs);
  expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
  expect(headers['webhook-signature']?.split(' ')).toHaveLength(1);
});

test.each<[string, (sent: { headers: Record<string, string>; body: string }) => Partial<typeof sent>]>([
  ['a different body', () => ({ body: body.replace('36', '96') })],
  ['one additional byte', () => ({ body: `${body} ` })],
  ['a different id', ({ headers }) => ({ headers: { ...headers, 'webhook-id': 'evt_2' } })],
  ['a different time', ({ headers }) => ({ headers: { ...headers, 'webhook-timestamp': String(nowMs / 1000 - 2) } })],
])('a signature is rejected if it has %s', (_, change) => {
  const secret = newWebhookSecret(randomBytes);
  const sent = { headers: signatureHeaders('evt_1', body, [secret], nowMs), body };
  const changed = { ...sent, ...change(sent) };
  expect(() => new Webhook(secret).verify(changed.body, changed.headers)).toThrow();
});

test('a signature made with a different secret is rejected', () => {
  const headers = signatureHeaders('evt_1', body, [newWebhookSecret(randomBytes)], nowMs);
  expect(() => new Webhook(newWebhookSecret(randomBytes)).verify(body, headers)).toThrow();
});

test('both secrets are accepted during a rotation', () => {
  const [older, newer] = [newWebhookSecret(randomBytes), newWebhookSecret(randomBytes)];
  const headers = signatureHeaders('evt_1', body, [newer, older], nowMs);
  expect(headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/);
  for (const secret of [older, newer]) expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
});

test('the previous secret stays valid for 24 hours', () => {
  const rolled = roll(endpointWith('whsec_Zmlyc3Q='), nowMs);
  const [newest = ''] = validSecrets(rolled, nowMs);
  expect(validSecrets(rolled, nowMs)).toEqual([newest, 'whsec_Zmlyc3Q=']);
  expect(validSecrets(rolled, nowMs + DAY_MS - 1)).toEqual([newest, 'whsec_Zmlyc3Q=']);
  expect(validSecrets(rolled, nowMs + DAY_MS)).toEqual([newest]);
  const headers = signatureHeaders('evt_1', body, validSecrets(rolled, nowMs + DAY_MS), nowMs);
  expect(() => new Webhook('whsec_Zmlyc3Q=').verify(body, headers)).toThrow();
});

test('a second rotation ends the oldest secret', () => {
  const once = roll(endpointWith('whsec_Zmlyc3Q='), nowMs);
  const twice = roll(once, nowMs + 1000);
  const [second = ''] = validSecrets(once, nowMs);
  const valid = validSecrets(twice, nowMs + 1000);
  expect(valid).toHaveLength(2);
  expect(valid[1]).toBe(second);
  expect(valid).not.toContain('whsec_Zmlyc3Q=');
});

function endpointWith(secret: string): WebhookEndpoint {
  return { ...liveHolder('1'), url: 'https://shop.example.com', secrets: [{ secret }], created_at: '' };
}

function roll(endpoint: WebhookEndpoint, atMs: number): WebhookEndpoint {
  return withNewSecret({ now: () => atMs, randomBytes }, endpoint);
}
