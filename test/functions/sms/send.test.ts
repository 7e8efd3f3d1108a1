import { TransactionCanceledException, TransactionInProgressException } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, test } from 'vitest';
import { parseMessageId } from '../../../shared/texts/sms/message-id.ts';
import { loseAnswers, refuse } from '../../support/disturb.ts';
import { expectBadFields, expectFailure, expectOk } from '../../support/envelope.ts';
import { removeSender } from '../../support/rows.ts';
import { type Merchant, type Scene, scene } from '../../support/scene.ts';

const MTN = '+233241234567';
const TELECEL = '+233201234567';
const AT = '+233271234567';
const UUID = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

const CREDITS = 100;

let world: Scene;
let merchant: Merchant;
beforeEach(async () => {
  world = await scene();
  await world.createSender(MTN);
  merchant = await world.createMerchant({ credits: CREDITS });
});

describe('POST /sms/send', () => {
  test('returns "Queued SMS from <from_number>" and every documented field', async () => {
    const answer = await send({ to: ['0551112223', '+233 55 111 2224'], message: 'Your order is ready' });
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    const { id, ids } = answer.json.data;
    expect(answer.json.message).toBe(`Queued SMS from ${MTN}`);
    expectOk(answer, {
      id: expect.stringMatching(UUID),
      livemode: true,
      ids: [id, expect.stringMatching(UUID)],
      to: ['+233551112223', '+233551112224'],
      from: MTN,
      status: 'pending',
      send_at: null,
      expires_at: null,
      gateway_message_id: id,
      count: 2,
      segments: 1,
      encoding: 'GSM-7',
    });
    expect(new Set(ids).size).toBe(2);
  });

  test('stores one item for all recipients', async () => {
    const to = ['0551112223', '0551112224', '0551112225'];
    const { json } = await send({ to, message: 'Hello 😀', metadata: { order: 7 } });
    expect(await merchant.sends()).toMatchObject([
      {
        send_id: json.data.id,
        merchant_id: merchant.id,
        from: MTN,
        to: json.data.to,
        message: 'Hello 😀',
        metadata: '{"order":7}',
        created_at: world.iso(),
      },
    ]);
  });

  test('writes only to the table', async () => {
    await send({ to: '0551112223', message: 'Hello' });
    expect({ queued: world.queued, fetched: world.fetched }).toEqual({ queued: [], fetched: [] });
  });

  test.each([1, 50])('makes one DynamoDB request for %d recipients', async (count) => {
    await sendTo(1);
    world.requests.length = 0;
    expect((await sendTo(count)).status).toBe(200);
    expect(world.requests).toEqual(['TransactWriteItems']);
  });

  test.each([1, 2, 50])('costs one credit per recipient (%d)', async (count) => {
    expect((await sendTo(count)).status).toBe(200);
    expect(await merchant.balance()).toBe(CREDITS - count);
  });

  test('accepts a single string as `to`', async () => {
    for (const to of ['0551112223', ['0551112223']])
      expect((await send({ to, message: 'Hello' })).json.data.to).toEqual(['+233551112223']);
  });

  test.each([1, 7, 50])('returns the number of recipients as data.count (%d)', async (count) => {
    const { data } = (await sendTo(count)).json;
    expect({ count: data.count, ids: data.ids.length, to: data.to.length }).toEqual({ count, ids: count, to: count });
    expect(data.ids.map((id: string) => parseMessageId(id)?.index)).toEqual(data.to.map((_: string, n: number) => n));
  });

  test('rejects an unknown field without a debit', async () => {
    expectBadFields(await send({ to: '0551112223', message: 'Hello', recipients: ['0551112224'] }), 'recipients');
    expect(await merchant.balance()).toBe(CREDITS);
  });
});

