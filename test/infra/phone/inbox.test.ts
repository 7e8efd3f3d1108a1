import { expect, test } from 'vitest';
import { askForInbox } from '../../../shared/phones/gateway/smsgate.ts';
import {
  call,
  mtn,
  payloadOf,
  register,
  registered,
  start,
  startService,
  telecel,
  temporaryFolder,
} from '../../support/phone.ts';
import { postJson } from '../../support/server.ts';
import { createWorld } from '../../support/world.ts';

const SMS = { sender: 'MobileMoney', message: 'Payment received for GHS 36.00', recipient: mtn.number };
const ALWAYS = { since: '2026-01-01T00:00:00.000Z', until: '2100-01-01T00:00:00Z' };

test('a missed text stays in the phone’s inbox', async () => {
  const { service, phone } = await registered('sms:received', { pingMs: 10 });
  await register(phone, service.url, 'system:ping');
  await call(phone, 'POST', '/switch', { hears: false });
  expect((await call(phone, 'POST', '/receive', SMS)).json).toEqual({ deliveries: [] });
  await expect.poll(() => service.posts.length, { interval: 5 }).toBeGreaterThan(2);
  expect(new Set(service.posts.map(({ event }) => event.event))).toEqual(new Set(['system:ping']));
  expect((await call(phone, 'GET', '/received')).json).toMatchObject([{ message: SMS.message }]);
});

test('a refresh forwards each text missed in a period once', async () => {
  const { service, phone } = await registered('sms:received');
  await call(phone, 'POST', '/receive', { ...SMS, message: 'heard' });
  await call(phone, 'POST', '/receive', { ...SMS, message: 'lost', lost: true });
  const { text } = (await call(phone, 'POST', '/pay', { name: 'Kofi Mensah', amount: 36, lost: true })).json;
  expect(service.posts).toHaveLength(1);

  expect((await refresh(phone, { since: ALWAYS.since, until: '2026-01-02T00:00:00Z' })).status).toBe(202);
  expect((await refresh(phone, { ...ALWAYS, deviceId: 'nobody' })).status).toBe(202);
  expect((await refresh(phone, { ...ALWAYS, messageTypes: ['MMS'] })).status).toBe(202);
  expect(service.posts).toHaveLength(1);

  const body = { ...ALWAYS, deviceId: 'kiosk', messageTypes: ['SMS'], triggerWebhooks: true };
  for (let n = 0; n < 2; n++) expect(await refresh(phone, body)).toEqual({ status: 202, json: undefined });
  await expect.poll(() => service.posts.length, { interval: 5 }).toBe(3);
  const posted = service.posts.map((post) => payloadOf(post).message);
  expect(posted.toSorted()).toEqual(['heard', 'lost', text].toSorted());
});

test('an old app sends `phoneNumber` instead of `sender`', async () => {
  const { service, phone } = await registered('sms:received');
  await call(phone, 'POST', '/switch', { is_old: true });
  await call(phone, 'POST', '/receive', SMS);
  const posted = { message: SMS.message, phoneNumber: 'MobileMoney', simNumber: 1 };
  const known = { messageId: expect.any(String), receivedAt: expect.any(String) };
  expect(service.posts.map(payloadOf)).toEqual([{ ...posted, ...known }]);
});

test('the simulated phone accepts the service’s refresh request', async () => {
  const { service, phone } = await registered('sms:received');
  await call(phone, 'POST', '/receive', { ...SMS, lost: true });
  const { outside } = await createWorld({ inMemory: true });
  const account = { url: phone.apiUrl, username: 'ama', password: 'canary-password', signing_keys: {} };
  const period = { deviceId: 'kiosk', sinceMs: Date.now() - 60_000, untilMs: Date.now() };
  expect(await askForInbox({ ...outside, fetch }, account, period)).toBe(true);
  await expect.poll(() => service.posts.length, { interval: 5 }).toBe(1);
});

test('a refresh without webhooks forwards nothing', async () => {
  const { service, phone } = await registered('sms:received');
  await call(phone, 'POST', '/receive', { ...SMS, lost: true });
  await refresh(phone, { ...ALWAYS, triggerWebhooks: false });
  await refresh(phone, ALWAYS);
  expect(service.posts).toEqual([]);
});

test.each([
  {},
  { since: 'yesterday', until: ALWAYS.until },
  { since: ALWAYS.until, until: ALWAYS.since },
  { ...ALWAYS, messageTypes: ['FAX'] },
])('a refresh with an invalid period or type is rejected: %j', async (body) => {
  expect((await refresh(await start(), body)).status).toBe(400);
});

test('a refresh without credentials is rejected', async () => {
  const phone = await start();
  expect((await postJson(`${phone.apiUrl}/inbox/refresh`, ALWAYS)).status).toBe(401);
});

test('missed texts stay in the inbox after a restart', async () => {
  const service = await startService();
  const keepFile = `${await temporaryFolder()}/phone.json`;
  const before = await start({ keepFile });
  await register(before, service.url, 'sms:received');
  await call(before, 'POST', '/receive', { ...SMS, lost: true });
  await before.close();
  await refresh(await start({ keepFile }), ALWAYS);
  await expect.poll(() => service.posts.length, { interval: 5 }).toBe(1);
});

test('a text to one of the phone’s own numbers is received', async () => {
  const { service, phone } = await registered('sms:received');
  const body = { simNumber: 1, phoneNumbers: [telecel.number, '+233551112223'], textMessage: { text: 'Hello' } };
  await call(phone, 'POST', '/messages', body);
  await expect.poll(() => service.posts.length, { interval: 5 }).toBe(1);
  const [post] = service.posts;
  const told = { message: 'Hello', sender: mtn.number, recipient: telecel.number, simNumber: 2 };
  expect(post && payloadOf(post)).toMatchObject(told);
});

function refresh(phone: Awaited<ReturnType<typeof start>>, body: object) {
  return call(phone, 'POST', '/inbox/refresh', body);
}
