import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { readWalletText } from '../../../shared/ghana/wallet-text/read-wallet-text.ts';
import { ReceivedEvent } from '../../../shared/phones/gateway/callback.ts';
import { APP_VERSIONS } from '../../../shared/phones/gateway/odd-form.ts';
import { FORM_KEPT_MS, listPhones, noteFormsAsked, noteOddForm } from '../../../shared/phones/gateway/phone.table.ts';
import { openCallback, readCallback, understands } from '../../../shared/phones/gateway/read-callback.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/runtime/values/calendar.ts';
import { checkEach } from '../../support/check-each.ts';
import { expectCost } from '../../support/cpu.ts';
import { refuse } from '../../support/disturb.ts';
import { expectFailure } from '../../support/envelope.ts';
import { type Forwarded, forwarded, forwarderCall } from '../../support/forwarder.ts';
import { hmac, mtn, relayed, telecel } from '../../support/receipts.ts';
import { type Scene, scene } from '../../support/scene.ts';
import { VirtualTime } from '../../support/virtual-time.ts';
import { type Call, SIGNING_KEYS } from '../../support/world.ts';

const ENCRYPTED = '$aes-256-cbc/pbkdf2-sha1$i=300000$UrRJfvJpVHoGVDyZsBTYrw==$Yk0dBbGTGZ8YcCVFGvCTMg==';

const NEW_CIPHER = '$aes-256-gcm/argon2$i=3$UrRJ$Yk0d';

let world: Scene;
beforeEach(async () => {
  world = await scene({ inMemory: true });
});

/** Posts a signed body. */
function post(body: object | string, { key = SIGNING_KEYS.phone['device-1'], gateway = 'phone' } = {}) {
  const rawBody = typeof body === 'string' ? body : JSON.stringify(body);
  const timestamp = String(Math.floor(world.clock.nowMs / 1000));
  const headers = { 'x-timestamp': timestamp, 'x-signature': hmac(key, rawBody + timestamp) };
  return world.call('callback/smsgate', { parameters: { gateway }, headers, body: rawBody });
}

const event = (payload: unknown, more: object = {}) => ({
  event: 'sms:received',
  id: 'event-1',
  deviceId: 'device-1',
  webhookId: 'hook',
  payload,
  ...more,
});
const words = { message: mtn().text, sender: 'MobileMoney' };
const kept = () => world.rows('PHONE_EVENT');
const phone = async () => (await listPhones(world.outside)).phones[0];
const forms = async () => (await phone())?.odd_forms ?? [];