describe('the `to` field', () => {
  test.each([
    '0551112223',
    '+233551112223',
    '055 111 2223',
    '+233-55-111-2223',
    '(055) 1112223',
    '233551112223',
    '00233551112223',
    '+233 (0)55.111.2223',
  ])('accepts the Ghanaian number format %s', async (to) => {
    expect((await send({ to, message: 'Hello' })).json.data.to).toEqual(['+233551112223']);
  });

  test('sends two texts if a number is listed twice', async () => {
    const { data } = (await send({ to: ['0551112223', '+233551112223'], message: 'Hi' })).json;
    expect(data).toMatchObject({ to: ['+233551112223', '+233551112223'], count: 2 });
    expect(new Set(data.ids).size).toBe(2);
    expect(await merchant.balance()).toBe(CREDITS - 2);
  });

  test('accepts at most 50 recipients', async () => {
    expectBadFields(await sendTo(51), 'to');
    expect(await merchant.balance()).toBe(CREDITS);
    expect((await sendTo(50)).status).toBe(200);
  });

  test.each([
    ['missing', undefined, 'to'],
    ['null', null, 'to'],
    ['an empty list', [], 'to'],
    ['an object', {}, 'to'],
    ['a number', 551112223, 'to'],
    ['an empty string', '', 'to[0]'],
    ['a number in another country', '+2348012345678', 'to[0]'],
    ['a number without a prefix', '551112223', 'to[0]'],
    ['a landline', '0302123456', 'to[0]'],
    ['a prefix of no network', '0511112223', 'to[0]'],
    ['a name', 'Ama', 'to[0]'],
    ['a number with a digit too many', ['0551112223', '05511122234'], 'to[1]'],
    ['a list in a list', [['0551112223']], 'to[0]'],
    ['null in a list', ['0551112223', null], 'to[1]'],
  ])('returns 400 if it is %s', async (_, to, field) => {
    expectBadFields(await send({ to, message: 'Hello' }), field);
  });

  test('identifies an invalid number by its position', async () => {
    const answer = await send({ to: ['0551112223', '12', '0551112224', 'Ama'], message: 'Hello' });
    expectBadFields(answer, 'to[1]', 'to[3]');
    expect(answer.json.message).toContain('"12"');
    expect(answer.json.errors[1].message).toContain('"Ama"');
  });

  test.each(['0551112223,0201112223', '0551112223; 0201112223'])(
    'rejects several numbers in one string: %s',
    async (to) => {
      const message = 'must be a list if there are several numbers: ["0241234567", "0201234567"]';
      expect((await send({ to, message: 'Hello' })).json.errors).toEqual([{ field: 'to', message }]);
    },
  );

  test('returns a single error if the list is much too long', async () => {
    expectBadFields(await send({ to: Array.from({ length: 60_000 }, () => 'x'), message: 'Hello' }), 'to');
  });
});

describe('the `message` field', () => {
  test.each([
    ['one character', 'x'],
    ['1000 letters', 'x'.repeat(1_000)],
    ['250 emoji of two UTF-16 units each', '😀'.repeat(250)],
    ['line breaks and tabs', 'a\r\n\tb'],
    ['any script', 'Akwaaba, Ɛte sɛn? مرحبا 你好'],
    ['text that looks like code', '{{name}} <b>%s</b> \\u0000'],
  ])('accepts %s unchanged', async (_, message) => {
    const { json } = await send({ to: '0551112223', message });
    const shown = await merchant.call('sms/show', { parameters: { id: json.data.id } });
    expect(shown.json.data.message).toBe(message);
  });

  test.each([
    ['8 SMS, which every phone accepts', 'x'.repeat(536).replace('x', 'ɛ'), 8, 'UCS-2'],
    ['1000 letters', 'x'.repeat(1_000), 7, 'GSM-7'],
  ])('determines the number of SMS: %s', async (_, message, segments, encoding) => {
    const { json } = await send({ to: '0551112223', message });
    expect(json.data).toMatchObject({ segments, encoding });
  });

  test.each([
    ['9 SMS', 'x'.repeat(537).replace('x', 'ɛ'), 9, 'Add "encoding": "gsm7" to reduce it to 4 SMS, or shorten it'],
    ['1000 emoji', '😀'.repeat(1_000), 31, 'Shorten it'],
    ['1000 characters with an escape each', '€'.repeat(1_000), 14, 'Shorten it'],
  ])('is rejected without a debit if it is too long: %s', async (_, message, parts, advice) => {
    const answer = await send({ to: '0551112223', message });
    expectBadFields(answer, 'message');
    expect(answer.json.message).toBe(`message: would be split into ${parts} SMS, but phones send at most 8. ${advice}`);
    expect(await merchant.balance()).toBe(CREDITS);
  });

  test.each([
    ['missing', undefined],
    ['null', null],
    ['empty', ''],
    ['only zero-width characters', '\u200b\u200d\ufeff'],
    ['a blank braille pattern', '\u2800'],
    ['only text direction marks', ' \u202e\u2066 '],
    ['only spaces and line breaks', ' \n\t '],
    ['1001 letters', 'x'.repeat(1_001)],
    ['1001 emoji', '😀'.repeat(1_001)],
    ['999 letters and two emoji', `${'x'.repeat(999)}😀😀`],
    ['the first half of a surrogate pair', 'Hello \ud83d'],
    ['the second half of a surrogate pair', '\ude00 Hello'],
    ['a number', 5],
    ['a list', ['Hello']],
  ])('returns 400 if it is %s', async (_, message) => {
    expectBadFields(await send({ to: '0551112223', message }), 'message');
  });
});

