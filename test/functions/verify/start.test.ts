import { beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { changeItem } from '../../../shared/runtime/table/table.ts';
import { HOUR_MS, MINUTE_MS } from '../../../shared/runtime/values/calendar.ts';
import { MAX_CODES_OF_MERCHANT, MAX_CODES_OF_NUMBER } from '../../../shared/texts/verification/verification.table.ts';
import { Kiosk } from '../../simulation/kiosk.ts';
import { chanceFrom } from '../../simulation/random.ts';
import { expectNoCode } from '../../support/answers.ts';
import { callOf, signIn } from '../../support/dashboard.ts';
import { expectBadFields, expectFailure } from '../../support/envelope.ts';
import type { CalledByHttp } from '../../support/routes.ts';
import { removeSender } from '../../support/rows.ts';
import type { Merchant, Scene } from '../../support/scene.ts';
import type { Call } from '../../support/world.ts';
import { check, codeOf, open, PHONE, SENDER, sentCode, start, textOf, wrongFor } from './codes.ts';

const PLACE = { gateway: 'phone', device_id: 'device-1', sim_number: 1 };

let world: Scene;
let merchant: Merchant;
beforeEach(async () => {
  ({ world, merchant } = await open());
});

describe('a verification code', () => {
  test('is queued for one credit and returns the id of its text', async () => {
    const { status, json } = await start(merchant);
    expect(status).toBe(200);
    const [send] = await merchant.sends();
    expect(json).toEqual({
      status: true,
      message: `Queued a code from ${SENDER}`,
      data: {
        id: send?.send_id,
        livemode: true,
        to: PHONE,
        from: SENDER,
        status: 'pending',
        length: 6,
        expires_at: world.iso(10 * MINUTE_MS),
        cost: 1,
        segments: 1,
        encoding: 'GSM-7',
      },
    });
    expect(await merchant.balance()).toBe(99);
  });

  test('is sent once, ahead of other texts', async () => {
    const { json } = await start(merchant);
    const code = await codeOf(world, json.data.id);
    const handedOver = gatewayOf(world);
    const job = { send_id: json.data.id, index: 0 };
    await world.work('deliver-sms', [job]);
    expect(handedOver).toEqual([
      expect.objectContaining({
        textMessage: {
          text: `Ama Stores: ${code} is your code. It expires in 10 minutes. Do not share it with anyone.`,
        },
        priority: 100,
        ttl: 600,
      }),
    ]);
    expectNoCode(await world.scan(), code);
    // A repeated job sends nothing.
    await world.work('deliver-sms', [job]);
    expect(handedOver).toHaveLength(1);
  });

  test('is sent once if the worker dies', async () => {
    const { json } = await start(merchant);
    const ids: unknown[] = [];
    world.gateway = async (request) => {
      const { id } = z.object({ id: z.string() }).parse(await request.json());
      const isKnown = ids.includes(id);
      ids.push(id);
      return Response.json({}, { status: isKnown ? 409 : 202 });
    };
    const { dynamoDb } = world;
    world.dynamoDb = async (request, send) => {
      if (request.command === 'DeleteItem') throw new Error('It died');
      await dynamoDb(request, send);
    };
    const job = { send_id: json.data.id, index: 0 };
    expect((await world.work('deliver-sms', [job])).batchItemFailures).toHaveLength(1);
    expect(await textOf(world, json.data.id)).toMatch(/\d{6}/);
    world.dynamoDb = dynamoDb;
    await world.work('deliver-sms', [job]);
    expect(new Set(ids).size).toBe(1);
    expect(await world.rows('CODE_TEXT')).toEqual([]);
  });

  test('is not stored in an error message', async () => {
    const { id, code } = await sentCode(world, merchant);
    world.gateway = async (request) => Response.json({ message: await request.text() }, { status: 400 });
    await world.work('deliver-sms', [{ send_id: id, index: 0 }]);
    const message = await world.messageRow(id);
    expect(message?.failure_reason).toBe('The gateway rejected it');
    expectNoCode(message, code);
  });

  test.each([6, 7, 8])('can have %d digits in the merchant’s own template', async (length) => {
    const body = { length, expires_in: 3600, message: '{name} says {code}, for {life}' };
    const { json } = await start(merchant, body);
    expect(await textOf(world, json.data.id)).toMatch(new RegExp(`^Ama Stores says \\d{${length}}, for 60 minutes$`));
    expect(json.data.length).toBe(length);
  });

  test('fits into one SMS despite a long merchant name', async () => {
    const key = { pk: `MERCHANT#${merchant.id}`, sk: 'MERCHANT' };
    await world.outside.table.update(changeItem(key, { name: 'Ama '.repeat(25).trim() }));
    const { json } = await start(merchant);
    expect(json.data.segments).toBe(1);
    expect(await textOf(world, json.data.id)).toMatch(/^Ama (Ama )*/);
    // The template leaves ten characters for the name.
    const full = await start(merchant, { message: `{code}{name}${'x'.repeat(144)}` });
    expect(full.json.data.segments).toBe(1);
    expect(await textOf(world, full.json.data.id)).toMatch(/^\d{6}Ama Ama Amx/);
  });

  test('omits a merchant name without sendable characters', async () => {
    await world.outside.table.update(changeItem({ pk: `MERCHANT#${merchant.id}`, sk: 'MERCHANT' }, { name: '商店' }));
    const { json } = await start(merchant);
    expect(await textOf(world, json.data.id)).toMatch(/^Code: \d{6} is your code/);
  });

  test('is stored only as a hash, except in the queued text', async () => {
    const { json } = await start(merchant, {}, { headers: { 'idempotency-key': 'sign-in-1' } });
    const code = await codeOf(world, json.data.id);
    const others = (await world.scan()).filter(({ sk }) => sk !== 'CODE_TEXT');
    expect(others.map(({ sk }) => sk)).toContain('IDEMPOTENCY');
    expectNoCode(others, code);
    expectNoCode(json, code);
    const [send] = await merchant.sends();
    expect(send?.message).toMatch(/^Ama Stores: \*{6} is your code\./);
  });

  test.each([
    ['Sent', 'sms.delivered'],
    ['Failed', 'sms.failed'],
  ] as const)('is masked everywhere if the text was %s', async (outcome, type) => {
    const kiosk = new Kiosk(chanceFrom(5));
    await kiosk.open(() => 20);
    const [shop] = kiosk.shops;
    if (!shop) throw new Error('A shop is open');
    const { smsKey: key } = shop;
    const ask = async (name: CalledByHttp, more: Call = {}) =>
      (await kiosk.request(name, { key, ...more }))?.body ?? '';
    await ask('webhook/set', { method: 'PUT', body: { url: 'https://shop.example.com/hooks' } });
    const { data } = JSON.parse(await ask('verify/start', { body: { to: PHONE, from: 'random' } }));
    await kiosk.goOn(() => outcome);
    await kiosk.wait(120_000);
    await kiosk.goOn(() => outcome);
    const [code = ''] = /\d{6}/.exec(kiosk.phones.held[0]?.text ?? '') ?? [];
    expect(code).toHaveLength(6);
    const by = await signIn(kiosk, 'owner', shop.id);
    const pageOf = async (path: string) => (await kiosk.request('dashboard/texts', callOf(path, { by })))?.body ?? '';
    const seen = {
      list: await ask('sms/list'),
      text: await ask('sms/show', { parameters: { id: data.id } }),
      texts: await pageOf('/dashboard/texts'),
      page: await pageOf(`/dashboard/texts/${data.id}`),
      event: kiosk.posted.find(({ body }) => JSON.parse(body).type === type)?.body,
    };
    for (const [where, what] of Object.entries(seen)) {
      expect({ where, what }).toEqual({ where, what: expect.stringContaining('Shop 0: ****** is your code') });
      expect({ where, what }).toEqual({ where, what: expect.not.stringContaining(code) });
    }
  });

  test('is deleted with its text once it expires', async () => {
    await start(merchant);
    const rows = (await world.scan()).filter(({ pk }) => /^(CODE_TEXT|VERIFICATION)/.test(String(pk)));
    const leftSeconds = rows.map(({ sk, expires_at_epoch_seconds: end }) => [
      String(sk).replace(/^\d.*/, 'DAY'),
      Math.floor(Number(end) - Math.floor(world.clock.nowMs / 1000)),
    ]);
    expect(Object.fromEntries(leftSeconds)).toEqual({
      CODE_TEXT: 600,
      VERIFICATION: 600 + 86_400,
      NUMBER: 2 * 86_400,
      DAY: 2 * 86_400,
      WRONG: 2 * 86_400,
    });
  });
});

describe('a request for a verification code', () => {
  const LENGTH = 'must be a whole number from 6 to 8';
  const SECONDS = 'must be a whole number of seconds from 120 (2 minutes) to 3600 (an hour)';
  test.each([
    ['to', { to: '12' }, 'is not a Ghanaian number'],
    ['to', { to: [PHONE] }, 'must be'],
    ['length', { length: 5 }, LENGTH],
    ['length', { length: 9 }, LENGTH],
    ['length', { length: '6' }, LENGTH],
    ['expires_in', { expires_in: 119 }, SECONDS],
    ['expires_in', { expires_in: 3601 }, SECONDS],
    ['message', { message: 'No place for it' }, 'must contain {code} exactly once'],
    ['message', { message: '{code} and {code}' }, 'must contain {code} exactly once'],
    [
      'message',
      { message: '{code} of {shop}' },
      'must not contain anything in braces except {code}, {name} and {life}',
    ],
    ['message', { message: `{code}${'x'.repeat(300)}` }, 'must be at most 300'],
    ['from', { from: '0559999999' }, 'is not'],
    ['code', { code: '123456' }, 'is not a field of this request'],
  ])('is rejected without a debit if %s is invalid', async (field, body, message) => {
    const answer = await start(merchant, body);
    expectBadFields(answer, field);
    expect(answer.json.errors[0].message).toContain(message);
    expect(await merchant.balance()).toBe(100);
  });

  test('requires credits and a sender', async () => {
    const poor = await open({ credits: 0 });
    expectFailure(await start(poor.merchant), 402, 'insufficient_credits');
    const mute = await open();
    await mute.world.switchSender(SENDER, false);
    expectFailure(await start(mute.merchant), 503, 'no_sender_available');
    for (const { world } of [poor, mute])
      expect((await world.scan()).filter(({ pk }) => /^(SEND#|CODE_TEXT|VERIFICATION)/.test(String(pk)))).toEqual([]);
  });

  test('creates one code per Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'sign-in-2' };
    const first = await start(merchant, {}, { headers });
    expect((await start(merchant, {}, { headers })).json).toEqual(first.json);
    expect({ balance: await merchant.balance(), sends: (await merchant.sends()).length }).toEqual({
      balance: 99,
      sends: 1,
    });
  });
});

test('a code that would be sent too late returns 429', async () => {
  // One text every three minutes.
  await world.addSender({ ...PLACE, number: SENDER, network: 'MTN', messages_per_hour: 20 });
  const ask = (n: number) => start(merchant, { to: `05511122${n}`, expires_in: 120 });
  gatewayOf(world);
  for (const n of [11, 12]) {
    const { json } = await ask(n);
    await world.work('deliver-sms', [{ send_id: json.data.id, index: 0 }]);
  }
  const refused = await ask(13);
  expectFailure(refused, 429, 'queue_full');
  // The next free turn is in five minutes. A code must be sent within one minute, half its validity.
  expect(refused.headers['retry-after']).toBe(String(4 * 60));
  expect(await merchant.balance()).toBe(98);
  const other = await world.createMerchant({ credits: 5 });
  expect((await start(other, { expires_in: 240 })).status).toBe(200);
});

describe('the limits on verification codes', () => {
  test('allow five an hour and ten a day per number', async () => {
    const other = await world.createMerchant({ credits: 5 });
    for (let n = 0; n < MAX_CODES_OF_NUMBER.hour; n++) {
      expect((await start(merchant)).status).toBe(200);
      world.clock.nowMs += MINUTE_MS;
    }
    const refused = await start(merchant);
    expectFailure(refused, 429, 'too_many_requests');
    expect(refused.headers['retry-after']).toBe(String(55 * 60));
    expect(await merchant.balance()).toBe(95);
    expect((await start(other)).status).toBe(200);
    world.clock.nowMs += 55 * MINUTE_MS;
    for (let n = 0; n < MAX_CODES_OF_NUMBER.day - MAX_CODES_OF_NUMBER.hour; n++) {
      expect((await start(merchant)).status).toBe(200);
      world.clock.nowMs += HOUR_MS;
    }
    const noMore = await start(merchant);
    expectFailure(noMore, 429, 'too_many_requests');
    expect(noMore.json.message).toMatch(/^A number can be sent at most 5 codes an hour and 10 a day/);
    world.clock.nowMs += Number(noMore.headers['retry-after']) * 1000;
    expect((await start(merchant)).status).toBe(200);
    // Entries older than a day are removed.
    const row = (await world.scan()).find(({ pk }) => String(pk).startsWith(`VERIFICATION_NUMBER#${merchant.id}`));
    expect(row?.sent_ms).toHaveLength(MAX_CODES_OF_NUMBER.day);
  });

  test('allow two simultaneous requests', async () => {
    for (let n = 0; n < 2; n++) {
      const { dynamoDb } = world;
      world.dynamoDb = async (request, send) => {
        if (request.command !== 'TransactWriteItems') return dynamoDb(request, send);
        world.dynamoDb = dynamoDb;
        expect((await start(merchant)).status).toBe(200);
        await dynamoDb(request, send);
      };
      const { status, json } = await start(merchant);
      expect(status).toBe(200);
      const code = await codeOf(world, json.data.id);
      expect((await check(merchant, json.data.id, code)).json.data.verified).toBe(true);
    }
    expect(await merchant.balance()).toBe(96);
  });

  test('hold for many simultaneous requests', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => start(merchant)));
    const accepted = answers.filter(({ status }) => status === 200).length;
    expect(accepted).toBeGreaterThan(0);
    expect(accepted).toBeLessThanOrEqual(MAX_CODES_OF_NUMBER.hour);
    expect(await merchant.balance()).toBe(100 - accepted);
    expect(await world.rows('CODE_TEXT')).toHaveLength(accepted);
  });

  test('apply to all of a merchant’s numbers together', async () => {
    const day = world.iso().slice(0, 10);
    world.clock.nowMs = Date.parse(`${day}T10:59:00.000Z`);
    const had = (counts: object) =>
      world.outside.table.update(changeItem({ pk: `VERIFICATION_DAY#${merchant.id}`, sk: day }, { ...counts }));
    const startFor = (n: number) => start(merchant, { to: `05511122${n}` });
    await had({ hour_10: MAX_CODES_OF_MERCHANT.hour - 1, codes: MAX_CODES_OF_MERCHANT.day - 2 });
    expect((await startFor(11)).status).toBe(200);
    const forAnHour = await startFor(12);
    expectFailure(forAnHour, 429, 'too_many_requests');
    expect(forAnHour.json.message).toMatch(/^You have reached the limit of 200 codes an hour/);
    expect(forAnHour.headers['retry-after']).toBe('60');
    world.clock.nowMs += MINUTE_MS;
    expect((await startFor(13)).status).toBe(200);
    const forTheDay = await startFor(14);
    expectFailure(forTheDay, 429, 'too_many_requests');
    expect(forTheDay.json.message).toMatch(/^You have reached the limit of 1000 codes a day/);
    expect(forTheDay.headers['retry-after']).toBe(String(13 * 3600));
    expect(await merchant.balance()).toBe(98);
    world.clock.nowMs += 13 * HOUR_MS;
    expect((await startFor(14)).status).toBe(200);
  });

  test('block a number for a day after too many wrong codes', async () => {
    for (let n = 0; n < 2; n++) {
      const { id, code } = await sentCode(world, merchant);
      for (let tries = 1; tries <= 5; tries++) await check(merchant, id, wrongFor(code, tries));
    }
    const refused = await start(merchant);
    expectFailure(refused, 429, 'too_many_tries');
    expect(refused.json.message).toMatch(/^Too many wrong codes were entered for this number/);
    expect(refused.headers['retry-after']).toBe(String(24 * 3600));
    expect((await start(merchant, { to: '0551112224' })).status).toBe(200);
    world.clock.nowMs += 24 * HOUR_MS;
    expect((await start(merchant)).status).toBe(200);
  });
});

