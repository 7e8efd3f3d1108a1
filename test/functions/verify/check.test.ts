import { beforeEach, describe, expect, test } from 'vitest';
import { MINUTE_MS } from '../../../shared/runtime/values/calendar.ts';
import {
  MAX_TRIES_OF_CODE,
  MAX_WRONG_OF_MERCHANT,
  MAX_WRONG_OF_NUMBER,
} from '../../../shared/texts/verification/verification.table.ts';
import { expectBadFields, expectFailure } from '../../support/envelope.ts';
import type { Merchant, Scene } from '../../support/scene.ts';
import { check, codeOf, open, PHONE, sentCode, start, wrongFor } from './codes.ts';

let world: Scene;
let merchant: Merchant;
beforeEach(async () => {
  ({ world, merchant } = await open());
});

describe('a correct code', () => {
  test('is accepted once', async () => {
    const { id, code } = await sentCode(world, merchant);
    world.requests.length = 0;
    const { status, json } = await check(merchant, id, `${code.slice(0, 3)} ${code.slice(3)}`);
    expect(world.requests.filter((one) => one === 'TransactWriteItems')).toHaveLength(2);
    expect({ status, json }).toEqual({
      status: 200,
      json: { status: true, message: 'The code is correct', data: { id, livemode: true, verified: true } },
    });
    expect(await verified(id, code)).toBe(false);
  });

  test('is accepted once if checked several times at once', async () => {
    const { id, code } = await sentCode(world, merchant);
    const answers = await Promise.all(Array.from({ length: MAX_TRIES_OF_CODE }, () => check(merchant, id, code)));
    expect(answers.filter(({ json }) => json.data?.verified === true)).toHaveLength(1);
  });

  test('replays its response for a repeated Idempotency-Key', async () => {
    const { id, code } = await sentCode(world, merchant);
    const more = (key: string) => ({ headers: { 'idempotency-key': key } });
    for (let n = 0; n < 8; n++)
      expect((await check(merchant, id, wrongFor(code), more('typed-1'))).json.data.verified).toBe(false);
    for (let n = 0; n < 3; n++)
      expect((await check(merchant, id, code, more('typed-2'))).json.data.verified).toBe(true);
  });

  test('clears earlier wrong attempts', async () => {
    for (let n = 0; n < 4; n++) {
      const { id, code } = await sentCode(world, merchant);
      for (let tries = 1; tries < MAX_TRIES_OF_CODE; tries++)
        expect(await verified(id, wrongFor(code, tries))).toBe(false);
      expect(await verified(id, code)).toBe(true);
    }
    expect(await wrongCounts()).toEqual([0, 0]);
  });
});

describe('a verification code', () => {
  test('becomes invalid after five attempts', async () => {
    const { id, code } = await sentCode(world, merchant);
    await Promise.all(Array.from({ length: 20 }, (_, n) => check(merchant, id, wrongFor(code, n + 1))));
    const row = await verificationOf(id);
    for (let n = Number(row?.tries); n < MAX_TRIES_OF_CODE; n++) await check(merchant, id, wrongFor(code));
    expect(await verified(id, code)).toBe(false);
    expect((await verificationOf(id))?.tries).toBe(MAX_TRIES_OF_CODE);
  });

  test('becomes invalid when it expires', async () => {
    const { id, code } = await sentCode(world, merchant, { expires_in: 120 });
    world.clock.nowMs += 2 * MINUTE_MS;
    expect(await verified(id, code)).toBe(false);
  });

  test('becomes invalid when a newer code is sent', async () => {
    world.clock.nowMs = Date.parse('2027-01-04T23:59:30.000Z');
    const old = await sentCode(world, merchant);
    world.clock.nowMs += MINUTE_MS;
    const young = await sentCode(world, merchant);
    expect(await verified(old.id, old.code)).toBe(false);
    // A check with an old id does not count as an attempt.
    expect((await verificationOf(old.id))?.tries).toBe(0);
    expect(await verified(young.id, young.code)).toBe(true);
  });

  test('becomes invalid if a newer code is sent during the check', async () => {
    const old = await sentCode(world, merchant);
    const { dynamoDb } = world;
    let writes = 0;
    world.dynamoDb = async (request, send) => {
      if (request.command === 'TransactWriteItems' && ++writes === 2) await start(merchant);
      await dynamoDb(request, send);
    };
    expect(await verified(old.id, old.code)).toBe(false);
    expect((await verificationOf(old.id))?.tries).toBe(1);
  });

  test('becomes invalid after ten wrong attempts for the number', async () => {
    const first = await sentCode(world, merchant);
    for (let n = 1; n <= MAX_TRIES_OF_CODE; n++) await check(merchant, first.id, wrongFor(first.code, n));
    const second = await sentCode(world, merchant);
    for (let n = 1; n < MAX_TRIES_OF_CODE; n++) await check(merchant, second.id, wrongFor(second.code, n));
    // Nine attempts have failed so far. A new code does not clear the attempts at the old one.
    const third = await sentCode(world, merchant);
    expect(await verified(third.id, wrongFor(third.code))).toBe(false);
    expect(await verified(third.id, third.code)).toBe(false);
  });

  test('is invalid for other merchants and test keys', async () => {
    const other = await world.createMerchant({ credits: 5 });
    const { id, code } = await sentCode(world, merchant);
    for (const by of [other, { ...merchant, smsKey: merchant.smsTestKey }])
      expect(await verified(id, code, by)).toBe(false);
    expect((await verificationOf(id))?.tries).toBe(0);
    expect(await verified(id, code)).toBe(true);
  });
});