describe('the `from` field', () => {
  beforeEach(() => world.createSender(TELECEL));

  test('accepts a listed number in any notation', async () => {
    await merchant.change({ default_from: MTN });
    for (const from of [TELECEL, '0201234567', '020-123-4567']) {
      const { json } = await sendFrom(from);
      expect({ message: json.message, from: json.data.from }).toEqual({
        message: `Queued SMS from ${TELECEL}`,
        from: TELECEL,
      });
    }
  });

  test('uses any available number if set to random', async () => {
    await merchant.change({ default_from: MTN });
    await world.createSender(AT);
    await disable(AT);
    const answers = await Promise.all(Array.from({ length: 24 }, () => sendFrom('random')));
    // All twenty-four random choices between two senders are equal only once in eight million runs.
    expect(new Set(answers.map(({ json }) => json.data.from))).toEqual(new Set([MTN, TELECEL]));
  });

  test.each([
    ['the default', TELECEL, []],
    ['any available number if there is no default', undefined, [MTN]],
  ])('defaults to %s', async (_, default_from, disabled) => {
    if (default_from) await merchant.change({ default_from });
    for (const number of disabled) await disable(number);
    for (let n = 0; n < 10; n++) expect((await sendFrom(undefined)).json.data.from).toBe(TELECEL);
  });

  test.each([
    ['a number that is not a sender', '+233501234567'],
    ['a name', 'Ama Stores'],
    ['random in capitals', 'RANDOM'],
    ['empty', ''],
    ['null', null],
    ['a list', [MTN]],
  ])('returns 400 if it is %s', async (_, from) => {
    expectBadFields(await sendFrom(from), 'from');
    expect(await merchant.balance()).toBe(CREDITS);
  });

  test.each<[string, { from?: string; default_from?: string; disabled?: string[]; removed?: string[] }]>([
    ['the requested sender is disabled', { from: MTN, default_from: TELECEL, disabled: [MTN] }],
    ['the default sender is disabled', { default_from: MTN, disabled: [MTN] }],
    ['all senders are disabled', { disabled: [MTN, TELECEL] }],
    ['all senders are disabled (random)', { from: 'random', default_from: MTN, disabled: [MTN, TELECEL] }],
    ['there are no senders', { removed: [MTN, TELECEL] }],
    ['there are no senders (random)', { from: 'random', removed: [MTN, TELECEL] }],
  ])('returns 503 without a debit if %s', async (_, stage) => {
    const { from, default_from, disabled = [], removed = [] } = stage;
    if (default_from) await merchant.change({ default_from });
    for (const number of disabled) await disable(number);
    for (const number of removed) await removeSender(world, number);
    const answer = await sendFrom(from);
    expectFailure(answer, 503, 'no_sender_available');
    expect(Number(new Headers(answer.headers).get('retry-after'))).toBeGreaterThan(0);
    expect({ balance: await merchant.balance(), sends: await merchant.sends() }).toEqual({
      balance: CREDITS,
      sends: [],
    });
  });

  test('returns 503 if it is omitted and the default sender was removed', async () => {
    await merchant.change({ default_from: MTN });
    await removeSender(world, MTN);
    expectFailure(await sendFrom(undefined), 503, 'no_sender_available');
    expect((await sendFrom('random')).json.data.from).toBe(TELECEL);
  });

  test('reflects changes to senders after two seconds', async () => {
    await sendFrom('random');
    for (const number of [MTN, TELECEL]) await world.switchSender(number, false);
    await world.createSender(AT);
    world.clock.nowMs += 2_000;
    expect((await sendFrom('random')).json.data.from).toBe(AT);
  });
});

