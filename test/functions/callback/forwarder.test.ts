import { beforeEach, describe, expect, test } from 'vitest';
import { addPhone, removePhone, rollPhone } from '../../../infra/admin/manage-phones.ts';
import { ACCOUNTS_CACHE_SECONDS, ACCOUNTS_REREAD_SECONDS } from '../../../shared/phones/gateway/accounts.ts';
import { FORWARDER } from '../../../shared/phones/gateway/forwarder.ts';
import { LATE_MS, listPhones } from '../../../shared/phones/gateway/phone.table.ts';
import { listRefused } from '../../../shared/phones/gateway/refused-callback.table.ts';
import { deleteSender, listSenders } from '../../../shared/phones/sender/sender.table.ts';
import { MINUTE_MS } from '../../../shared/runtime/values/calendar.ts';
import { askPhoneAgain } from '../../../shared/wallets/wallet/ask-again.ts';
import { meter } from '../../bench/meter.ts';
import { checkEach } from '../../support/check-each.ts';
import { deploymentOf } from '../../support/deployment.ts';
import { refuse } from '../../support/disturb.ts';
import { expectFailure } from '../../support/envelope.ts';
import { type Forwarded, forwarded, forwarderCall, sha256 } from '../../support/forwarder.ts';
import { hmac, mtn, newNumber, receivedEvent, relayed } from '../../support/receipts.ts';
import { type Scene, type Shop, scene } from '../../support/scene.ts';
import { type Call, FORWARDER_KEYS } from '../../support/world.ts';

let world: Scene;
beforeEach(async () => {
  world = await scene({ inMemory: true });
});