test('different notations of a number count towards the same limits', async () => {
  const forms = ['0551112223', '+233551112223', '233551112223', '055 111 2223', '+233 55-111-2223', '00233551112223'];
  const accepted = new Set<string>();
  for (const to of forms) {
    const { status, json } = await start(merchant, { to });
    if (status === 200) accepted.add(json.data.to);
  }
  expect([...accepted]).toEqual([PHONE]);
  expect((await world.scan()).filter(({ sk, newest }) => sk === 'NUMBER' && newest)).toHaveLength(1);
  for (const to of forms) await start(merchant, { to });
  expect(await world.rows('VERIFICATION')).toHaveLength(MAX_CODES_OF_NUMBER.hour);
});

describe('a template for the verification text', () => {
  test.each([
    '{co{code}de}',
    '{{code}}',
    'Your code:\n{code}\n@shop.example.com #1',
    '{code} ❤️ {name}',
    '123456 {code} 654321',
    `${'x'.repeat(294)}{code}`,
  ])('%j is sent with the code and stored with asterisks', async (message) => {
    const { json } = await start(merchant, { message });
    const [text, send] = [await textOf(world, json.data.id), await world.sendRow(json.data.id)];
    const masked = String(send?.message);
    expect(text).toHaveLength(masked.length);
    const at = masked.indexOf('******');
    const code = text.slice(at, at + 6);
    expect(code).toMatch(/^\d{6}$/);
    expect(masked).toBe(`${text.slice(0, at)}******${text.slice(at + 6)}`);
    expect((await check(merchant, json.data.id, code)).json.data.verified).toBe(true);
  });

  test.each(['{code}{code}', '{code} { code }', '{code} {to}', '{code}{}', '{code} {CODE}', '', 7, null, ['{code}']])(
    'rejects %j',
    async (message) => {
      expectBadFields(await start(merchant, { message }), 'message');
    },
  );
});