describe('posts from other versions of the gateway app', () => {
  test.each<[string, object, object]>([
    ['phoneNumber instead of sender', { message: mtn().text, phoneNumber: 'MobileMoney' }, {}],
    ['phoneNumber and an empty sender', { ...words, sender: '', phoneNumber: 'MobileMoney' }, {}],
    ['phoneNumber and a null sender', { ...words, sender: null, phoneNumber: 'MobileMoney' }, {}],
    ['phoneNumber and a blank sender', { ...words, sender: ' ', phoneNumber: 'MobileMoney' }, {}],
    ['phoneNumber and an object as sender', { ...words, sender: {}, phoneNumber: 'MobileMoney' }, {}],
    ['phoneNumber and a number as sender', { ...words, sender: 5, phoneNumber: 'MobileMoney' }, {}],
    ['an empty phoneNumber', { ...words, phoneNumber: '' }, {}],
    ['a trailing space in phoneNumber', { ...words, phoneNumber: 'MobileMoney ' }, {}],
    ['a lower-case sender in phoneNumber', { ...words, phoneNumber: 'mobilemoney' }, {}],
    ['no messageId', words, {}],
    ['a numeric messageId', { ...words, messageId: 7 }, {}],
    ['the SIM slot as a string', { ...words, simNumber: '1' }, { simNumber: 1 }],
    ['an object as the SIM slot', { ...words, simNumber: { slot: 1 } }, {}],
    ['a SIM slot above the maximum', { ...words, simNumber: 1_000 }, {}],
    ['the highest SIM slot', { ...words, simNumber: 999 }, { simNumber: 999 }],
    ['SIM slot 0', { ...words, simNumber: 0 }, {}],
    ['a fractional SIM slot', { ...words, simNumber: 1.5 }, {}],
    ['a numeric recipient', { ...words, recipient: 233241234567 }, { recipient: '233241234567' }],
    ['a numeric recipient without the leading 0', { ...words, recipient: 241234567 }, { recipient: '0241234567' }],
    ['a list as recipient', { ...words, recipient: ['a'] }, {}],
    ['the time in milliseconds', { ...words, receivedAt: 1795687571000 }, { receivedAt: '2026-11-26T10:06:11.000Z' }],
    ['the time in seconds', { ...words, receivedAt: '1795687571' }, { receivedAt: '2026-11-26T10:06:11.000Z' }],
    ['an object as the time', { ...words, receivedAt: {} }, {}],
    ['an invalid time', { ...words, receivedAt: 7 }, {}],
  ])('are parsed with %s', async (_, payload, read) => {
    expect((await post(event(payload))).status).toBe(200);
    const rows = await kept();
    expect(rows).toMatchObject([{ event: { id: 'event-1', payload: { sender: 'MobileMoney' } } }]);
    expect(rows[0]?.event).toEqual({
      event: 'sms:received',
      id: 'event-1',
      deviceId: 'device-1',
      payload: { message: expect.any(String), sender: 'MobileMoney', ...read },
    });
    expect(await forms()).toEqual([]);
    expect(world.logged).toEqual([]);
  });

  test('are parsed with a numeric event id', async () => {
    await post(event(words, { id: 7 }));
    expect(await kept()).toMatchObject([{ pk: 'PHONE_EVENT#phone#device-1#7' }]);
  });

  test('are parsed with a numeric device id', () => {
    const body = JSON.stringify(event(words, { deviceId: 7 }));
    const opened = openCallback(body);
    expect(opened.devices).toEqual(['7']);
    expect(readCallback(opened, '7', 'key').texts).toMatchObject([{ deviceId: '7' }]);
  });

  test.each(['89233010001234567890', '1e308', '1e400'])('are parsed with the SIM slot %s', async (sim) => {
    const body = JSON.stringify(event({ ...words, simNumber: 7 })).replace('"simNumber":7', `"simNumber":${sim}`);
    expect((await post(body)).status).toBe(200);
    expect(await kept()).toHaveLength(1);
  });

  test.each([
    ['is left out', undefined],
    ['is null', null],
    ['is empty', ''],
    ['is true', true],
    ['is an object', {}],
  ])('are stored separately if the event id %s', async (_, id) => {
    const later = { ...words, receivedAt: '2026-11-25T12:00:01Z' };
    for (const text of [words, words, { ...words, message: mtn().text }, later]) await post(event(text, { id }));
    const messages = [words, later];
    await post(event({ messages }, { event: 'sms:batch:received', id }));
    expect(await kept()).toHaveLength(3);
    expect(await forms()).toEqual([]);
  });

  test.each([
    ['numbers beyond 2^53', '7312345678901234561', '7312345678901234562'],
    ['0', '0', '0'],
    ['zeros', '"00-0"', '"00-0"'],
    ['fractions', '0.5', '0.5'],
    ['blanks', '" "', '" "'],
    ['restarted from 1 after a reinstall', '"1"', '"1"'],
  ])('are stored separately if the event ids are %s', async (_, one, other) => {
    const texts = [one, other].map((id) =>
      JSON.stringify(event({ ...words, message: mtn().text }, { id: 'ID' })).replace('"ID"', id),
    );
    for (const text of [...texts, ...texts]) expect((await post(text)).status).toBe(200);
    expect(await kept()).toHaveLength(2);
    expect(new Set((await kept()).map(({ gsi2sk }) => gsi2sk)).size).toBe(2);
  });

  test('are stored separately if a different sender uses the same id', async () => {
    await post(event({ ...words, sender: 'ADVERT' }));
    await post(event(words));
    expect(await kept()).toHaveLength(2);
  });

  test('are parsed with a byte order mark or unescaped line feeds', async () => {
    const body = JSON.stringify(event({ ...words, message: 'a b' }));
    await post(`\ufeff${body}`);
    await post(`\ufeff${body.replace('a b', 'a\nb').replace('event-1', 'event-2')}`);
    expect((await kept()).map(({ event }) => event)).toMatchObject([
      { id: 'event-1', payload: { message: 'a b' } },
      { id: 'event-2', payload: { message: 'a\nb' } },
    ]);
  });

  test.each([512, 513, 2_100, 60_000])('are stored once with an id of %i bytes', async (bytes) => {
    for (let n = 0; n < 2; n++) {
      expect((await post(event(words, { id: 'x'.repeat(bytes) }))).status).toBe(200);
      expect((await post(event(words, { id: `${'x'.repeat(bytes - 1)}y` }))).status).toBe(200);
    }
    expect(await kept()).toHaveLength(2);
    for (const { pk } of await kept()) expect(String(pk).length).toBeLessThan(1_000);
  });

  test('mark the charges that they reference as paid', async () => {
    const shop = await world.createShop();
    const reference = await shop.charge({ amount: 36 });
    const { text } = mtn({ amount: '36.00', reference });
    await settle({
      event: 'sms:received',
      payload: { message: text, phoneNumber: 'MobileMoney', recipient: shop.number },
    });
    expect(await shop.verified(reference)).toMatchObject({ status: 'success', amount_paid: 36 });
  });
});

