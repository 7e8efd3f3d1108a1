import { beforeEach, describe, expect, test } from 'vitest';
import { KEY_CACHE_SECONDS } from '../../../shared/merchants/merchant/api-key.table.ts';
import { showApiKeys } from '../../../shared/merchants/merchant/manage-keys.ts';
import { testAccountIdOf } from '../../../shared/merchants/merchant/test-account.ts';
import { FRESH_SECONDS } from '../../../shared/merchants/user/session.ts';
import { endpointRows } from '../../../shared/webhook/endpoint.table.ts';
import { createWebhookEvent, webhookEventRows } from '../../../shared/webhook/event.table.ts';
import { type CausedEventType, newWebhookEvent } from '../../../shared/webhook/event.ts';
import { expectAnswer, expectWords } from '../../support/answers.ts';
import { noticeIn, versionIn } from '../../support/dashboard.ts';
import { liveHolder } from '../../support/holders.ts';
import { foldsIn, plotColumn } from '../../support/page-words.ts';
import { type Merchant, type Person, type Scene, scene } from '../../support/scene.ts';
import { HOOK, newEvent } from '../../support/webhooks.ts';

const DEVELOPERS = '/dashboard/developers';
let world: Scene;
let merchant: Merchant;
let developer: Person;

beforeEach(async () => {
  world = await scene({ inMemory: true });
  // The audit log lists one month, and a test crosses an hour.
  world.goToNoon();
  merchant = await world.createMerchant();
  developer = await merchant.signIn('developer');
});

const open = (path: string, by = developer, query = {}) => by.visit(`${DEVELOPERS}${path}`, { query });
const post = (path: string, form: Record<string, string> = {}, by = developer) =>
  by.visit(`${DEVELOPERS}${path}`, { form });
const keys = () => showApiKeys(world.outside, merchant.id);
const shownSecret = (text: string) => /<code[^>]*>((?:sk|whsec)_[^<]+)<\/code>/.exec(text)?.[1] ?? '';

/** Creates a webhook event and returns its page's URL. */
async function happened(type: CausedEventType, data: object, at = world.iso()): Promise<string> {
  const event = newWebhookEvent(liveHolder(merchant.id), type, { cause: 'once', at, data });
  await world.outside.table.write([createWebhookEvent(event)]);
  return `/events/${event.event_id}`;
}

const audited = async () =>
  (await merchant.audit()).filter(({ by }) => by === developer.user.user_id).map(({ action }) => action);