describe('the `metadata` field', () => {
  test.each(['{"id":12345678901234567890,"price":1.10,"deep":{"a":[{"b":null}]}}', '{}'])(
    '%s is stored unchanged',
    async (metadata) => {
      const { json } = await send(`{"to":"0551112223","message":"Hello","metadata":${metadata}}`);
      const { text } = await merchant.call('sms/show', { parameters: { id: json.data.id } });
      expect(text).toContain(`"metadata":${metadata},`);
    },
  );

  test.each([
    ['a string', '"a"'],
    ['a list', '[]'],
    ['null', 'null'],
    ['more than 16 KB', `{"a":"${'x'.repeat(16_384)}"}`],
  ])('returns 400 if it is %s', async (_, metadata) => {
    expectBadFields(await send(`{"to":"0551112223","message":"Hello","metadata":${metadata}}`), 'metadata');
  });
});

test('all invalid fields are reported', async () => {
  const answer = await send({ to: [], message: '', from: 7, metadata: [] });
  expectBadFields(answer, 'to', 'message', 'from', 'metadata');
});

describe('a send with too few credits', () => {
  test('returns 402 and stores nothing', async () => {
    merchant = await world.createMerchant({ credits: 2 });
    const answer = await sendTo(3);
    expectFailure(answer, 402, 'insufficient_credits');
    expect(answer.json.message).toMatch(/\b3\b.*\b2\b/);
    expect({ balance: await merchant.balance(), sends: await merchant.sends() }).toEqual({ balance: 2, sends: [] });
  });

  test.each([0, 1])('returns 402 once the credits are spent (%i)', async (credits) => {
    merchant = await world.createMerchant({ credits });
    for (let n = 0; n < credits; n++) expect((await sendTo(1)).status).toBe(200);
    expectFailure(await sendTo(1), 402, 'insufficient_credits');
    expect(await merchant.balance()).toBe(0);
  });
});

test('simultaneous sends succeed only as often as the credits allow (120 of 200)', async () => {
  merchant = await world.createMerchant({ credits: 120 });
  const answers = await Promise.all(Array.from({ length: 200 }, () => sendTo(1)));
  const codes = answers.map(({ status, json }) => (status === 200 ? 'queued' : json.code)).sort();
  expect(codes).toEqual([...Array(80).fill('insufficient_credits'), ...Array(120).fill('queued')]);
  expect(await merchant.balance()).toBe(0);
  expect(await merchant.sends()).toHaveLength(120);
});

test('errors are checked in the order 401, 400, 503, 402', async () => {
  merchant = await world.createMerchant();
  await removeSender(world, MTN);
  const good = { to: '0551112223', message: 'Hello' };
  const bad = { to: '12', message: 'Hello' };
  expect((await world.call('sms/send', { key: 'sk_sms_wrong', body: bad })).status).toBe(401);
  expect((await world.call('sms/send', { key: 'sk_sms_wrong', body: 'not JSON' })).status).toBe(401);
  expect((await send(bad)).status).toBe(400);
  expect((await send({ ...good, from: MTN })).status).toBe(400);
  expect((await send(good)).status).toBe(503);
  await world.createSender(MTN);
  world.clock.nowMs += 2_000;
  expect((await send(bad)).status).toBe(400);
  expect((await send(good)).status).toBe(402);
  await merchant.topUp(1);
  expect((await send(good)).status).toBe(200);
});