describe('text batches', () => {
  test('are stored as separate texts', async () => {
    const messages = [words, { message: telecel().text, phoneNumber: 'T-CASH', simNumber: '2' }];
    for (const batch of [{ messages }, { messages }, messages])
      await post(event(batch, { event: 'sms:batch:received', id: 'batch' }));
    expect((await kept()).map(({ event }) => event)).toMatchObject([
      { event: 'sms:received', id: 'batch-0', payload: { sender: 'MobileMoney' } },
      { event: 'sms:received', id: 'batch-1', payload: { sender: 'T-CASH', simNumber: 2 } },
    ]);
    expect(await forms()).toEqual([]);
  });

  test('may be larger than 64 KB', async () => {
    const messages = Array.from({ length: 300 }, () => ({ ...words, message: mtn().text }));
    const batch = event({ messages }, { event: 'sms:batch:received', id: 'batch' });
    expect(JSON.stringify(batch).length).toBeGreaterThan(64 * 1024);
    expect((await post(batch)).status).toBe(200);
    expect(await kept()).toHaveLength(300);
  });

  test('can mark two charges as paid', async () => {
    const shop = await world.createShop();
    const references = [await shop.charge({ amount: 36 }), await shop.charge({ amount: 37 })];
    const messages = references.map((reference, n) => {
      const { text: message } = mtn({ amount: `${36 + n}.00`, reference });
      return { message, sender: 'MobileMoney', recipient: shop.number };
    });
    await settle({ event: 'sms:batch:received', payload: { messages } });
    for (const reference of references) expect(await shop.verified(reference)).toMatchObject({ status: 'success' });
  });

  test('are stored despite a text that cannot be parsed', async () => {
    await post(event({ messages: [words, { text: 'a' }, words] }, { event: 'sms:batch:received', id: 'batch' }));
    expect(await kept()).toHaveLength(2);
    const [{ form = '' } = {}] = await forms();
    expect(JSON.parse(form)).toMatchObject({
      event: 'sms:batch:received',
      payload: { messages: [{ text: 'string' }] },
    });
  });

  test('are stored twenty at a time unless all are from one sender', async () => {
    let atOnce = 0;
    let most = 0;
    world.dynamoDb = async (_request, send) => {
      most = Math.max(most, ++atOnce);
      return send().finally(() => atOnce--);
    };
    const batch = async (sender: string) => {
      const messages = Array.from({ length: 50 }, (_, n) => ({ message: `a ${n}`, sender }));
      most = 0;
      await post(event({ messages }, { event: 'sms:batch:received', id: sender }));
    };
    await batch('MobileMoney');
    expect(most).toBe(20);
    expect(await kept()).toHaveLength(50);
    await batch('+233201234567');
    expect(most).toBeLessThan(6);
    expect(await kept()).toHaveLength(100);
  });

  test('from 700 senders are stored in under five seconds', async () => {
    const time = new VirtualTime(world.clock, () => world.requests.length);
    world.dynamoDb = async (_request, send) => {
      await time.sleep(8);
      return send();
    };
    const messages = Array.from({ length: 700 }, (_, n) => ({ message: `a ${n}`, sender: `+23324${1_000_000 + n}` }));
    let isDone = false;
    void post(event({ messages }, { event: 'sms:batch:received', id: 'batch' })).then(() => {
      isDone = true;
    });
    await time.run(5_000);
    expect(isDone).toBe(true);
    world.dynamoDb = (_request, send) => send();
    expect(await kept()).toHaveLength(700);
  });

  test('are not reported if they are empty', async () => {
    expect((await post(event({ messages: [] }, { event: 'sms:batch:received' }))).status).toBe(200);
    expect(await forms()).toEqual([]);
  });
});

describe('a text too large for a DynamoDB item', () => {
  const large = 450_000;
  test.each([
    [
      'a payment with trailing words',
      { ...words, message: `${words.message} ${'more words '.repeat(large / 11)}` },
      'unread',
    ],
    ['letters that grow when masked', { ...words, message: '\ufdfa'.repeat(large / 3) }, 'unread'],
    ['letters that shrink when masked', { ...words, message: 'e\u0301'.repeat(large / 3) }, 'unread'],
    ['spaces within a payment', { ...words, message: words.message.replace(' ', ' '.repeat(large)) }, 'payment'],
    ['spaces around its sender', { ...words, sender: `${' '.repeat(large)}MobileMoney` }, 'payment'],
    ['a long recipient', { ...words, recipient: '1'.repeat(large) }, 'payment'],
    ['a long time', { ...words, receivedAt: 'a'.repeat(large) }, 'payment'],
  ])('is shortened without changing its parsed values: %s', async (_, payload, kind) => {
    const store = async () => expect((await post(event(payload))).status).toBe(200);
    await expectCost(100, store);
    const [{ event: stored } = {}] = await kept();
    const { sender, message } = ReceivedEvent.parse(stored).payload;
    expect(readWalletText(sender, message).kind).toBe(kind);
    expect(Buffer.byteLength(JSON.stringify(stored))).toBeLessThan(200_000);
  });
});

const CANARY = 'Canary Owusu 0241234567';
const odd: Readonly<Record<string, object>> = {
  'no message': event({ sender: CANARY }),
  'no sender': event({ message: CANARY }),
  'a sender that is not a string': event({ message: CANARY, sender: 7 }),
  'a message that is an object': event({ message: { [CANARY]: CANARY }, sender: CANARY }),
  'a message that is a list': event({ message: [CANARY, 1, null], sender: CANARY }),
  'a payload that is a string': event(CANARY),
  'no payload': { event: 'sms:received', id: CANARY, deviceId: 'device-1' },
  'a batch that is an object': event({ texts: [CANARY] }, { event: 'sms:batch:received' }),
  'an unknown event': event({ message: CANARY, sender: CANARY }, { event: CANARY }),
  'an event with the name of an inherited property': event(words, { event: 'constructor' }),
  'a report without an id': event({ reason: CANARY }, { event: 'sms:failed' }),
  'no id': { event: 'sms:received', deviceId: 'device-1', payload: { message: CANARY } },
  'an id that is an object': event({ message: CANARY }, { id: { [CANARY]: CANARY } }),
  'a field with every name': event({ ...Object.fromEntries(Array.from(CANARY, (one, n) => [`${one}${n}`, CANARY])) }),
  'a field named __proto__': event(JSON.parse(`{"__proto__":"${CANARY}"}`)),
};

const wallet = { message: CANARY, sender: 'MobileMoney' };
const unnamed = { text: CANARY, from: 'MobileMoney' };
const stranger = { message: 'a', sender: 'ADVERT' };