describe('a text from a forwarding app', () => {
  test('is stored in one write', async () => {
    const receivedAt = world.iso(-4_000);
    await post(forwarderCall(forwarded(world, { to: 1, text: 'From a friend', from: 'Ama' })));
    const { requests, writeUnits } = await meter(world, () => post(forwarderCall(text({ received_at: receivedAt }))));
    expect({ requests, writeUnits }).toEqual({ requests: ['PutItem'], writeUnits: 2 });
    const [row] = (await kept()).filter(({ event }) => event);
    expect(row).toMatchObject({
      pk: expect.stringMatching(/^PHONE_EVENT#forwarder#till#[0-9a-f]{64}$/),
      gsi2pk: expect.stringMatching(/^OPEN#PHONE_EVENT#[01]$/),
      gateway: 'forwarder',
      event: {
        event: 'sms:received',
        deviceId: 'till',
        payload: { message: MTN.text, sender: 'MobileMoney', simNumber: 1, receivedAt },
      },
    });
    expect(world.logged).toEqual([]);
  });

  test('marks the charge whose reference it contains as paid', async () => {
    const shop = await world.createShop();
    await place(shop);
    const reference = await shop.charge({ amount: 36, email: 'ama@example.com', customer_name: 'Kofi' });
    await settlePost(forwarderCall(forwarded(world, { to: 1, text: mtn({ amount: '36.00', reference }).text })));
    expect(await shop.verified(reference)).toMatchObject({ status: 'success', amount_paid: 36 });
    const heard = (await world.rows(shop.number)).filter(({ pk }) => pk === 'HEARING');
    expect(heard).toMatchObject([{ gateway: 'forwarder', device_id: 'till' }]);
  });

  test.each<[string, (shop: Shop, now: number) => Partial<Forwarded>]>([
    ['its SIM slot as a number', () => ({ to: 1 })],
    ['its SIM slot as “sim1”', () => ({ to: 'sim1' })],
    ['the number that received it', ({ number }) => ({ to: number })],
    ['the number that received it in local notation', ({ number }) => ({ to: `0${number.slice(4)}` })],
    ['the time in milliseconds', (_, now) => ({ received_at: now, sent_at: now })],
    ['the time in milliseconds as a string', (_, now) => ({ received_at: `${now}`, sent_at: `${now}` })],
    ['the time in seconds', (_, now) => ({ received_at: seconds(now), sent_at: seconds(now) })],
    ['the time in fractional seconds', (_, now) => ({ received_at: `${now / 1000}`, sent_at: `${now / 1000}` })],
    ['the time with an offset', (_, now) => ({ received_at: offset(now, '+01:00'), sent_at: offset(now, '-0500') })],
    ['the time with a space', (_, now) => ({ received_at: new Date(now).toISOString().replace('T', ' ') })],
  ])('may contain %s', async (_, given) => {
    const shop = await world.createShop();
    await place(shop);
    const receipt = mtn();
    await settlePost(forwarderCall(text({ text: receipt.text, ...given(shop, world.clock.nowMs) })));
    expect(await shop.receipt(receipt)).toMatchObject({ momo_number: shop.number });
    const [{ arrived_at, event } = {}] = await kept();
    expect(event).toMatchObject({ payload: { receivedAt: expect.any(String) } });
    const receivedMs = Date.parse(JSON.parse(JSON.stringify(event)).payload.receivedAt);
    expect(Math.abs(Date.parse(String(arrived_at)) - receivedMs)).toBeLessThanOrEqual(1000);
  });

  test('is accepted as form data with unknown fields', async () => {
    const words = `${mtn({ reference: 'rent' }).text}\nWith "quotes" & Ɛ`;
    const { body, ...rest } = forwarderCall(text({ text: words }));
    const form = new URLSearchParams();
    for (const [name, value] of Object.entries({ ...body, battery: 7 })) form.set(name, String(value));
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await post({ ...rest, headers, body: form.toString() })).status).toBe(200);
    expect(await kept()).toMatchObject([{ event: { payload: { message: words } } }]);
  });

  test('is accepted as JSON with a byte order mark, a raw line feed and unknown fields', async () => {
    const words = `${mtn({ reference: 'rent' }).text}\nThank you`;
    const { body, ...rest } = forwarderCall(text({ text: words }));
    const json = JSON.stringify({ ...body, metadata: {} }).replace('\\n', '\n');
    const headers = { 'content-type': 'application/json' };
    expect((await post({ ...rest, headers, body: `\ufeff${json}` })).status).toBe(200);
    expect(await kept()).toMatchObject([{ event: { payload: { message: words } } }]);
  });

  test('is stored without its content if it is from a stranger', async () => {
    expect((await post(forwarderCall(text({ from: 'Ama', text: 'Payment received, dear' })))).status).toBe(200);
    const secret = 'Your One Time Password is 123456. Do not share it with anyone.';
    expect((await post(forwarderCall(text({ text: secret })))).status).toBe(200);
    expect(JSON.stringify(await kept())).not.toMatch(/dear|Ama|123456/);
  });
});

test('a forwarded text is accepted even if contact with its phone cannot be recorded', async () => {
  refuse(world, 'UpdateItem', 9, () => Object.assign(new Error('no'), { name: 'AccessDenied' }));
  expect(await post(forwarderCall(text()))).toMatchObject({ status: 200, json: { message: 'Text accepted' } });
  expect(await kept()).toHaveLength(1);
  const fields = { gateway: 'forwarder', error: expect.any(Error) };
  expect(world.logged).toEqual([{ level: 'warn', event: 'phone_not_noted', fields }]);
});

describe('repeated posts', () => {
  test('do not change stored texts', async () => {
    const first = forwarderCall(text());
    await post(first);
    const before = [await kept(), await world.rows('PHONE'), await phones()];
    world.clock.nowMs += 6 * MINUTE_MS - 61_000;
    const again = forwarderCall({ ...first.body, sent_at: world.iso() });
    for (const one of [first, again, first]) expect((await post(one)).status).toBe(200);
    expect([await kept(), await world.rows('PHONE'), await phones()]).toEqual(before);
  });

  test('store one text if sent 20 times at once', async () => {
    const one = forwarderCall(text());
    await Promise.all(Array.from({ length: 20 }, () => post(one)));
    expect(await kept()).toHaveLength(1);
  });

  test.each<[string, Partial<Forwarded>]>([
    ['a second later', { received_at: '2026-11-21T10:00:01Z' }],
    ['on another SIM', { to: 2 }],
    ['from another sender', { from: 'T-CASH' }],
  ])('store a second text if the content arrives %s', async (_, given) => {
    await post(forwarderCall(text({ received_at: '2026-11-21T10:00:00Z' })));
    await post(forwarderCall(text({ received_at: '2026-11-21T10:00:00Z', ...given })));
    expect(await kept()).toHaveLength(2);
  });

  test('store a second text if a different phone sends the same content', async () => {
    await post(forwarderCall(text(), { phone: 'till' }));
    await post(forwarderCall(text(), { phone: 'stall' }));
    expect(await kept()).toHaveLength(2);
  });
});