describe('a failed write', () => {
  test('debits the credits once if DynamoDB’s response was lost', async () => {
    loseAnswers(world, 'TransactWriteItems', 1);
    const { status, json } = await sendTo(2);
    expect(status).toBe(200);
    expect(await merchant.balance()).toBe(CREDITS - 2);
    expect(await merchant.sends()).toMatchObject([{ send_id: json.data.id }]);
  });

  test('is retried with the same token after a conflict', async () => {
    const tokens = refuse(world, 'TransactWriteItems', 4, conflict);
    expect((await sendTo(1)).status).toBe(200);
    expect(tokens).toHaveLength(5);
    expect(tokens[0]).toMatch(/^.{8,36}$/);
    expect(new Set(tokens).size).toBe(1);
    expect(await merchant.balance()).toBe(CREDITS - 1);
    expect(world.slept).toHaveLength(4);
    expect(world.slept.reduce((sum, ms) => sum + ms)).toBeLessThan(3_000);
  });

  test('returns 429 with Retry-After if conflicts continue', async () => {
    const tokens = refuse(world, 'TransactWriteItems', 99, conflict);
    const answer = await sendTo(1);
    expectFailure(answer, 429, 'too_many_requests');
    expect(new Headers(answer.headers).get('retry-after')).toBe('1');
    expect(tokens).toHaveLength(5);
    expect(await merchant.balance()).toBe(CREDITS);
    expect(await merchant.sends()).toEqual([]);
  });

  test('returns the stored response of a repeated request', async () => {
    const key = { 'idempotency-key': 'order-7' };
    const first = await sendTo(1, key);
    refuse(world, 'TransactWriteItems', 99, conflict);
    const again = await sendTo(1, key);
    expect({ status: again.status, text: again.text }).toEqual({ status: 200, text: first.text });
    expect(await merchant.balance()).toBe(CREDITS - 1);
  });

  test.each([
    ['throttling', () => cancelled('None', 'ThrottlingError'), /nothing was done/],
    ['throttling together with a conflict', () => cancelled('TransactionConflict', 'ThrottlingError'), /nothing/],
    ['an attempt with an unknown result', inProgress, /not yet known/],
  ])('returns 503 busy after %s', async (_, error, message) => {
    refuse(world, 'TransactWriteItems', 99, error);
    const answer = await sendTo(1);
    expectFailure(answer, 503, 'busy');
    expect(answer.json.message).toMatch(message);
  });

  test('never reuses a token for a second send', async () => {
    const tokens = refuse(world, 'TransactWriteItems', 0, conflict);
    await Promise.all(Array.from({ length: 10 }, () => sendTo(1)));
    expect(new Set(tokens).size).toBe(10);
  });

  test('returns 402 for missing credits despite a conflict', async () => {
    const error = () => cancelled('ConditionalCheckFailed', 'TransactionConflict');
    const tokens = refuse(world, 'TransactWriteItems', 99, error);
    expectFailure(await sendTo(1), 402, 'insufficient_credits');
    expect(tokens).toHaveLength(1);
  });
});

