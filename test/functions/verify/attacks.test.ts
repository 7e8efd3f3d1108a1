import { beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import {
  MAX_CODES_OF_NUMBER,
  MAX_TRIES_OF_CODE,
  MAX_WRONG_OF_NUMBER,
} from '../../../shared/texts/verification/verification.table.ts';
import { expectBadFields, expectFailure } from '../../support/envelope.ts';
import { removeSender } from '../../support/rows.ts';
import type { Merchant, Scene } from '../../support/scene.ts';
import { check, open, PHONE, SENDER, sentCode, start, textOf, wrongFor } from './codes.ts';

const MINUTE_MS = 60_000;

let world: Scene;
let merchant: Merchant;
beforeEach(async () => {
  ({ world, merchant } = await open());
});

describe('a customer who taps twice', () => {
  // One after the other in the table, whatever their order: each has taken its try before the first is used.
  test.each([2, 3, MAX_TRIES_OF_CODE])(
    '%d times the right code at once: right once, and nothing counts as wrong',
    async (taps) => {
      const { id, code } = await sentCode(world, merchant);
      const answers = await atOnce(taps, () => check(merchant, id, code));
      expect(answers.filter(({ json }) => json.data?.verified === true)).toHaveLength(1);
      expect(await wrongCounts()).toEqual([0, 0]);
    },
  );

  test('also under one Idempotency-Key, which is told the same each time', async () => {
    const { id, code } = await sentCode(world, merchant);
    const more = { headers: { 'idempotency-key': 'typed' } };
    const answers = await atOnce(3, () => check(merchant, id, code, more));
    expect(answers.map(({ json }) => json.data?.verified)).toEqual([true, true, true]);
    expect(await wrongCounts()).toEqual([0, 0]);
  });

  test('a wrong one beside the right one is given back with it, and none twice', async () => {
    const { id, code } = await sentCode(world, merchant);
    let n = 0;
    await atOnce(3, () => check(merchant, id, n++ === 0 ? wrongFor(code) : code));
    expect(await wrongCounts()).toEqual([0, 0]);
  });
});

test('a hundred guesses at one code at once: five are compared, whatever their keys', async () => {
  const { id, code } = await sentCode(world, merchant);
  const guess = (n: number) =>
    check(merchant, n % 3 === 0 ? id.toUpperCase() : id, wrongFor(code, n + 1), {
      ...(n % 2 === 0 && { headers: { 'idempotency-key': `guess-${n % 7}` } }),
    });
  const answers = await Promise.all(Array.from({ length: 100 }, (_, n) => guess(n)));
  expect(answers.some(({ json }) => json.data?.verified)).toBe(false);
  const row = (await world.scan()).find(({ pk }) => pk === `VERIFICATION#${id}`);
  expect(Number(row?.tries)).toBeLessThanOrEqual(MAX_TRIES_OF_CODE);
  for (const count of await wrongCounts()) expect(count).toBe(row?.tries);
});

test('however a number is written, it is one number', async () => {
  const forms = ['0551112223', '+233551112223', '233551112223', '055 111 2223', '+233 55-111-2223', '00233551112223'];
  const accepted = new Set<string>();
  for (const to of forms) {
    const { status, json } = await start(merchant, { to });
    if (status === 200) accepted.add(json.data.to);
  }
  expect([...accepted]).toEqual([PHONE]);
  expect((await world.scan()).filter(({ sk, newest }) => sk === 'NUMBER' && newest)).toHaveLength(1);
  for (const to of forms) await start(merchant, { to });
  const codes = await world.rows('VERIFICATION');
  expect(codes).toHaveLength(MAX_CODES_OF_NUMBER.hour);
});

describe('a template', () => {
  test.each([
    '{co{code}de}',
    '{{code}}',
    'Your code:\n{code}\n@shop.example.com #1',
    '{code} ❤️ {name}',
    '123456 {code} 654321',
    `${'x'.repeat(294)}{code}`,
  ])('%j shows the code where it stands, and asterisks elsewhere', async (message) => {
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
    '%j is refused',
    async (message) => {
      expectBadFields(await start(merchant, { message }), 'message');
    },
  );
});

test.each<[string, string, () => unknown, number?]>([
  ['its gateway refuses it', 'failed', () => gatewayAnswers(400)],
  ['its time was over', 'expired', () => passes(MINUTE_MS)],
  ['its sender was removed', 'failed', () => removeSender(world, SENDER)],
  ['its gateway answered 500 to the last try', 'failed', () => gatewayAnswers(500), 17],
  ['its gateway answered 401 to the last try', 'failed', () => gatewayAnswers(401), 17],
  ['its gateway answered 503 to the last try', 'failed', () => gatewayAnswers(503), 17],
])('once a text ends because %s (%s), nobody can read its code, and it is refunded once', async (...row) => {
  const [, state, ends, receives] = row;
  const { id, code } = await sentCode(world, merchant, { expires_in: 120 });
  await ends();
  passes(MINUTE_MS);
  const job = { send_id: id, index: 0 };
  await Promise.all([1, 2].map(() => world.work('deliver-sms', [job], receives)));
  expect(await world.messageRow(id)).toMatchObject({ state });
  expect(JSON.stringify([await world.scan(), world.logged, world.noted])).not.toContain(code);
  expect([await merchant.balance(), (await merchant.refunds()).length]).toEqual([100, 1]);
});

function passes(ms: number): void {
  world.clock.nowMs += ms;
}

/** The gateway answers with this status, and quotes what it was sent. */
function gatewayAnswers(status: number): void {
  world.gateway = async (request) => Response.json({ message: `queue limit ${await request.text()}` }, { status });
}

test('a code that had its turn, and whose worker died when a phone had it: the next turn erases it', async () => {
  const place = { gateway: 'phone', device_id: 'device-1', sim_number: 1 };
  await world.addSender({ ...place, number: SENDER, network: 'MTN', messages_per_hour: 20 });
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

test('codes whose time is over use up no turn: the next that is of use leaves in it', async () => {
  const place = { gateway: 'phone', device_id: 'device-1', sim_number: 1 };
  await world.addSender({ ...place, number: SENDER, network: 'MTN', messages_per_hour: 20 });
  const queued = [];
  // They are accepted before any of them is seen to wait.
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
  expect(world.fetched.slice(atOnce).map(({ body }) => z.object({ id: z.string() }).parse(body).id)).toEqual([
    waiting.at(-1)?.id,
  ]);
  expect(await merchant.balance()).toBe(before + waiting.length - 1);
  expect((await world.scan()).filter(({ sk }) => sk === 'CODE_TEXT' || String(sk).startsWith('WAIT#'))).toEqual([]);
});

test('who knows the number of another’s customer locks it at one merchant only, and by ten tries', async () => {
  for (let n = 0; n < 2; n++) {
    const { id, code } = await sentCode(world, merchant);
    for (let tries = 1; tries <= MAX_WRONG_OF_NUMBER / 2; tries++) await check(merchant, id, wrongFor(code, tries));
  }
  expectFailure(await start(merchant), 429, 'too_many_tries');
  expect((await start(merchant, { to: '0241112223' })).status).toBe(200);
});

test('midnight gives no second hundred of wrong codes, and what was wrong a day ago keeps nobody waiting', async () => {
  world.clock.nowMs = Date.parse('2027-01-04T23:50:00.000Z');
  const codes = [];
  for (let n = 0; n <= 20; n++)
    codes.push(await sentCode(world, merchant, { to: `05511122${n + 10}`, expires_in: 3600 }));
  const [own, ...others] = codes;
  for (const { id, code } of others)
    for (let n = 1; n <= MAX_TRIES_OF_CODE; n++) await check(merchant, id, wrongFor(code, n));
  world.clock.nowMs += 11 * MINUTE_MS;
  expectFailure(await check(merchant, own?.id ?? '', own?.code), 429, 'too_many_tries');
  expectFailure(await start(merchant), 429, 'too_many_tries');
  world.clock.nowMs += 25 * 60 * MINUTE_MS;
  const today = await sentCode(world, merchant);
  for (let n = 1; n < MAX_TRIES_OF_CODE; n++) await check(merchant, today.id, wrongFor(today.code, n));
  expect((await check(merchant, today.id, today.code)).json.data.verified).toBe(true);
  expect(await wrongCounts()).toContain(0);
});

/** Calls that have all taken their try before one of them goes on. */
async function atOnce<Answer>(count: number, ask: () => Promise<Answer>): Promise<Answer[]> {
  const { dynamoDb } = world;
  let waiting: (() => void)[] = [];
  let taken = 0;
  world.dynamoDb = async (request, send) => {
    await dynamoDb(request, send);
    if (request.command !== 'TransactWriteItems' || ++taken > count) return;
    if (taken < count) return new Promise<void>((go) => waiting.push(go));
    for (const go of waiting) go();
    waiting = [];
  };
  const answers = await Promise.all(Array.from({ length: count }, ask));
  world.dynamoDb = dynamoDb;
  return answers;
}

async function wrongCounts(): Promise<unknown[]> {
  return (await world.scan()).filter(({ wrong }) => wrong !== undefined).map(({ wrong }) => wrong);
}