describe('rejected callbacks from a forwarding app', () => {
  test.each<[string, (genuine: ReturnType<typeof forwarderCall>) => Call]>([
    ['another key', () => forwarderCall(text(), { key: 'f'.repeat(64) })],
    ['an empty key', () => forwarderCall(text(), { key: '' })],
    ['the key of another phone', () => forwarderCall(text(), { key: FORWARDER_KEYS.stall })],
    ['another phone in the URL', (one) => ({ ...one, parameters: { phone: 'stall' } })],
    ['a phone without a key', (one) => ({ ...one, parameters: { phone: 'new' } })],
    ['the phone name constructor', (one) => ({ ...one, parameters: { phone: 'constructor' } })],
    ['the phone name __proto__', (one) => ({ ...one, parameters: { phone: '__proto__' } })],
    ['the name of a gateway’s phone', (one) => ({ ...one, parameters: { phone: 'device-1' } })],
    ['another text', (one) => changed(one, { text: one.body.text.replace('36.00', '96.00') })],
    ['an additional line', (one) => changed(one, { text: `${one.body.text}\n` })],
    ['another sender', (one) => changed(one, { from: 'Mobilemoney' })],
    ['another SIM', (one) => changed(one, { to: 2 })],
    ['another receipt time', (one) => changed(one, { received_at: '2026-11-21T10:00:00Z' })],
    ['a newer post time', (one) => changed(one, { sent_at: world.clock.nowMs })],
    ['the inner hash', (one) => changed(one, { signature: sha256(FORWARDER_KEYS.till + linesOf(one)) })],
    ['an HMAC', (one) => changed(one, { signature: hmac(FORWARDER_KEYS.till, linesOf(one)) })],
    ['a signature of zeros', (one) => changed(one, { signature: '0'.repeat(64) })],
  ])('return 401 without a reason for %s', async (_, change) => {
    const genuine = forwarderCall(text());
    const answer = await post(change(genuine));
    expectFailure(answer, 401, 'unauthorized');
    expect(answer.text).toContain('docs/integrate/forwarders.md');
    expect(world.requests).toEqual(['UpdateItem']);
    expect(await kept()).toEqual([]);
    expect((await post(genuine)).status).toBe(200);
  });

  test('get the same response regardless of the reason', async () => {
    const answers = [
      await post(forwarderCall(text(), { key: 'f'.repeat(64) })),
      await post(forwarderCall(text(), { phone: 'new' })),
      await post(forwarderCall(text({ sent_at: world.clock.nowMs - 301_000 }))),
    ];
    expect(new Set(answers.map(({ status, json }) => `${status} ${json.message}`)).size).toBe(1);
  });

  test.each([
    [-300_000, 200],
    [-300_001, 401],
    [300_000, 200],
    [300_001, 401],
    [86_400_000, 401],
  ])('include posts dated over five minutes in the past or future (age: %d ms, status: %d)', async (ms, status) => {
    expect((await post(forwarderCall(text({ sent_at: world.clock.nowMs - ms })))).status).toBe(status);
  });

  test('are counted by reason for the `doctor` command', async () => {
    await post(forwarderCall(text(), { key: 'f'.repeat(64) }));
    await post(forwarderCall(text({ sent_at: world.clock.nowMs - 7_200_000 })));
    expect(await listRefused(world.outside)).toMatchObject([
      { gateway: 'forwarder', device_id: 'till', reason: 'clock', skew_seconds: -7200 },
      { gateway: 'forwarder', device_id: 'till', reason: 'wrong_signature' },
    ]);
  });

  test('include posts signed for the gateway’s route', async () => {
    const body = JSON.stringify(receivedEvent(world, { ...mtn(), device: 'till' }));
    const timestamp = seconds(world.clock.nowMs);
    const headers = { 'x-timestamp': timestamp, 'x-signature': hmac(FORWARDER_KEYS.till, body + timestamp) };
    const answer = await world.call('callback/smsgate', { parameters: { gateway: FORWARDER }, headers, body });
    expectFailure(answer, 401, 'unauthorized');
    expect(await kept()).toEqual([]);
  });

  test('return an error that describes the problem', () =>
    checkEach<[string, object | string, number, string]>(
      [
        ['malformed JSON', '{', 400, 'malformed_json'],
        ['a list', [], 400, 'body'],
        ['null', 'null', 400, 'body'],
        ['an empty object', {}, 400, 'sent_at'],
        ['no sender', { from: undefined }, 400, 'from'],
        ['an empty sender', { from: '' }, 400, 'from'],
        ['a two-line sender', { from: 'MobileMoney\n1' }, 400, 'from'],
        ['a sender with a trailing line feed', { from: 'MobileMoney\n' }, 400, 'from'],
        ['a sender that is an object', { from: { toString: 'MobileMoney' } }, 400, 'from'],
        ['a long sender', { from: 'M'.repeat(65) }, 400, 'from'],
        ['neither a SIM slot nor a number', { to: undefined }, 400, 'to'],
        ['an empty SIM slot', { to: '' }, 400, 'to'],
        ['SIM slot 0', { to: 0 }, 400, 'to'],
        ['SIM slot 9', { to: '9' }, 400, 'to'],
        ['a two-line SIM slot', { to: '1\n2' }, 400, 'to'],
        ['an unfilled variable', { to: '%SIM' }, 400, 'to'],
        ['a foreign number', { to: '+4915112345678' }, 400, 'to'],
        ['no receipt time', { received_at: undefined }, 400, 'received_at'],
        ['a time without an offset', { received_at: '2026-11-21T10:00:00' }, 400, 'received_at'],
        ['a date without a time', { received_at: '2026-11-21' }, 400, 'received_at'],
        ['an impossible hour', { received_at: '2026-11-21T30:00:00Z' }, 400, 'received_at'],
        ['a time in words', { received_at: '21 November' }, 400, 'received_at'],
        ['a number that is not a time', { received_at: 7 }, 400, 'received_at'],
        ['an infinite number', { received_at: '1e400' }, 400, 'received_at'],
        ['an invalid post time', { sent_at: 'now' }, 400, 'sent_at'],
        ['no text', { text: undefined }, 400, 'text'],
        ['an empty text', { text: '' }, 400, 'text'],
        ['a text that is a list', { text: ['a'] }, 400, 'text'],
        ['no signature', { signature: undefined }, 400, 'signature'],
        ['a signature in capitals', { signature: 'A'.repeat(64) }, 400, 'signature'],
        ['very deep JSON', '['.repeat(15_000), 400, 'malformed_json'],
        ['more than 16 KB', { text: 'x'.repeat(16 * 1024) }, 413, 'body_too_large'],
        ['6 MB', { text: 'x'.repeat(6 * 1024 * 1024) }, 413, 'body_too_large'],
      ],
      async ([name, given, status, what]) => {
        const genuine = forwarderCall(text());
        const isWhole = typeof given === 'string' || Array.isArray(given) || name === 'an empty object';
        const headers = { 'content-type': 'application/json' };
        const answers = [];
        for (const phone of ['till', 'new']) {
          const body = isWhole ? given : { ...genuine.body, ...given };
          answers.push(await post({ ...genuine, parameters: { phone }, headers, body }));
        }
        expect(answers.map((answer) => answer.status)).toEqual([status, status]);
        expect(answers[0]?.json.errors?.[0]?.field ?? answers[0]?.json.code).toBe(what);
        // The response must not reveal whether a phone is known.
        expect(answers[0]?.json.message).toBe(answers[1]?.json.message);
        expect(world.requests).toEqual([]);
      },
    ));
});