describe('API keys', () => {
  test('are listed with only their first and last characters', async () => {
    await merchant.addKey('sms', { scope: ['texts:send', 'credits:read'] });
    const { text } = await open('');
    const ends = [`sk_live_…${merchant.liveKey.slice(-4)}`, `sk_sms_test_…${merchant.smsTestKey.slice(-4)}`];
    expectWords(text, [...ends, 'texts:send, credits:read', 'Never'], [merchant.liveKey.slice(0, -4)]);
  });

  test('are shown only once', async () => {
    const { status, text } = await post('/keys/new/live', { mode: 'real', 'charges:write': 'on' });
    const key = shownSecret(text);
    expect({ status, key }).toEqual({ status: 200, key: expect.stringMatching(/^sk_live_/) });
    expect((await world.call('transaction/initialize', { key, body: { amount: 36 } })).status).toBe(200);
    const read = await world.call('transaction/verify', { key, parameters: { reference: 'MK-0000000000' } });
    expect(read.status).toBe(403);
    expect(text).not.toContain('set-cookie');
    expect((await open('')).text).not.toContain(key);
    expect((await open(`/keys/${key.slice(-4)}`)).text).toContain('charges:write');
    expect(await audited()).toEqual(['key create']);
  });

  test('have every permission for their mode if none is selected', async () => {
    const { text } = await post('/keys/new/sms', { mode: 'test' });
    expect(shownSecret(text)).toMatch(/^sk_sms_test_/);
    const made = (await keys()).find(({ hint }) => hint === shownSecret(text).slice(-4));
    expect(made).toMatchObject({ kind: 'sms', test: true, scope: null });
  });

  test('are created once if the form is submitted twice', async () => {
    const form = { mode: 'real', once: 'real.one-page' };
    const first = await post('/keys/new/live', form);
    const second = await post('/keys/new/live', form);
    expect({ first: first.status, second: second.status, location: second.headers.location }).toEqual({
      first: 200,
      second: 303,
      location: DEVELOPERS,
    });
    expect(await keys()).toHaveLength(5);
    const made = `A key ending in ${shownSecret(first.text).slice(-4)} was created`;
    const said = `${made} and shown once. Revoke it if you have not copied it.`;
    expect(noticeIn(second.cookies)).toBe(said);
  });

  test('reject permissions of the other mode', async () => {
    const refused = await post('/keys/new/live', { mode: 'real', 'texts:send': 'on' });
    expectAnswer(refused, 400, 'A key of kind live cannot have the permission texts:send');
    expect((await post('/keys/new/other', { mode: 'real' })).status).toBe(404);
    expect(await keys()).toHaveLength(4);
  });

  test('keep working after a rotation until the overlap ends', async () => {
    const hint = merchant.liveKey.slice(-4);
    const { text } = await post(`/keys/${hint}/roll`, { overlap: '1h' });
    const key = shownSecret(text);
    expect(text).toContain(`The old key, which ends in ${hint}, works until`);
    const body = { amount: 36 };
    const statusOf = async (one: string) => (await world.call('transaction/initialize', { key: one, body })).status;
    const statuses = () => Promise.all([merchant.liveKey, key].map(statusOf));
    expect(await statuses()).toEqual([200, 200]);
    expect((await open('')).text).toContain('Ends ');
    expect((await open(`/keys/${hint}`)).text).not.toContain('Roll it');
    world.clock.nowMs += 60 * 60 * 1000;
    expect(await statuses()).toEqual([401, 200]);
    expect(await audited()).toEqual(['key roll']);
  });

  test('that can read balances can be managed only by owners', async () => {
    const owner = await merchant.signIn('owner');
    const form = { mode: 'real', 'balances:read': 'on' };
    expect((await open('/keys/new/live')).text).not.toContain('balances:read');
    expect((await post('/keys/new/live', form)).status).toBe(403);
    expect(await keys()).toHaveLength(4);
    const made = shownSecret((await post('/keys/new/live', form, owner)).text);
    expect((await keys()).find(({ hint }) => hint === made.slice(-4))).toMatchObject({ scope: ['balances:read'] });
    const path = `/keys/${made.slice(-4)}/roll`;
    expect((await post(path, { overlap: '24h' })).status).toBe(403);
    expect(await keys()).toHaveLength(5);
    expect(shownSecret((await post(path, { overlap: '24h' }, owner)).text)).toMatch(/^sk_live_/);
  });

  test('stop working when revoked', async () => {
    const hint = merchant.liveKey.slice(-4);
    expect((await post(`/keys/${hint}/revoke`)).headers.location).toBe(DEVELOPERS);
    world.clock.nowMs += KEY_CACHE_SECONDS * 1000;
    expect((await merchant.call('transaction/initialize', { body: { amount: 36 } })).status).toBe(401);
    expectWords((await open(`/keys/${hint}`)).text, ['Revoked'], ['Revoke it']);
    expect(await audited()).toEqual(['key revoke']);
  });

  test('require a recent passkey sign-in', async () => {
    world.clock.nowMs += FRESH_SECONDS * 1000;
    for (const path of ['/keys/new/live', `/keys/${merchant.liveKey.slice(-4)}`, '/webhooks/live'])
      expect((await open(path)).headers.location).toContain('/dashboard/sign-in/confirm?next=');
    expect((await post('/keys/new/live', { mode: 'real' })).headers.location).toContain('/confirm?next=');
    expect(await keys()).toHaveLength(4);
  });

  test('are read-only for managers', async () => {
    const { status, text } = await open('', await merchant.signIn('manager'));
    expect(status).toBe(200);
    expectWords(text, [], ['/keys/new/', 'href="/dashboard/developers/keys/']);
  });
});

describe('webhooks', () => {
  test('are created with a secret that is shown once', async () => {
    expect(shownSecret((await post('/webhooks/live/set', { url: HOOK })).text)).toMatch(/^whsec_/);
    expectWords((await open('/webhooks')).text, [HOOK], ['whsec_']);
    const moved = await post('/webhooks/live/set', { url: 'https://shop.example.com/other', 'charge.success': 'on' });
    expect((await open('/webhooks')).text).toContain('<dd>charge.success</dd>');
    expect((await open('/webhooks/live')).text).toContain('name="charge.success" checked');
    expect(moved.headers.location).toBe(`${DEVELOPERS}/webhooks`);
    expect(await audited()).toEqual(['webhook set', 'webhook set']);
  });

  test('reject an invalid URL', async () => {
    const answer = await post('/webhooks/live/set', { url: 'http://localhost/"><script>' });
    expectAnswer(answer, 400, 'id="url-error"', 'value="http://localhost/&quot;&gt;&lt;script&gt;"');
  });

  test('can be tested, removed and given a new secret', async () => {
    const before = await merchant.setWebhook();
    const { text } = await post('/webhooks/live/roll');
    expect(shownSecret(text)).toMatch(/^whsec_/);
    expect(shownSecret(text)).not.toBe(before);
    const tested = await post('/webhooks/live/test');
    expect(tested.headers.location).toMatch(/events\/evt_/);
    expect((await open(tested.headers.location?.slice(DEVELOPERS.length) ?? '')).text).toContain('On its way');
    await post('/webhooks/live/remove');
    expect(await endpointRows.find(world.outside, liveHolder(merchant.id))).toBeUndefined();
    expect((await open('/webhooks')).text).toContain('Not set.');
    expect(await audited()).toEqual(['webhook roll', 'webhook remove']);
  });

  test('allow ten tests per minute', async () => {
    await merchant.setWebhook();
    world.clock.nowMs += 60_000 - (world.clock.nowMs % 60_000);
    for (let n = 0; n < 10; n++) expect((await post('/webhooks/live/test')).status).toBe(303);
    expectAnswer(await post('/webhooks/live/test'), 429, 'At most 10 events can be tested');
  });
});