describe('a wallet text in an unknown field', () => {
  test.each<[string, object]>([
    ['next to the payload', { ...event(stranger), payloads: [unnamed] }],
    ['in a list within a text', event({ ...stranger, more: [unnamed] })],
    ['next to the texts of a batch', event({ messages: [], items: [wallet] }, { event: 'sms:batch:received' })],
    ['in a text of a batch', event({ messages: [{ ...stranger, next: wallet }] }, { event: 'sms:batch:received' })],
    ['in a report', event({ messageId: 'a', messages: [wallet] }, { event: 'sms:sent' })],
    ['in a part of an MMS', event({ messageId: 'a', parts: [wallet] }, { event: 'mms:received' })],
    ['in a data SMS', event({ address: 'MobileMoney', data: CANARY }, { event: 'sms:data-received' })],
    ['in a ping', event({ texts: [wallet] }, { event: 'system:ping' })],
    ['in an app start event', event({ pending: { first: wallet } }, { event: 'app:started' })],
  ])('is reported as an unknown format: %s', async (_, body) => {
    expect((await post(body)).status).toBe(200);
    const [form] = await forms();
    expect({ fault: form?.fault, understood: form && understands(form) }).toEqual({
      fault: 'unknown',
      understood: false,
    });
    expect(JSON.stringify(await world.scan())).not.toContain('Canary');
  });

  test.each<[string, object]>([
    ['a message', event({ ...stranger, message: 'MobileMoney' })],
    ['the body of an MMS', event({ messageId: 'a', sender: null, body: 'MobileMoney' }, { event: 'mms:received' })],
    ['a second sender field', event({ ...words, address: 'MobileMoney' })],
    ['its usual sender field', event({ ...words, tags: ['sms'], meta: { name: 'Ama' } })],
  ])('is not reported if the wallet’s name appears only in %s', async (_, body) => {
    expect((await post(body)).status).toBe(200);
    expect(await forms()).toEqual([]);
  });
});

test.each([
  ['a text', event({ message: 'aGVsbG8=', sender: 'd29ybGQ=', isEncrypted: true })],
  ['a post', event({ message: 'aGVsbG8=', sender: 'd29ybGQ=' }, { isEncrypted: true })],
])('%s marked as encrypted is reported', async (_, body) => {
  expect((await post(body)).status).toBe(200);
  expect(await forms()).toMatchObject([{ fault: 'encrypted' }]);
});

describe('posts in an unknown format', () => {
  test.each(Object.entries(odd))('return 200 and store only their structure for %s', async (_, body) => {
    expect((await post(body)).status).toBe(200);
    expect(await kept()).toEqual([]);
    expect(await forms()).toMatchObject([{ fault: 'unknown', count: 1, last_ms: world.clock.nowMs }]);
    const rows = JSON.stringify(await world.scan());
    for (const word of [CANARY, 'Canary', '0241234567']) expect(rows).not.toContain(word);
    expect(world.logged).toEqual([
      {
        level: 'warn',
        event: 'callback_not_understood',
        fields: { gateway: 'phone', device: 'device-1', code: 'unknown' },
      },
    ]);
  });

  test.each(Object.entries(odd))('are counted as unreadable for %s', async (_, body) => {
    await post(body);
    for (const form of await forms()) expect(understands(form)).toBe(false);
  });

  test('are reduced to the event, known field names and types', async () => {
    await post(event({ messageId: 'x', message: 7, phoneNumber: 'Ama', 'Ama Mensah': 1, receivedAt: null }));
    expect((await forms())[0]?.form).toBe(
      '{"deviceId":"string","event":"sms:received","id":"string","payload":' +
        '{"?":"number","message":"number","messageId":"string","phoneNumber":"string","receivedAt":"null"},"webhookId":"string"}',
    );
  });

  test.each<[string, unknown]>([
    ['wide', Object.fromEntries(Array.from({ length: 3_000 }, (_, n) => [`message${n}`, 1]))],
    ['deep', JSON.parse(`${'{"message":'.repeat(2_000)}1${'}'.repeat(2_000)}`)],
    ['long', Array.from({ length: 1_000 }, (_, n) => ({ [`a${n}`]: n }))],
  ])('are stored with a shortened structure if the payload is %s', async (_, payload) => {
    await post(event(payload));
    expect((await forms())[0]?.form.length).toBeLessThan(1_500);
  });

  test('are stored with at most five different structures', async () => {
    const types = [1, 'a', true, null];
    for (let n = 0; n < 100; n++) {
      const pick = (at: number) => types[Math.floor(n / 4 ** at) % 4];
      await post(event({ body: pick(0), date: pick(1), size: pick(2), slot: pick(3) }));
    }
    expect(await forms()).toHaveLength(5);
  });

  test('are counted per structure', async () => {
    const firstMs = world.clock.nowMs;
    for (let n = 0; n < 3; n++) {
      await post(event({ text: `words ${n}` }, { id: `${n}` }));
      world.clock.nowMs += MINUTE_MS;
    }
    expect(await forms()).toMatchObject([{ count: 3, first_ms: firstMs, last_ms: firstMs + 2 * MINUTE_MS }]);
  });

  test('are resent by the phone if the structure cannot be stored', async () => {
    refuse(world, 'UpdateItem', 1, () => Object.assign(new Error('no'), { name: 'AccessDenied' }));
    expectFailure(await post(event({})), 500, 'internal');
    expect((await post(event({}))).status).toBe(200);
    expect(await forms()).toHaveLength(1);
  });

  test('are stored with all of their structures if they arrive simultaneously', async () => {
    await post(event({ date: 1 }));
    await Promise.all([post(event({ body: 1 })), post(event({ size: 1 })), post(event({ slot: 1 }))]);
    expect(await forms()).toHaveLength(4);
  });
});