test('code checks return 429 for a day after too many wrong attempts', async () => {
  world.clock.nowMs = Date.parse('2027-01-04T22:00:00.000Z');
  const codes: { id: string; code: string }[] = [];
  for (let n = 0; n <= MAX_WRONG_OF_MERCHANT / MAX_TRIES_OF_CODE; n++)
    codes.push(await sentCode(world, merchant, { to: `05511122${n + 10}` }));
  const [own, ...others] = codes;
  for (const { id, code } of others)
    for (let n = 1; n <= MAX_TRIES_OF_CODE; n++) await check(merchant, id, wrongFor(code, n));
  for (const [id, code] of [
    [own?.id, own?.code],
    ['unknown', '123456'],
  ]) {
    const refused = await check(merchant, id ?? '', code);
    expectFailure(refused, 429, 'too_many_tries');
    expect(refused.json.message).toMatch(/^Too many wrong codes were entered for your customers/);
    expect(refused.headers['retry-after']).toBe(String(26 * 3600));
  }
  expectFailure(await start(merchant), 429, 'too_many_tries');
  const other = await world.createMerchant({ credits: 5 });
  const theirs = await sentCode(world, other);
  expect(await verified(theirs.id, theirs.code, other)).toBe(true);
  world.clock.nowMs += 2 * 60 * MINUTE_MS;
  expectFailure(await start(merchant), 429, 'too_many_tries');
  world.clock.nowMs += 24 * 60 * MINUTE_MS;
  const tomorrow = await sentCode(world, merchant);
  expect(await verified(tomorrow.id, tomorrow.code)).toBe(true);
});

test('all failed checks have the same response and cost', async () => {
  const other = await world.createMerchant({ credits: 5 });
  const code = (n: number, body = {}) => sentCode(world, merchant, { to: `05511122${n}`, ...body });
  const old = await code(11, { expires_in: 120 });
  world.clock.nowMs += 2 * MINUTE_MS;
  const [wrong, used, replaced, tried] = [await code(12), await code(13), await code(14), await code(15)];
  const others = await sentCode(world, other);
  await check(merchant, used.id, used.code);
  await code(14);
  for (let n = 1; n <= MAX_TRIES_OF_CODE; n++) await check(merchant, tried.id, wrongFor(tried.code, n));
  const cases = {
    wrong: { ...wrong, code: wrongFor(wrong.code) },
    old,
    used,
    replaced,
    tried,
    others,
    unknown: { id: '019a9f6e-4b1c-7d3a-9c52-1f0e8a6b4d00', code: '123456' },
    'no id at all': { id: `${merchant.id}#${PHONE}`, code: '123456' },
    empty: { id: '', code: '123456' },
  };
  const answers: [string, unknown, string[]][] = [];
  for (const [name, one] of Object.entries(cases)) {
    world.requests.length = 0;
    const { status, json } = await check(merchant, one.id, one.code);
    answers.push([name, [status, { ...json, data: { ...json.data, id: '' } }], [...world.requests]]);
  }
  const said = { status: true, message: 'The code is wrong or no longer valid' };
  for (const [name, answer, requests] of answers) {
    expect({ name, answer }).toEqual({
      name,
      answer: [200, { ...said, data: { id: '', livemode: true, verified: false } }],
    });
    expect({ name, requests }).toEqual({ name, requests: ['GetItem', 'TransactWriteItems'] });
  }
});