test.each<[string, string, () => unknown, number?]>([
  ['its gateway rejects it', 'failed', () => gatewayAnswers(400)],
  ['the code has expired', 'expired', () => passes(MINUTE_MS)],
  ['its sender was removed', 'failed', () => removeSender(world, SENDER)],
  ['its gateway returned 500 to the last attempt', 'failed', () => gatewayAnswers(500), 17],
  ['its gateway returned 401 to the last attempt', 'failed', () => gatewayAnswers(401), 17],
  ['its gateway returned 503 to the last attempt', 'failed', () => gatewayAnswers(503), 17],
])('a code is deleted and refunded once if %s (%s)', async (...row) => {
  const [, state, ends, receives] = row;
  const { id, code } = await sentCode(world, merchant, { expires_in: 120 });
  await ends();
  passes(MINUTE_MS);
  const job = { send_id: id, index: 0 };
  await Promise.all([1, 2].map(() => world.work('deliver-sms', [job], receives)));
  expect(await world.messageRow(id)).toMatchObject({ state });
  expectNoCode([await world.scan(), world.logged, world.noted], code);
  expect({ balance: await merchant.balance(), refunds: (await merchant.refunds()).length }).toEqual({
    balance: 100,
    refunds: 1,
  });
});

test('a code is erased on the sender’s next turn if the worker died', async () => {
  await world.addSender({ ...PLACE, number: SENDER, network: 'MTN', messages_per_hour: 20 });
  for (const n of [11, 12, 13, 14]) {
    const { id } = await sentCode(world, merchant, { to: `05511122${n}`, expires_in: 3600 });
    await world.work('deliver-sms', [{ send_id: id, index: 0 }]);
  }
  const nextTurn = () => {
    world.clock.nowMs += 4 * MINUTE_MS;
    const turn = world.queued.findLast(({ job }) => 'turn_ms' in job.body);
    return world.work('deliver-sms', [turn?.job.body ?? {}]);
  };
  const { dynamoDb } = world;
  world.dynamoDb = async (request, send) => {
    if (request.command === 'DeleteItem') throw new Error('It died');
    await dynamoDb(request, send);
  };
  world.fetched.length = 0;
  expect((await nextTurn()).batchItemFailures).toHaveLength(1);
  world.dynamoDb = dynamoDb;
  const [id = ''] = world.fetched.map(({ body }) => z.object({ id: z.string() }).parse(body).id);
  expect(await textOf(world, id)).toMatch(/\d{6}/);
  await world.writeMessageState(id, 'sent');
  await nextTurn();
  await expect(textOf(world, id)).rejects.toThrow();
});