describe('an authenticated text for the wrong number', () => {
  const inAnother =
    (gateway: string, device_id: string) =>
    ({ number, network }: Shop) =>
      world.addSender({ number, network, gateway, device_id, sim_number: 1 });

  test.each<[string, (shop: Shop) => Promise<unknown>, (shop: Shop) => string | number]>([
    ['a number in another forwarding phone', inAnother(FORWARDER, 'stall'), ({ number }) => number],
    ['a number in a gateway’s phone', inAnother('phone', 'device-1'), ({ number }) => number],
    ['a number in a gateway’s phone of the same name', inAnother('phone', 'till'), ({ number }) => number],
    ['the SIM slot of a gateway’s phone of the same name', inAnother('phone', 'till'), () => 1],
    ['another SIM slot of the phone', place, () => 2],
    [
      'a number that is not in any phone',
      ({ number }) => world.outside.table.write([deleteSender(number)]),
      ({ number }) => number,
    ],
  ])('leaves the charge unpaid if it was sent to %s', async (_, given, to) => {
    const shop = await world.createShop();
    await given(shop);
    const reference = await shop.charge({ amount: 36, email: 'ama@example.com', customer_name: 'Kofi' });
    await settlePost(forwarderCall(text({ text: mtn({ reference }).text, to: to(shop) })));
    expect(await shop.verified(reference)).toMatchObject({ status: 'pending', amount_paid: 0 });
  });
});