describe('webhook events', () => {
  const [CHARGE, HELD] = ['/dashboard/charges/MK-0123456789', '/dashboard/held/MTN-1'];

  test('are resent once if the form is submitted twice', async () => {
    await merchant.setWebhook();
    const id = await merchant.newEvent();
    expect((await open('/events')).text).toContain(id);
    for (let n = 0; n < 2; n++) {
      const { headers } = await post(`/events/${id}/resend`, { once: 'real.one-page' });
      expect(headers.location).toBe(`${DEVELOPERS}/events/${id}`);
    }
    expect(await webhookEventRows.find(world.outside, { event_id: id })).toMatchObject({ state: 'pending', round: 1 });
    expect((await open(`/events/${id}`)).text).toContain('&quot;type&quot;: &quot;webhook.test&quot;');
  });

  test('are listed below a chart of response times', async () => {
    await merchant.setWebhook();
    await merchant.newEvent();
    expect((await open('/events')).text).not.toContain('Your server’s response time');
    const answeredIn = async (ms: number, statusCode: number) => {
      world.clock.nowMs += 1_000;
      const id = await merchant.newEvent();
      world.receiver = async () => {
        world.clock.nowMs += ms;
        return { statusCode, headers: {}, text: '' };
      };
      await world.makeTry(id);
    };
    for (const ms of [120, 80, 1_250]) await answeredIn(ms, 200);
    await answeredIn(40, 410);
    const { text } = await open('/events');
    const column = (name: string) => plotColumn(text, 'Your server’s response time, ms', name);
    expect(column('ms')).toEqual([120, 80, 1_250, 40]);
    expect(column('Not delivered')).toEqual([0, 0, 0, 40]);
    expect(foldsIn(text)[0]?.summary).toBe('3 of 4 delivered, half of them within 120 ms');
  });

  test('show a warning if the server answered with a page', async () => {
    await merchant.setWebhook();
    const id = await merchant.newEvent();
    world.receiver = async () => ({ statusCode: 200, headers: {}, text: '<html>One moment…</html>' });
    await world.makeTry(id);
    expect((await open('/events')).text).toContain('Check the response');
    const { text } = await open(`/events/${id}`);
    expect(text).toContain('Check the response');
    expect(text).toContain('Check that your program received the event.');
    expect(text).toContain('&lt;html&gt;One moment…');
  });

  test('update an open list with one read per poll', async () => {
    await merchant.setWebhook();
    await merchant.newEvent();
    // Start on a full minute, so that no cache expires while reads are counted.
    world.clock.nowMs += 120_000 - (world.clock.nowMs % 60_000);
    const headers = { 'if-none-match': `"${versionIn((await open('/events')).text)}"` };
    const again = () => developer.visit(`${DEVELOPERS}/events`, { headers });
    world.requests.length = 0;
    expect((await again()).status).toBe(304);
    expect(world.requests.toSorted()).toEqual(['BatchGetItem', 'Query']);
    await merchant.newEvent();
    expect((await again()).status).toBe(200);
  });

  test.each<[CausedEventType, object, string | undefined, string | undefined]>([
    ['charge.success', { reference: 'MK-0123456789' }, CHARGE, undefined],
    ['receipt.held', { id: 'MTN-1', suggested_reference: null }, undefined, HELD],
    ['receipt.held', { id: 'MTN-1', suggested_reference: 'MK-0123456789' }, CHARGE, HELD],
    ['receipt.unread', { id: 'MTN-1' }, undefined, HELD],
    ['sms.failed', { id: 'a-b-c' }, '/dashboard/texts/a-b-c', undefined],
    ['credits.low', { balance: 7 }, undefined, undefined],
  ])('link to their subject if the role may open it: %s %j', async (type, data, everybodys, held) => {
    const path = await happened(type, data);
    const linksFor = async (by: Person) => {
      const { text } = await open(path, by);
      return [...text.matchAll(/<dd><a\b[^>]* href="([^"]+)"/g)].map(([, href]) => href);
    };
    const shared = everybodys ? [everybodys] : [];
    expect(await linksFor(developer)).toEqual(shared);
    const owner = await merchant.signIn('owner');
    expect(await linksFor(owner)).toEqual([...shared, ...(held ? [held] : [])]);
  });

  test('show empty arrays', async () => {
    const path = await happened('charge.success', { parts: [], refunds: [{ amount: 5 }], metadata: {} });
    expectWords((await open(path)).text, [
      '&quot;parts&quot;: [],\n',
      '&quot;metadata&quot;: {}\n',
      '&quot;refunds&quot;: [\n      {\n        &quot;amount&quot;: 5\n      }\n    ]',
    ]);
  });

  test('from test mode are inaccessible in live mode', async () => {
    const id = await newEvent(world, { ...merchant, id: testAccountIdOf(merchant.id) });
    expect((await open(`/events/${id}`)).status).toBe(404);
    expect((await post(`/events/${id}/resend`)).status).toBe(404);
    expect(await webhookEventRows.find(world.outside, { event_id: id })).toMatchObject({ round: 0 });
  });
});