describe('a post with broken JSON', () => {
  const raw = (message: string, more = '') =>
    `{"event":"sms:received","id":"1","deviceId":"device-1","payload":{"message":"${message}","sender":"MobileMoney"${more}}}`;

  test('is repaired if strings contain raw line feeds or tabs', async () => {
    expect((await post(raw('Payment received\r\nfor\tGHS 1.00, \\"quoted\\" \\\\\nok'))).status).toBe(200);
    expect(await kept()).toMatchObject([
      { event: { payload: { message: 'Payment received\r\nfor\tGHS 1.00, "quoted" \\\nok' } } },
    ]);
    expect(await forms()).toMatchObject([{ fault: 'repaired', count: 1 }]);
  });

  test.each<[string, string]>([
    ['unescaped quotes', raw('a "b"\nc')],
    ['a duplicate name', raw('a\nb","message":"c')],
    [
      'a text that contains a sender field',
      raw('a\nb').replace('"sender"', '"x":"","sender":"MobileMoney","phoneNumber":"+233201234567","y"'),
    ],
    ['an invalid escape', raw('a\\\nb')],
    ['a missing end', raw('a\nb').slice(0, -1)],
  ])('is discarded and reported for %s', async (_, body) => {
    expect((await post(body)).status).toBe(200);
    expect(await kept()).toEqual([]);
    expect(await forms()).toMatchObject([{ fault: 'not_json' }]);
  });

  test('is counted for the phone that signed it', async () => {
    await post(`{"payload":{"message":"a "b", "deviceId":"device-2"},"deviceId":"device-1"}`);
    expect(await phone()).toMatchObject({ device_id: 'device-1', odd_forms: [{ fault: 'not_json' }] });
  });

  /** Bodies of an app that does not escape texts. */
  const layouts: Readonly<Record<string, (words: string) => string>> = {
    'sender after the message': (words) =>
      `{"deviceId":"device-1","event":"sms:received","id":"e","webhookId":"w","payload":{"messageId":"x","message":"${words}","sender":"+233201234567","recipient":null,"simNumber":1,"receivedAt":"2026-11-25T12:00:00Z"}}`,
    'sender before the message': (words) =>
      `{"event":"sms:received","id":"e","deviceId":"device-1","payload":{"sender":"+233201234567","message":"${words}"}}`,
    'payload first': (words) =>
      `{"payload":{"message":"${words}","sender":"+233201234567"},"event":"sms:received","id":"e","deviceId":"device-1"}`,
    'phoneNumber after the message': (words) =>
      `{"event":"sms:received","id":"e","deviceId":"device-1","payload":{"messageId":"x","message":"${words}","phoneNumber":"+233201234567","simNumber":1}}`,
    'phoneNumber before the message': (words) =>
      `{"event":"sms:received","id":"e","deviceId":"device-1","payload":{"phoneNumber":"+233201234567","message":"${words}"}}`,
  };
  const forgeries: readonly (readonly [string, string])[] = [
    ['names a sender', '","sender":"MobileMoney'],
    ['names a sender and absorbs the rest', '","sender":"MobileMoney","z":"'],
    ['names a phoneNumber', '","phoneNumber":"MobileMoney'],
    ['closes the payload', '","sender":"MobileMoney"},"x":{"message":"'],
    ['closes the payload and adds unknown fields', '","sender":"MobileMoney"},"x":{"y":"'],
    ['closes the payload and adds a list', '","sender":"MobileMoney"},"x":[{"y":"'],
    ['closes the payload and adds another payload', '","sender":"MobileMoney"},"payload":{"y":"'],
    ['closes the post', '","sender":"MobileMoney"}}'],
    ['escapes the name', '","\\u0073ender":"MobileMoney'],
    ['escapes all names', '","\\u0073ender":"MobileMoney"},"x":{"z":"'],
  ];
  const forged = Object.entries(layouts).flatMap(([name, layout]) =>
    forgeries.flatMap(([what, words]) => [
      { name: `${name}, ${what}`, body: layout(`${mtn().text}\n${words}`) },
      { name: `${name}, ${what}, on one line`, body: layout(`${mtn().text}${words}`) },
    ]),
  );

  test('cannot forge a sender, whatever the text contains', () =>
    checkEach(forged, async ({ body }) => {
      world = await scene({ inMemory: true });
      expect([200, 401]).toContain((await post(body)).status);
      expect(await kept()).not.toMatchObject([{ event: { payload: { sender: 'MobileMoney' } } }]);
    }));

  test('is discarded if it has a duplicate field name', async () => {
    for (const twice of ['"message":"a","message":"b"', '"message":"a","x":{"b":1,"b":2}'])
      await post(`{"event":"sms:received","id":"1","deviceId":"device-1","payload":{"sender":"MobileMoney",${twice}}}`);
    expect(await kept()).toEqual([]);
    expect((await forms()).map(({ fault }) => fault)).toEqual(['not_json', 'not_json']);
  });

  test.each([
    ['an unknown field', raw('a\nb', ',"contact":"Ama"')],
    ['an object as a field', raw('a\nb', ',"simNumber":{"slot":1}')],
    [
      'a batch',
      `{"event":"sms:batch:received","id":"1","deviceId":"device-1","payload":[{"message":"a\nb","sender":"momo"}]}`,
    ],
  ])('is discarded if it has raw line feeds and %s', async (_, body) => {
    await post(body);
    expect(await kept()).toEqual([]);
    expect(await forms()).toMatchObject([{ fault: 'not_json' }]);
  });

  test('loses the fields whose values may come from the text', async () => {
    const fields = '"simNumber":1,"receivedAt":"2026-11-25T12:00:00Z"';
    const added = '","recipient":"0241234567","simNumber":"2';
    for (const [id, payload] of Object.entries({
      whole: `{"messageId":"x",${fields},"message":"a\nb","sender":"MobileMoney"}`,
      behind: `{"message":"a\nb","sender":"MobileMoney",${fields}}`,
      added: `{"message":"a\nb${added}","sender":"MobileMoney"}`,
      end: `{"sender":"MobileMoney","message":"a\nb${added}"}`,
    }))
      await post(`{"event":"sms:received","id":"${id}","deviceId":"device-1","payload":${payload}}`);
    const words = { message: 'a\nb', sender: 'MobileMoney' };
    const placed = { ...words, simNumber: 1, receivedAt: '2026-11-25T12:00:00Z' };
    expect((await kept()).map(({ event }) => event)).toEqual(
      [
        ['added', words],
        ['behind', placed],
        ['end', words],
        ['whole', placed],
      ].map(([id, payload]) => expect.objectContaining({ id, payload })),
    );
  });

  test('is attributed only to the phone that signed it', async () => {
    const text = '"event":"sms:received","id":"1","payload":{"message":"a\nb","sender":"MobileMoney"}';
    await post(`{${text},"phone":{"deviceId":"device-1"},"deviceId":"device-2"}`);
    expect(await kept()).toEqual([]);
    expect(await phone()).toMatchObject({ device_id: 'device-1', odd_forms: [{ fault: 'not_json' }] });
  });

  test('is reported as a wrong phone clock if it is signed too late', async () => {
    world.clock.nowMs += HOUR_MS;
    const timestamp = '1795600000';
    const headers = {
      'x-timestamp': timestamp,
      'x-signature': hmac(SIGNING_KEYS.phone['device-1'], raw('a\nb') + timestamp),
    };
    const call = { parameters: { gateway: 'phone' }, headers, body: raw('a\nb') };
    expectFailure(await world.call('callback/smsgate', call), 401, 'unauthorized');
    expect(world.logged).toMatchObject([{ event: 'callback_refused', fields: { gateway: 'phone', code: 'clock' } }]);
  });

  test('is rejected without a valid signature', async () => {
    for (const body of [raw('a\nb'), raw('a "b"'), JSON.stringify(event({}))])
      expectFailure(await post(body, { key: 'another' }), 401, 'unauthorized');
    expect(await world.rows('PHONE')).toEqual([]);
    expect(await kept()).toEqual([]);
  });

  test.each(['\n', '\r\n', '\n\t'])('is repaired if a forwarding app signed an unescaped %j', async (end) => {
    const text = `${mtn().text}${end}thank you`;
    const lines = forwarded(world, { to: 1, text });
    const escaped = JSON.stringify(end).slice(1, -1);
    const body = JSON.stringify(forwarderCall(lines).body).replace(escaped, end);
    expect(body).toContain(end);
    expect((await forward(lines, body)).status).toBe(200);
    expect(await kept()).toMatchObject([{ event: { payload: { message: text } } }]);
    expect(await forms()).toMatchObject([{ fault: 'repaired' }]);
  });

  test('is rejected if a forwarding app sends it incomplete or unsigned', async () => {
    const lines = forwarded(world, { to: 1, text: 'a\nb' });
    const body = JSON.stringify(forwarderCall(lines).body).replaceAll('\\n', '\n');
    expectFailure(await forward(lines, body.slice(0, -1)), 400, 'malformed_json');
    expectFailure(await forward(lines, body.replace('a\nb', 'a\nc')), 401, 'unauthorized');
    expect(await world.rows('PHONE')).toEqual([]);
  });

  function forward(lines: Forwarded, body: string) {
    const headers = { 'content-type': 'application/json' };
    return world.call('callback/forwarder', { ...forwarderCall(lines), headers, body } satisfies Call);
  }
});