test('a malformed code does not count as an attempt', async () => {
  const { id, code } = await sentCode(world, merchant);
  for (const typed of ['', '12345', '123456789', 'abcdef', 123456, null]) {
    const answer = await check(merchant, id, typed);
    expectBadFields(answer, 'code');
    const isText = typeof typed === 'string';
    expect(answer.json.errors[0].message).toBe(
      isText ? 'must be a code of 6 to 8 digits' : 'must be a string, because a code may begin with 0',
    );
  }
  expect((await verificationOf(id))?.tries).toBe(0);
  expect(await verified(id, code)).toBe(true);
});

test('a test key has a predictable code and one number that fails', async () => {
  const tester = { ...merchant, smsKey: merchant.smsTestKey };
  for (const [to, length, code] of [
    ['0240000001', 6, '123456'],
    ['0551112223', 8, '12345678'],
  ] as const) {
    const { json } = await start(tester, { to, length });
    expect(json.data).toMatchObject({ livemode: false, cost: 0 });
    expect(await verified(json.data.id, code, tester)).toBe(true);
  }
  const failing = await start(tester, { to: '0240000002' });
  expect(await verified(failing.json.data.id, '123456', tester)).toBe(false);
  expect(await world.rows('CODE_TEXT')).toEqual([]);
  await expect(codeOf(world, failing.json.data.id)).rejects.toThrow();
});

describe('repeated taps on Verify', () => {
  // All calls record their attempt before the first one marks the code as used.
  test.each([2, 3, MAX_TRIES_OF_CODE])('verify the number once for %d simultaneous correct codes', async (taps) => {
    const { id, code } = await sentCode(world, merchant);
    const answers = await atOnce(taps, () => check(merchant, id, code));
    expect(answers.filter(({ json }) => json.data?.verified === true)).toHaveLength(1);
    expect(await wrongCounts()).toEqual([0, 0]);
  });

  test('get the same response for the same Idempotency-Key', async () => {
    const { id, code } = await sentCode(world, merchant);
    const more = { headers: { 'idempotency-key': 'typed' } };
    const answers = await atOnce(3, () => check(merchant, id, code, more));
    expect(answers.map(({ json }) => json.data?.verified)).toEqual([true, true, true]);
    expect(await wrongCounts()).toEqual([0, 0]);
  });

  test('clear a wrong attempt once', async () => {
    const { id, code } = await sentCode(world, merchant);
    let n = 0;
    await atOnce(3, () => check(merchant, id, n++ === 0 ? wrongFor(code) : code));
    expect(await wrongCounts()).toEqual([0, 0]);
  });
});

test('only five of a hundred simultaneous guesses are compared', async () => {
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

test('a stranger can block a number at one merchant only', async () => {
  for (let n = 0; n < 2; n++) {
    const { id, code } = await sentCode(world, merchant);
    for (let tries = 1; tries <= MAX_WRONG_OF_NUMBER / 2; tries++) await check(merchant, id, wrongFor(code, tries));
  }
  expectFailure(await start(merchant), 429, 'too_many_tries');
  expect((await start(merchant, { to: '0241112223' })).status).toBe(200);
});

test('the limit of a hundred wrong codes lasts a day, even across midnight', async () => {
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

async function verified(id: string, code: string, by = merchant): Promise<boolean> {
  return (await check(by, id, code)).json.data.verified;
}

async function verificationOf(id: string) {
  return (await world.scan()).find(({ pk }) => pk === `VERIFICATION#${id}`);
}

/** Runs calls that all record their attempt before any of them continues. */
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
