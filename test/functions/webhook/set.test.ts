import { beforeEach, describe, expect, test } from 'vitest';
import { expectBadFields, expectFailure, expectOk } from '../../support/envelope.ts';
import { type Merchant, type Scene, scene } from '../../support/scene.ts';
import { ENABLED, HOOK } from '../../support/webhooks.ts';

let world: Scene;
let merchant: Merchant;
beforeEach(async () => {
  world = await scene();
  merchant = await world.createMerchant();
});

test('the first call sets the URL and returns a new secret', async () => {
  const created_at = world.iso();
  const secret = expect.stringMatching(/^whsec_[A-Za-z0-9+/]{32}$/);
  const { json } = expectOk(await put({ url: HOOK }), { ...ENABLED, url: HOOK, secret, created_at });
  const key = { pk: `WEBHOOK#${merchant.id}`, sk: 'WEBHOOK', key_kind: 'live', merchant_id: merchant.id };
  expect(await world.rows('WEBHOOK')).toEqual([
    { ...key, url: HOOK, secrets: [{ secret: json.data.secret }], created_at },
  ]);
});

test('a later call replaces the URL and keeps the secret', async () => {
  const secret = await merchant.setWebhook(HOOK);
  const [before] = await world.rows('WEBHOOK');
  world.clock.nowMs += 60_000;
  const url = 'https://shop.example.com/elsewhere';
  expect((await put({ url })).json.data).toMatchObject({ url, secret, created_at: before?.created_at });
  expect(await world.rows('WEBHOOK')).toEqual([{ ...before, url }]);
});

describe('webhook event types', () => {
  test('are reset by a call without event types', async () => {
    const events = ['charge.success', 'wallet.near_limit'];
    expect((await put({ url: HOOK, events: [...events, 'charge.success'] })).json.data).toMatchObject({ events });
    expect(await world.rows('WEBHOOK')).toMatchObject([{ events }]);
    expect((await put({ url: HOOK })).json.data).toMatchObject({ events: null });
    const [row] = await world.rows('WEBHOOK');
    expect(row).not.toHaveProperty('events');
  });

  test.each<[unknown, string]>([
    [[], 'events'],
    ['charge.success', 'events'],
    [['charge.success', 'charge.paid'], 'events[1]'],
    [[{ toString: 1 }], 'events[0]'],
  ])('cannot be %j', async (events, field) => {
    expectBadFields(await put({ url: HOOK, events }), field);
  });

  test('are rejected with a suggestion if unknown', async () => {
    const { json } = await put({ url: HOOK, events: ['charge.succes'] });
    expect(json.message).toBe('events[0]: is not an event type. Did you mean "charge.success"?');
    expect((await put({ url: HOOK, events: ['paid'] })).json.message).toContain('events[0]: must be one of charge.');
  });

  test('are limited to text events for an sms key', async () => {
    const key = merchant.smsKey;
    const choose = (type: string) => world.call('webhook/set', { key, body: { url: HOOK, events: [type] } });
    expect((await choose('sms.failed')).json.data).toMatchObject({ events: ['sms.failed'] });
    expectBadFields(await choose('charge.success'), 'events[0]');
  });
});

test('each merchant has its own URL and secret', async () => {
  const other = await world.createMerchant();
  const [mine, theirs] = [await merchant.setWebhook(), await other.setWebhook('https://other.example.com')];
  expect(mine).not.toBe(theirs);
  const urls = (await world.rows('WEBHOOK')).map(({ merchant_id, url }) => [merchant_id, url]);
  expect(Object.fromEntries(urls)).toEqual({ [merchant.id]: HOOK, [other.id]: 'https://other.example.com' });
});

test('simultaneous first calls return only the secret that signs events', async () => {
  const answers = await Promise.all([put({ url: HOOK }), put({ url: HOOK })]);
  const shown = answers.filter(({ status }) => status === 200).map(({ json }) => json.data.secret);
  expect(shown.length).toBeGreaterThan(0);
  expect(await world.rows('WEBHOOK')).toMatchObject([{ secrets: [{ secret: shown[0] }] }]);
  expect(new Set(shown).size).toBe(1);
});

describe('an invalid webhook URL', () => {
  test.each([
    'http://shop.example.com/hooks',
    'ftp://shop.example.com',
    'shop.example.com',
    '',
    ' ',
    'https://',
    'https://localhost/hooks',
    'https://127.0.0.1/hooks',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://10.1.2.3/',
    'https://169.254.169.254/latest/meta-data/',
    'https://shop.internal/',
    'https://shop/',
    'https://shop.example.com:8443/hooks',
    'https://ama:secret@shop.example.com/',
  ])('returns 400 and changes nothing: %s', async (url) => {
    const secret = await merchant.setWebhook();
    const before = await world.rows('WEBHOOK');
    const answer = await put({ url });
    expectBadFields(answer, 'url');
    expect(answer.text).not.toContain(secret);
    expect(await world.rows('WEBHOOK')).toEqual(before);
  });

  test('returns 400 if it exceeds 2,048 characters', async () => {
    expect((await put({ url: `https://shop.example.com/${'x'.repeat(2_023)}` })).status).toBe(200);
    expectBadFields(await put({ url: `https://shop.example.com/${'x'.repeat(2_024)}` }), 'url');
  });

  test.each([[{}], [{ url: null }], [{ url: 7 }], [{ url: [HOOK] }], [{ url: '' }]])(
    'returns 400 for the body %j',
    async (body) => {
      expectBadFields(await put(body), 'url');
      expect(await world.rows('WEBHOOK')).toEqual([]);
    },
  );

  test('returns 400 if the body is not a JSON object', async () => {
    expectBadFields(await put([HOOK]), 'body');
    expectFailure(await put('{'), 400, 'malformed_json');
  });
});

test('the local stack accepts a URL on the same machine', async () => {
  world.outside.allowsThisMachine = true;
  for (const url of ['http://localhost:3001/hooks', 'https://127.0.0.1:8443/'])
    expect((await put({ url })).json.data.url).toBe(url);
  for (const url of ['http://shop.example.com/', 'https://shop.example.com:8443/', 'https://192.168.1.7/'])
    expectBadFields(await put({ url }), 'url');
});

function put(body: unknown) {
  return merchant.call('webhook/set', { body });
}