describe('encrypted posts', () => {
  test.each<[string, object]>([
    ['message and sender', { message: ENCRYPTED, sender: ENCRYPTED }],
    ['message and phoneNumber', { message: ENCRYPTED, phoneNumber: ENCRYPTED }],
    ['another cipher', { message: NEW_CIPHER, sender: NEW_CIPHER }],
  ])('are reported with their format: %s', async (_, payload) => {
    await post(event(payload));
    expect(await kept()).toEqual([]);
    const [form] = await forms();
    expect(form).toMatchObject({ fault: 'encrypted', form: expect.stringContaining('"encrypted"') });
    expect(form && understands(form)).toBe(false);
  });

  test('exclude a text that only looks encrypted', async () => {
    await post(event({ message: ENCRYPTED, sender: '+233201234567' }));
    await post(event({ message: `See ${ENCRYPTED}`, sender: 'MobileMoney' }, { id: '2' }));
    expect(await forms()).toEqual([]);
  });

  test('exclude posts whose sender is a network', async () => {
    const shop = await world.createShop();
    const payload = { message: ENCRYPTED, sender: 'MobileMoney', recipient: shop.number };
    await settle({ event: 'sms:received', payload });
    expect(await forms()).toEqual([]);
    expect(await measured()).toBe(0);
    expect(await shop.listed('unread')).toHaveLength(1);
  });
});

describe('a wallet text in an unknown format', () => {
  test.each([
    'Your P.I.N. is 4471',
    'Your p i n is 4471',
    'Your PUK1 is 12345678',
    'Your reset number is 482913',
    'Do not share 482913 with anyone',
    'Kod: 482913',
    'Your temporary passcord 4411',
    'Your confirmation number is 77281',
  ])('is stored with its digits masked unless it may be a payment: %s', async (message) => {
    await post(event({ message, sender: 'MobileMoney' }));
    expect(await kept()).toMatchObject([
      {
        event: {
          payload: { message: message.replace(/(?<= )\d+/, (one) => '*'.repeat(one.length)).replace('PUK1', 'PUK*') },
        },
      },
    ]);
  });

  test('keeps its amounts if it may be a payment', async () => {
    const message = 'Ama Sample don send you GHS 77.00 for MK-0123456789';
    await post(event({ message, sender: 'MobileMoney' }));
    expect(await kept()).toMatchObject([{ event: { payload: { message } } }]);
  });
});