describe('an Idempotency-Key', () => {
  const A = { 'idempotency-key': 'a' };

  test('returns the original response, marked as replayed', async () => {
    const first = await sendTo(2, A);
    const second = await sendTo(2, A);
    expect({ first: first.headers['idempotent-replayed'], second: second.headers['idempotent-replayed'] }).toEqual({
      first: undefined,
      second: 'true',
    });
    expect({ status: second.status, text: second.text }).toEqual({ status: 200, text: first.text });
    expect(await merchant.balance()).toBe(CREDITS - 2);
    expect(await merchant.sends()).toHaveLength(1);
  });

  test('adds no DynamoDB request', async () => {
    await sendTo(1);
    for (const _ of ['first', 'repeat']) {
      world.requests.length = 0;
      await sendTo(1, A);
      expect(world.requests).toEqual(['TransactWriteItems']);
    }
  });

  test('returns 422 without a debit for a different body', async () => {
    await sendTo(1, A);
    expectFailure(await sendTo(2, A), 422, 'idempotency_key_reused');
    expect(await merchant.balance()).toBe(CREDITS - 1);
  });

  test.each([10, 1])('allows one send for 20 simultaneous calls with %i credits', async (credits) => {
    merchant = await world.createMerchant({ credits });
    const answers = await Promise.all(Array.from({ length: 20 }, () => sendTo(1, A)));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(200);
    expect(answers.filter(({ headers }) => headers['idempotent-replayed'] === undefined)).toHaveLength(1);
    expect(await merchant.balance()).toBe(credits - 1);
    expect(await merchant.sends()).toHaveLength(1);
  });

  test.each<[string, number, string, () => Promise<unknown>]>([
    ['the credits have since run out', 402, 'insufficient_credits', () => merchant.topUp(1 - CREDITS)],
    ['no sender is left', 503, 'no_sender_available', () => disable(MTN)],
    ['its sender has since been removed', 400, 'invalid_request', () => removeSender(world, MTN)],
  ])('returns the original response even if %s', async (_, status, code, ends) => {
    const first = await sendFrom(MTN, A);
    await ends();
    world.clock.nowMs += 2_000;
    expectFailure(await sendFrom(MTN, { 'idempotency-key': 'b' }), status, code);
    const again = await sendFrom(MTN, A);
    expect({
      status: again.status,
      text: again.text,
      idempotentReplayed: again.headers['idempotent-replayed'],
    }).toEqual({ status: 200, text: first.text, idempotentReplayed: 'true' });
    expectFailure(await sendTo(2, A), 422, 'idempotency_key_reused');
  });

  test('can be reused after a rejected send', async () => {
    merchant = await world.createMerchant();
    expectFailure(await sendTo(1, A), 402, 'insufficient_credits');
    await merchant.topUp(1);
    expect((await sendTo(1, A)).status).toBe(200);
  });

  test('is independent of other merchants’ keys', async () => {
    const other = await world.createMerchant({ credits: 1 });
    const first = await sendTo(1, A);
    const second = await sendTo(1, A, other);
    expect({ first: first.status, second: second.status }).toEqual({ first: 200, second: 200 });
    expect(second.json.data.id).not.toBe(first.json.data.id);
  });

  test('expires after 24 hours', async () => {
    const again = () => sendTo(1, A);
    const first = await again();
    world.clock.nowMs += 24 * 60 * 60 * 1000 - 1_000;
    expect((await again()).text).toBe(first.text);
    world.clock.nowMs += 1_000;
    expect((await again()).json.data.id).not.toBe(first.json.data.id);
    expect(await merchant.balance()).toBe(CREDITS - 2);
  });

  test.each([
    ['empty', ''],
    ['256 characters long', 'x'.repeat(256)],
    ['a value with a line break', 'a\n'],
  ])('is rejected without a debit if it is %s', async (_, key) => {
    expectBadFields(await sendTo(1, { 'idempotency-key': key }), 'Idempotency-Key');
    expect(await merchant.balance()).toBe(CREDITS);
  });

  test('returns the send if its first response was lost', async () => {
    loseAnswers(world, 'TransactWriteItems', 99);
    expectFailure(await sendTo(1, A), 500, 'internal');
    world.dynamoDb = (_, send) => send();
    const { status, json } = await sendTo(1, A);
    expect(status).toBe(200);
    expect(await merchant.balance()).toBe(CREDITS - 1);
    expect(await merchant.sends()).toMatchObject([{ send_id: json.data.id }]);
  });
});

function send(body: unknown, headers: Record<string, string> = {}, by = merchant) {
  return by.call('sms/send', { body, headers });
}

function sendTo(count: number, headers?: Record<string, string>, by?: Merchant) {
  const to = Array.from({ length: count }, (_, n) => `05511122${String(n).padStart(2, '0')}`);
  return send({ to, message: 'Your order is ready' }, headers, by);
}

function sendFrom(from: unknown, headers?: Record<string, string>) {
  return send({ to: '0551112223', message: 'Hello', from }, headers);
}

/** Disables a sender, and lets the cached senders expire. */
async function disable(number: string): Promise<void> {
  await world.switchSender(number, false);
  world.clock.nowMs += 2_000;
}

function conflict() {
  return cancelled('TransactionConflict', 'None');
}

function cancelled(...codes: string[]) {
  const CancellationReasons = codes.map((Code) => ({ Code }));
  return new TransactionCanceledException({ message: '', $metadata: {}, CancellationReasons });
}

function inProgress() {
  return new TransactionInProgressException({ message: '', $metadata: {} });
}