test('expired codes are skipped', async () => {
  await world.addSender({ ...PLACE, number: SENDER, network: 'MTN', messages_per_hour: 20 });
  const queued = [];
  // All codes are accepted before any is queued.
  for (const n of [11, 12, 13, 14, 15]) queued.push(await sentCode(world, merchant, { to: `05511122${n}` }));
  queued.push(await sentCode(world, merchant, { to: '0551112216', expires_in: 3600 }));
  await world.work(
    'deliver-sms',
    queued.map(({ id }) => ({ send_id: id, index: 0 })),
  );
  const atOnce = world.fetched.length;
  const waiting = queued.slice(atOnce);
  expect(waiting.length).toBeGreaterThan(2);
  const before = await merchant.balance();
  world.clock.nowMs += 11 * MINUTE_MS;
  const turn = world.queued.findLast(({ job }) => 'turn_ms' in job.body);
  await world.work('deliver-sms', [turn?.job.body ?? {}]);
  expect(world.fetched.slice(atOnce).map(({ body }) => body)).toMatchObject([{ id: waiting.at(-1)?.id }]);
  expect(await merchant.balance()).toBe(before + waiting.length - 1);
  expect((await world.scan()).filter(({ sk }) => sk === 'CODE_TEXT' || String(sk).startsWith('WAIT#'))).toEqual([]);
});

/** Collects the texts handed to the gateway. */
function gatewayOf(world: Scene): unknown[] {
  const handedOver: unknown[] = [];
  world.gateway = async (request) => {
    handedOver.push(await request.json());
    return Response.json({}, { status: 202 });
  };
  return handedOver;
}

function passes(ms: number): void {
  world.clock.nowMs += ms;
}

/** Makes the gateway return an error that quotes the text. */
function gatewayAnswers(status: number): void {
  world.gateway = async (request) => Response.json({ message: `queue limit ${await request.text()}` }, { status });
}