describe('the alarm for unreadable posts', () => {
  test.each(['system:ping', 'mms:received', 'sms:data-received', 'app:started'])('ignores %s', async (name) => {
    await post(event({ message: 'a' }, { event: name }));
    expect(await measured()).toBe(0);
  });

  test.each<[string, object]>([
    ['mms:downloaded', words],
    ['mms:batch:received', { messages: [{ message: 'a', sender: '+233241234567' }, words] }],
    ['mms:received', { address: 'MobileMoney', body: words.message }],
    ['mms:received', { message: words }],
    ['mms:received', [{ text: words.message, from: 'MobileMoney' }]],
  ])('fires for a wallet text in %s', async (name, payload) => {
    await post(event(payload, { event: name }));
    expect(await measured()).toBe(1);
    expect((await forms()).every((form) => !understands(form))).toBe(true);
  });

  test('ignores an MMS', async () => {
    const mms = { messageId: 'a', sender: '+233241234567', recipient: null, simNumber: 1, transactionId: 'T', size: 9 };
    const more = {
      subject: 'Photo',
      contentClass: 'image',
      receivedAt: '2026-11-25T10:00:00.000+00:00',
      body: 'Hello',
    };
    await post(event({ ...mms, ...more, attachments: [] }, { event: 'mms:downloaded' }));
    expect(await measured()).toBe(0);
  });

  test('fires once per phone', async () => {
    expect(await measured()).toBe(0);
    await post(event({}));
    await post(event({ body: 'a' }));
    expect(await measured()).toBe(1);
    expect(world.logged.at(-1)).toMatchObject({ event: 'callbacks_not_understood', fields: { device: 'device-1' } });
    await post(event(words));
    world.clock.nowMs += 1;
    await post(event(words));
    expect(await measured()).toBe(1);
    world.clock.nowMs += 5 * MINUTE_MS;
    await post(event(words, { id: '2' }));
    expect(await measured()).toBe(1);
  });

  test('keeps firing for a day', async () => {
    for (const id of ['1', '2', '3']) {
      await post(event({}, { id }));
      world.clock.nowMs += MINUTE_MS;
      await post(event(words, { id: `read ${id}` }));
      expect(await measured()).toBe(1);
      world.clock.nowMs += HOUR_MS;
    }
    world.clock.nowMs += DAY_MS;
    expect(await measured()).toBe(0);
  });

  test('fires again for the next unreadable post', async () => {
    await post(event({}));
    world.clock.nowMs += MINUTE_MS;
    await post(event(words));
    world.clock.nowMs += DAY_MS;
    expect(await measured()).toBe(0);
    world.clock.nowMs += MINUTE_MS;
    await post(event({}));
    expect(await measured()).toBe(1);
  });

  test('is cleared by time, not by a ping', async () => {
    await post(event({}));
    world.clock.nowMs += MINUTE_MS;
    await post(event({}, { event: 'system:ping' }));
    expect(await measured()).toBe(1);
    world.clock.nowMs += FORM_KEPT_MS;
    expect(await measured()).toBe(0);
  });

  test('ignores a repaired post', async () => {
    await post(JSON.stringify(event({ ...words, message: 'a b' })).replace('a b', 'a\nb'));
    expect(await forms()).toHaveLength(1);
    expect(await measured()).toBe(0);
  });

  test('ignores posts that the phone’s key did not sign', async () => {
    for (const body of [event({}), '{"deviceId":"device-1"']) await post(body, { key: 'another' });
    expect(await measured()).toBe(0);
  });
});

const SUPPORTED =
  '{"event":"sms:received","id":"string","deviceId":"string","payload":{"message":"string","phoneNumber":"string"}}';

const iso = (ms: number) => new Date(Math.floor(ms / 1000) * 1000).toISOString();

const Asked = z.object({ since: z.string(), until: z.string(), deviceId: z.string() });