describe('a forwarding phone’s key', () => {
  let stored: ReturnType<typeof deploymentOf>;
  let key: string;
  beforeEach(async () => {
    stored = deploymentOf(world);
    world.outside.secret = async () => stored.secret.text;
    ({ key } = await addPhone(stored, 'kiosk'));
  });
  const posted = (phone: string, its: string) => post(forwarderCall(text(), { phone, key: its }));

  test('takes effect immediately', async () => {
    expect(key).toMatch(/^[0-9a-f]{64}$/);
    expect((await posted('kiosk', key)).status).toBe(200);
    expect(JSON.stringify([await kept(), await world.rows('PHONE'), await phones()])).not.toContain(key);
  });

  test('stops working within five minutes of rotation', async () => {
    expect((await posted('kiosk', key)).status).toBe(200);
    const { key: next } = await rollPhone(stored, 'kiosk');
    world.clock.nowMs += ACCOUNTS_REREAD_SECONDS * 1000;
    expect((await posted('kiosk', next)).status).toBe(200);
    // The new key made the function reload all keys, so the old key no longer works.
    expectFailure(await posted('kiosk', key), 401, 'unauthorized');
  });

  test('stops working within five minutes of removal', async () => {
    expect((await posted('kiosk', key)).status).toBe(200);
    await removePhone(stored, 'kiosk');
    world.clock.nowMs += ACCOUNTS_CACHE_SECONDS * 1000;
    expectFailure(await posted('kiosk', key), 401, 'unauthorized');
  });
});