test('a merchant cannot access another merchant’s webhook', async () => {
  const other = await world.createMerchant();
  await other.setWebhook();
  expect((await open('/webhooks')).text).not.toContain(HOOK);
  expect((await post('/webhooks/live/remove')).status).toBe(404);
  expect(await endpointRows.find(world.outside, liveHolder(other.id))).toMatchObject({ url: HOOK });
});

test('failed requests are listed separately for test and live mode', async () => {
  const ask = (key: string) => world.call('transaction/verify', { key, parameters: { reference: 'MK-0000000000' } });
  const { json } = await ask(merchant.liveKey);
  const tested = await ask(merchant.testKey);
  const [own, ofTests] = [json.request_id, tested.json.request_id];
  const said = ['GET /api/v1/transaction/verify/{reference}', 'href="/docs#error-not_found">not_found'];
  expectWords((await open('/requests')).text, [...said, own], [ofTests]);
  await developer.visit('/dashboard/sign-in/test-mode', { form: { mode: 'test' } });
  expectWords((await open('/requests')).text, [ofTests], [own]);
});

test.each(['manager', 'developer', 'owner'] as const)(
  'a %s sees the balance and time of a low-credit event',
  async (role) => {
    const by = await merchant.signIn(role);
    const at = world.iso();
    const page = (await open(await happened('credits.low', { balance: 47 }, at), by)).text;
    expectWords(page, ['&quot;balance&quot;: 47', `&quot;timestamp&quot;: &quot;${at}&quot;`]);
  },
);

test('test mode changes only the test webhook', async () => {
  await merchant.setWebhook();
  await developer.visit('/dashboard/sign-in/test-mode', { form: { mode: 'test' } });
  expect((await open('/webhooks')).text).not.toContain(HOOK);
  await post('/webhooks/live/set', { url: 'https://test.example.com/hooks' });
  const testAccount = { merchant_id: testAccountIdOf(merchant.id), key_kind: 'live' } as const;
  expect(await endpointRows.find(world.outside, testAccount)).toMatchObject({ url: 'https://test.example.com/hooks' });
  expect(await endpointRows.find(world.outside, liveHolder(merchant.id))).toMatchObject({ url: HOOK });
  expect(await audited()).toEqual(['webhook set']);
});

test('each developer page takes a fixed number of reads', async () => {
  await merchant.setWebhook();
  const id = await merchant.newEvent();
  const readsOf = (path: string) => developer.reads(`${DEVELOPERS}${path}`);
  // Every page reads the session (BatchGetItem) and the merchant (GetItem).
  expect(await readsOf('')).toEqual(['BatchGetItem', 'BatchGetItem', 'GetItem', 'Query']);
  expect(await readsOf('/webhooks')).toEqual(['BatchGetItem', 'GetItem', 'GetItem', 'GetItem']);
  expect(await readsOf('/events')).toEqual(['BatchGetItem', 'BatchGetItem', 'GetItem', 'Query', 'Query']);
  expect(await readsOf(`/events/${id}`)).toEqual(['BatchGetItem', 'GetItem', 'Query']);
  expect(await readsOf('/requests')).toEqual(['BatchGetItem', 'GetItem', 'Query']);
});