describe('an inbox request to a phone', () => {
  let asked: z.infer<typeof Asked>[];
  let status: number;
  beforeEach(() => {
    asked = [];
    status = 202;
    const gateway = world.gateway;
    world.gateway = async (request) => {
      if (!request.url.endsWith('/inbox/refresh')) return gateway(request);
      asked.push(z.parse(Asked, await request.json()));
      return new Response(null, { status });
    };
  });

  test('is sent once posts are readable again and covers the unreadable period', async () => {
    const firstMs = world.clock.nowMs;
    await post(event({}));
    world.clock.nowMs += 2 * HOUR_MS;
    await post(event({}));
    await world.housekeeping();
    expect(asked).toEqual([]);
    world.clock.nowMs += MINUTE_MS;
    await post(event(words));
    await world.housekeeping();
    expect(asked).toMatchObject([{ deviceId: 'device-1', since: iso(firstMs - HOUR_MS - 5 * MINUTE_MS) }]);
    expect(Date.parse(asked[0]?.until ?? '')).toBeGreaterThanOrEqual(firstMs + 2 * HOUR_MS);
    for (let n = 0; n < 20; n++) {
      world.clock.nowMs += MINUTE_MS;
      await world.housekeeping();
    }
    expect(asked).toHaveLength(1);
    expect(await forms()).toMatchObject([{ asked_ms: expect.any(Number) }]);
  });

  test('is sent once a new release supports the format', async () => {
    const form = SUPPORTED;
    await noteOddForm(world.outside, 'phone', 'device-1', { fault: 'unknown', form: form.replace('message', 'words') });
    expect({ measured: await measured(), asked }).toEqual({ measured: 1, asked: [] });
    await noteOddForm(world.outside, 'phone', 'device-2', { fault: 'unknown', form });
    expect(await measured()).toBe(1);
    expect(asked).toMatchObject([{ deviceId: 'device-2' }]);
  });

  test('covers the whole period once a new release supports a format that was asked for and posted again', async () => {
    const firstMs = world.clock.nowMs;
    const noteAgain = () => noteOddForm(world.outside, 'phone', 'device-1', { fault: 'unknown', form: SUPPORTED });
    await noteAgain();
    // The release before did not support the format, but read another text and asked for the inbox.
    world.clock.nowMs += HOUR_MS;
    await noteFormsAsked(world.outside, { gateway: 'phone', device_id: 'device-1', heard_ms: 0 }, await forms());
    world.clock.nowMs += HOUR_MS;
    await noteAgain();
    for (let n = 0; n < 20; n++) {
      world.clock.nowMs += MINUTE_MS;
      await world.housekeeping();
    }
    expect(asked).toMatchObject([{ since: iso(firstMs - HOUR_MS - 5 * MINUTE_MS) }]);
  });

  test('covers only the time since the last request if this release does not support the format', async () => {
    await post(event({}));
    await readAndAsk();
    world.clock.nowMs += 3 * HOUR_MS;
    const againMs = world.clock.nowMs;
    await post(event({}));
    await readAndAsk();
    expect(asked[1]).toMatchObject({ since: iso(againMs - HOUR_MS - 5 * MINUTE_MS) });
    expect(await forms()).toMatchObject([{ first_ms: againMs - 3 * HOUR_MS - 10 * MINUTE_MS }]);
  });

  async function readAndAsk(): Promise<void> {
    world.clock.nowMs += 10 * MINUTE_MS;
    await post(event(words));
    await world.housekeeping();
  }

  test('is repeated until the gateway accepts it', async () => {
    status = 500;
    await post(event({}));
    world.clock.nowMs += MINUTE_MS;
    await post(event(words));
    await world.housekeeping();
    expect(await forms()).toMatchObject([{ count: 1 }]);
    status = 202;
    world.clock.nowMs += 10 * MINUTE_MS;
    await world.housekeeping();
    expect(asked).toHaveLength(2);
    expect(await forms()).toMatchObject([{ asked_ms: expect.any(Number) }]);
  });
});

test('the phone manual states the supported app versions', () => {
  const document = readFileSync('docs/deploy/phone.md', 'utf8');
  expect(document).toContain(`at least ${APP_VERSIONS.least}`);
  expect(document).toContain(`${APP_VERSIONS.least} to ${APP_VERSIONS.newest}`);
});

/** Posts an event and processes its receipts. */
async function settle(said: { event: string; payload: unknown }): Promise<void> {
  await post(event(said.payload, { event: said.event }));
  for (const row of await kept()) await world.settle(await relayed(world, row));
}

describe('senders that resemble a network', () => {
  test.each([
    ['Mobile Money', 'MTN'],
    ['MTNMoMo', 'MTN'],
    ['AirtelTigo', 'AT'],
    ['T CASH', 'TELECEL'],
  ])('are recorded but cannot confirm a payment: %s', async (sender, network) => {
    const shop = await world.createShop();
    const reference = await shop.charge({ amount: 36 });
    const { text: message } = mtn({ amount: '36.00', reference });
    const said = event({ message, sender, recipient: shop.number });
    for (let n = 0; n < 2; n++) await post(said);
    expect(await phone()).toMatchObject({ lookalikes: [{ sender, network, count: 1 }] });
    expect(await kept()).toMatchObject([{ stranger: { looks_like_payment: true } }]);
    expect(JSON.stringify(await world.scan())).not.toContain(message);
    expect(await shop.verified(reference)).toMatchObject({ status: 'pending' });
  });

  test.each(['MobileMoney ', '\u00a0MobileMoney', 'momo\n'])(
    'are treated as the network if only whitespace differs: %j',
    async (sender) => {
      const shop = await world.createShop();
      const reference = await shop.charge({ amount: 36 });
      const { text: message } = mtn({ amount: '36.00', reference });
      await settle({ event: 'sms:received', payload: { message, sender, recipient: shop.number } });
      expect(await shop.verified(reference)).toMatchObject({ status: 'success' });
      expect((await phone())?.lookalikes).toBeUndefined();
    },
  );

  test('do not include senders with unrelated names', async () => {
    await post(event({ message: 'Hello', sender: 'Dr. Owusu' }));
    expect((await phone())?.lookalikes).toBeUndefined();
  });

  test('are counted at most once per minute', async () => {
    for (const sender of ['MTN', 'M T N', 'M.T.N', 'M-T-N', 'Mtn.', 'mtn-', 'MTN']) {
      await post(event({ message: sender, sender }, { id: `${sender}${world.clock.nowMs}` }));
      world.clock.nowMs += 30_000;
      await post(event({ message: sender, sender }, { id: `${sender}${world.clock.nowMs}` }));
      world.clock.nowMs += 30_000;
    }
    expect((await phone())?.lookalikes).toHaveLength(5);
    expect((await phone())?.lookalikes?.[0]).toMatchObject({ sender: 'MTN', count: 1 });
  });
});

async function measured(): Promise<number | undefined> {
  Reflect.deleteProperty(world.counted, 'callbacks_not_understood');
  await world.housekeeping();
  return world.counted.callbacks_not_understood;
}