describe('a phone’s measured delay', () => {
  beforeEach(() => place({ number: newNumber() }));
  const postAfter = (delayMs: number) =>
    post(forwarderCall(text({ text: mtn().text, received_at: world.clock.nowMs - delayMs })));

  test('is stored at most once every five minutes', async () => {
    await postAfter(4_000);
    expect(await phones()).toMatchObject([{ gateway: 'forwarder', device_id: 'till', delay_ms: 4_000 }]);
    world.requests.length = 0;
    for (let n = 0; n < 10; n++) await postAfter(n * 1_000);
    expect(world.requests).toEqual(Array.from({ length: 10 }, () => 'PutItem'));
  });

  test('is 0 if the phone’s clock is fast', async () => {
    await postAfter(-60_000);
    expect(await phones()).toMatchObject([{ delay_ms: 0 }]);
  });

  test('marks the phone as late until 30 minutes after the last late text', async () => {
    await postAfter(4_000);
    expect(await measured()).toBe(0);
    await postAfter(LATE_MS + 1);
    expect(await measured()).toBe(1);
    const fields = { gateway: 'forwarder', device: 'till', code: 'late' };
    expect(world.logged).toContainEqual({ level: 'warn', event: 'phone_not_heard', fields });
    world.clock.nowMs += 29 * MINUTE_MS;
    expect(await measured()).toBe(1);
    await postAfter(4_000);
    world.clock.nowMs += MINUTE_MS;
    expect(await measured()).toBe(0);
  });

  test('is computed from the phone’s own clock', async () => {
    const sent_at = world.clock.nowMs - 3 * 60_000;
    await post(forwarderCall(text({ text: mtn().text, sent_at, received_at: sent_at - 4_000 })));
    expect(await phones()).toMatchObject([{ delay_ms: 4_000 }]);
  });

  test('ignores short delays and repeated texts', async () => {
    await postAfter(LATE_MS);
    const first = text({ text: mtn().text });
    await post(forwarderCall(first));
    world.clock.nowMs += 10 * MINUTE_MS;
    await post(forwarderCall({ ...first, sent_at: world.clock.nowMs }));
    expect(await measured()).toBe(0);
  });

  test('costs at most one extra write every five minutes', async () => {
    await postAfter(4_000);
    await postAfter(LATE_MS + 1);
    world.requests.length = 0;
    for (let n = 0; n < 10; n++) await postAfter(LATE_MS + 2 + n);
    expect(world.requests).toEqual(Array.from({ length: 10 }, () => 'PutItem'));
  });
});

describe('a forwarding phone', () => {
  test('is never reported as faulty or asked to resend', async () => {
    expect(await place({ number: newNumber() })).toMatchObject({ enabled: false, receives_only: true });
    for (let n = 0; n < 10; n++) {
      expect(await measured()).toBe(0);
      world.clock.nowMs += MINUTE_MS;
    }
    expect(world.fetched).toEqual([]);
    expect(world.logged).toEqual([]);
    expect(await listSenders(world.outside)).toEqual([expect.not.objectContaining({ fault: expect.anything() })]);
    const now = world.iso();
    world.requests.length = 0;
    expect(await askPhoneAgain(world.outside, { gateway: FORWARDER, device_id: 'till' }, now, now)).toBe(false);
    expect(world.requests).toEqual([]);
    expect(world.logged).toEqual([]);
  });
});

const MTN = mtn();

function text(given: Partial<Forwarded> = {}): Forwarded {
  return forwarded(world, { to: 1, text: MTN.text, ...given });
}

function post(request: Call) {
  return world.call('callback/forwarder', request);
}

async function settlePost(request: Call): Promise<void> {
  expect((await post(request)).status).toBe(200);
  const [row, ...more] = await kept();
  expect(more).toEqual([]);
  await world.settle(await relayed(world, row));
}

function kept() {
  return world.rows('PHONE_EVENT');
}

async function phones() {
  return (await listPhones(world.outside)).phones;
}

/** Assigns the number to SIM slot 1 of a phone with a forwarding app. */
function place({ number }: { number: string }, device_id = 'till') {
  return world.addSender({ number, network: 'MTN', gateway: FORWARDER, device_id, sim_number: 1 });
}

async function measured(): Promise<number | undefined> {
  delete world.counted.phones_not_heard;
  await world.housekeeping();
  return world.counted.phones_not_heard;
}

function changed(one: ReturnType<typeof forwarderCall>, given: object): Call {
  return { ...one, body: { ...one.body, ...given } };
}

function linesOf({ body: { sent_at, from, to, received_at, text } }: ReturnType<typeof forwarderCall>): string {
  return [sent_at, from, to, received_at, text].join('\n');
}

function seconds(ms: number): string {
  return String(Math.floor(ms / 1000));
}

function offset(ms: number, zone: string): string {
  const sign = zone.startsWith('-') ? -1 : 1;
  const hours = Number(zone.slice(1, 3));
  return new Date(ms + sign * hours * 3_600_000).toISOString().replace('Z', zone);
}
