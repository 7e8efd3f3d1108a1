import { randomBytes } from 'node:crypto';
import { TransactionCanceledException, TransactionConflictException } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, test } from 'vitest';
import { checkEach } from '../../support/check-each.ts';
import { loseAnswers, refuse } from '../../support/disturb.ts';
import { expectBadFields, expectFailure, expectOk } from '../../support/envelope.ts';
import { type Merchant, type Scene, scene } from '../../support/scene.ts';

let world: Scene;
let merchant: Merchant;
beforeEach(async () => {
  world = await scene();
  merchant = await world.createMerchant();
});

describe('a new charge', () => {
  test('is returned with every documented field', async () => {
    const answer = await initialize({ amount: 36 });
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expectOk(answer, {
      authorization_url: `https://pay.example.com/checkout/${answer.json.data.access_code}`,
      access_code: expect.stringMatching(/^[0-9A-Za-z]{22}$/),
      reference: expect.stringMatching(/^[A-Z]{2}-\d{10}$/),
      livemode: true,
      amount: 36,
      currency: 'GHS',
      momo_number: '+233241234567',
      momo_network: 'MTN',
      expires_at: world.iso(24 * 60 * 60 * 1000),
      warnings: [],
    });
  });

  test('is stored with every given field', async () => {
    const said = {
      email: 'kofi@example.com',
      customer_name: 'Kofi Mensah',
      callback_url: 'https://shop.example.com/thanks?order=7',
      description: 'Two yards of kente',
    };
    const { json } = await initialize({ ...said, amount: 36.5, metadata: { order: 7 } });
    expect(await merchant.charges()).toMatchObject([
      {
        ...said,
        amount_pesewas: 3_650,
        metadata: '{"order":7}',
        reference: json.data.reference,
        merchant_id: merchant.id,
        state: 'pending',
        created_at: world.iso(),
        expires_at: world.iso(24 * 60 * 60 * 1000),
      },
    ]);
  });

  test('gets a new unique reference and its own URL', async () => {
    const answers = await Promise.all(Array.from({ length: 30 }, () => initialize({ amount: 1 })));
    expect(new Set(answers.map(({ json }) => json.data.reference)).size).toBe(30);
    expect(new Set(answers.map(({ json }) => json.data.authorization_url)).size).toBe(30);
  });

  test('takes one DynamoDB request if the key is cached', async () => {
    await initialize({ amount: 1 });
    world.requests.length = 0;
    await initialize({ amount: 1 });
    expect(world.requests).toEqual(['PutItem']);
  });

  test('shows the first MoMo account of several', async () => {
    const first = { number: '+233201234567', network: 'TELECEL' as const, account_name: 'AMA STORES' };
    await merchant.change({ momo_accounts: [first, { ...first, number: '+233241234567', network: 'MTN' }] });
    const { json } = await initialize({ amount: 1 });
    expect(json.data).toMatchObject({ momo_number: '+233201234567', momo_network: 'TELECEL' });
  });

  test('requires a MoMo number', async () => {
    const unpayable = await world.createMerchant({ momo: false });
    expectFailure(await initialize({ amount: 36 }, {}, unpayable), 409, 'no_momo_number');
    expect(await unpayable.charges()).toEqual([]);
  });

  test.each([
    [
      { callbackUrl: 'https://shop.example.com' },
      'callbackUrl: is not a field of this request. Did you mean "callback_url"?',
    ],
    [{ desciption: 'Kente' }, 'desciption: is not a field of this request. Did you mean "description"?'],
    [{ phone: '0241234567' }, 'phone: is not a field of this request. Did you mean "customer_phone"?'],
    [{ reference: 'A-1007' }, 'reference: is not a field of this request. Did you mean "merchant_reference"?'],
    [{ '': 1 }, ': is not a field of this request. Use one of amount, currency, email,'],
  ])('is rejected with a suggestion for an unknown field: %j', async (unknown, message) => {
    const answer = await initialize({ amount: 36, ...unknown });
    expectBadFields(answer, ...Object.keys(unknown));
    expect(answer.json.message).toContain(message);
  });

  test('is rejected with an error about a mistyped field instead of a missing one', async () => {
    const { json } = await initialize({ amout: 36 });
    expect(json.message).toBe('amout: is not a field of this request. Did you mean "amount"? (and 1 more, see errors)');
  });

  test('is rejected with errors for only the first ten of many unknown fields', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`${n}-${'x'.repeat(500)}`, 1]));
    const { json } = await initialize({ amount: 36, ...unknown });
    expect(json.errors).toHaveLength(10);
    expect(JSON.stringify(json).length).toBeLessThan(4_000);
  });

  test('must be in cedis', async () => {
    expect((await initialize({ amount: 36, currency: 'GHS' })).status).toBe(200);
    const answer = await initialize({ amount: 36, currency: 'USD' });
    expectBadFields(answer, 'currency');
    expect(answer.json.message).toBe('currency: must be "GHS": charges are in Ghana cedis');
  });
});

describe('the `amount` field', () => {
  test.each([
    ['the minimum', '0.01', 0.01],
    ['the maximum', '100000', 100_000],
    ['two decimals', '36.29', 36.29],
    ['one decimal', '0.1', 0.1],
    ['a decimal that a double cannot hold', '1.15', 1.15],
    ['the highest below the maximum', '99999.99', 99_999.99],
    ['trailing zeros', '36.00', 36],
    ['an exponent', '1e3', 1_000],
    ['a decimal string', '"36.50"', 36.5],
    ['the minimum as a string', '"0.01"', 0.01],
  ])('accepts %s (%s) and returns %d', async (_, written, amount) => {
    const { status, json } = await initialize(`{"amount":${written}}`);
    expect({ status, amount: json.data?.amount }).toEqual({ status: 200, amount });
  });

  test.each([
    ['zero', '0'],
    ['less than the minimum', '0.009'],
    ['a tiny number', '1e-9'],
    ['more than the maximum', '100000.01'],
    ['a huge number', '1e21'],
    ['a number beyond doubles', '1e400'],
    ['a negative number', '-1'],
    ['more than two decimals', '1.005'],
    ['the sum of 0.1 and 0.2', String(0.1 + 0.2)],
    ['a string with a third decimal', '"36.505"'],
    ['a string with a thousands separator', '"1,000"'],
    ['a string with a currency', '"GHS 36"'],
    ['a string with an exponent', '"1e3"'],
    ['a string with a sign', '"+36"'],
    ['a string with a space', '" 36"'],
    ['a string above the maximum', '"100000.01"'],
    ['an empty string', '""'],
    ['null', 'null'],
    ['true', 'true'],
    ['a list', '[36]'],
    ['an object', '{}'],
  ])('rejects %s (%s)', async (_, written) => {
    expectBadFields(await initialize(`{"amount":${written}}`), 'amount');
  });

  test('is reported as missing or invalid', async () => {
    const missing = await initialize({});
    expectBadFields(missing, 'amount');
    expect(missing.json.message).toMatch(/^amount: is missing and must be from 0\.01 /);
    expect((await initialize({ amount: null })).json.message).toMatch(/^amount: must be from 0\.01 /);
  });
});

describe('the `expires_in` field', () => {
  test.each([300, 3600, 604_800])('sets the expiry to %d seconds', async (expires_in) => {
    const { json } = await initialize({ amount: 36, expires_in });
    expect(json.data.expires_at).toBe(world.iso(expires_in * 1000));
  });

  test.each([299, 604_801, 3600.5, '3600', -1, null])('rejects %j', async (expires_in) => {
    expectBadFields(await initialize({ amount: 36, expires_in }), 'expires_in');
  });
});

describe('optional fields', () => {
  test.each([
    ['email', 'an address', 'kofi@example.com'],
    ['email', 'an address with a plus', 'kofi.mensah+shop@mail.example.com.gh'],
    ['email', 'a domain in non-ASCII letters', 'kofi@münchen.example'],
    ['email', 'a name in non-ASCII letters', 'akɔsua@example.com'],
    ['customer_name', '100 characters', 'x'.repeat(100)],
    ['customer_name', '100 emoji', '😀'.repeat(100)],
    ['customer_name', 'an empty string', ''],
    ['callback_url', 'a host', 'https://shop.example.com'],
    ['callback_url', 'a complete URL', 'HTTPS://shop.example.com:8443/a/b?c=d@e#f'],
    ['callback_url', '2048 characters', `https://shop.example.com/${'x'.repeat(2_048 - 25)}`],
    ['description', 'words', 'Two yards of kente'],
    ['description', '500 characters', 'é'.repeat(500)],
    ['metadata', 'an empty object', {}],
    ['metadata', 'an object', { order_id: 'A-7', lines: [{ sku: 1 }] }],
  ])('%s accepts %s and returns the value unchanged', async (field, _, value) => {
    const { json } = await initialize({ amount: 1, [field]: value });
    expect((await verifyCharge(json.data.reference)).json.data[field]).toEqual(value);
  });

  test('a field rejects invalid values', () =>
    checkEach(
      [
        ['email', 'a word', 'kofi'],
        ['email', 'no host', 'kofi@'],
        ['email', 'two addresses', 'kofi@example.com, ama@example.com'],
        ['email', '262 characters', `${'x'.repeat(250)}@example.com`],
        ['email', 'a number', 7],
        ['email', 'null', null],
        ['customer_name', '101 characters', 'x'.repeat(101)],
        ['customer_name', 'half a surrogate pair', '\ud83d'],
        ['customer_name', 'a list', ['Kofi']],
        ['callback_url', 'http', 'http://shop.example.com'],
        ['callback_url', 'a backslash, which parsers read differently', 'https://shop.example.com\\@evil.example'],
        ['callback_url', 'a text direction mark', 'https://shop.example.com/\u202egpj.exe'],
        ['callback_url', 'a zero-width space', 'https://shop.exa\u200bmple.com/'],
        ['callback_url', 'no scheme', 'shop.example.com'],
        ['callback_url', 'a relative URL', '//shop.example.com'],
        ['callback_url', 'a script', 'javascript:alert(1)'],
        ['callback_url', 'no host', 'https://'],
        ['callback_url', 'a user name', 'https://user@shop.example.com'],
        ['callback_url', 'user name and password', 'https://user:password@shop.example.com'],
        ['callback_url', 'a password', 'https://:password@shop.example.com'],
        ['callback_url', 'a space', 'https://shop.example.com/a b'],
        ['callback_url', 'a leading space', ' https://shop.example.com'],
        ['callback_url', 'two lines', 'https://shop.example.com/\nhttp://evil.example.com'],
        ['callback_url', '2049 characters', `https://shop.example.com/${'x'.repeat(2_049 - 25)}`],
        ['callback_url', 'an object', {}],
        ['description', '501 characters', 'x'.repeat(501)],
        ['description', 'a number', 500],
        ['metadata', 'a string', 'text'],
        ['metadata', 'a list', ['a']],
        ['metadata', 'null', null],
        ['metadata', 'a number', 7],
        ['metadata', 'more than 16 KB', { a: 'x'.repeat(16_384) }],
      ],
      async ([field, _, value]) => {
        expectBadFields(await initialize({ amount: 1, [field]: value }), field);
      },
    ));

  test.each([
    ['email', 'an empty string', '', null],
    ['email', 'spaces', '  ', null],
    ['email', 'a hidden character', '\u200b', null],
    ['email', 'hidden characters around an address', '\u200bkofi@example.com\ufeff ', 'kofi@example.com'],
    ['email', 'a hidden character in an address', 'kofi@exam\u200bple.com', 'kofi@example.com'],
    ['customer_phone', 'an empty string', '', null],
    ['customer_phone', 'a hidden character', '\u202a', null],
    ['customer_phone', 'hidden characters around a number', '\u202a+233 24 123 4567\u202c', '+233241234567'],
  ])('%s accepts %s and returns the visible value', async (field, _, written, value) => {
    const { json } = await initialize({ amount: 1, [field]: written });
    expect((await verifyCharge(json.data.reference)).json.data[field]).toBe(value);
  });

  test('are all reported if several are invalid', async () => {
    const bad = { amount: 'x', email: 'x', customer_name: 1, callback_url: 'x', description: 1, metadata: [] };
    expectBadFields(await initialize(bad), ...Object.keys(bad));
  });

  test.each(['{"__proto__":{"a":1}}', '{"a":{"\\u005f_proto__":1}}', '{"constructor":{"prototype":{}}}'])(
    'reject metadata that pollutes prototypes: %s',
    async (metadata) => {
      expectBadFields(await initialize(`{"amount":1,"metadata":${metadata}}`), 'body');
    },
  );
});

describe('the encoding of the request body', () => {
  const garbled = Buffer.from('{"amount":1,"description":"Caf\u00e9"}', 'latin1');

  test('may start with a byte order mark', async () => {
    for (const isBase64Encoded of [false, true]) {
      const body = '\ufeff{"amount":1,"description":"Café"}';
      const { json } = await merchant.call('transaction/initialize', { body, isBase64Encoded });
      expect((await verifyCharge(json.data.reference)).json.data.description).toBe('Café');
    }
  });

  test('must be UTF-8', async () => {
    expectBadFields(await merchant.call('transaction/initialize', { body: garbled, isBase64Encoded: true }), 'body');
    expectBadFields(await initialize(garbled.toString()), 'body');
  });
});

describe('metadata in verify responses', () => {
  test.each([
    ['a number beyond 2^53', '{"order_id":12345678901234567890}'],
    ['numbers as written', '{"price":1.10,"rate":1E2,"tiny":-0.000,"huge":1e400}'],
    ['deep objects', '{"a":{"b":[{"c":[null,true,"1.10",{"d":{}}]}]}}'],
    ['any characters', '{"":"","emoji 😀":"\\ud800","quote":"\\"\\\\"}'],
    ['100 levels', `{"levels":${'['.repeat(99)}${']'.repeat(99)}}`],
    ['16 KB', `{"full":"${'x'.repeat(16_384 - 11)}"}`],
  ])('is unchanged if it contains %s', async (_, metadata) => {
    const { json } = await initialize(`{"amount":1,"metadata":${metadata}}`);
    const { text } = await verifyCharge(json.data.reference);
    expect(text).toContain(`"metadata":${metadata},`);
  });

  test('omits insignificant whitespace', async () => {
    const body = '\ufeff{ "amount": 1, "metadata": { "price": 1.10, "name": "Abɛna" } }';
    const { json } = await merchant.call('transaction/initialize', { body, isBase64Encoded: true });
    expect((await verifyCharge(json.data.reference)).text).toContain('"metadata":{"price":1.10,"name":"Abɛna"},');
  });

  test('cannot be nested too deeply', async () => {
    const deep = `${'{"a":'.repeat(40_000)}1${'}'.repeat(40_000)}`;
    expect((await initialize(`{"amount":1,"metadata":${deep}}`)).status).toBe(400);
    expectBadFields(await initialize(`{"amount":1,"metadata":${deep.slice(5 * 39_899, -39_899)}}`), 'metadata');
  });
});

describe('the warning about an unmatchable customer name', () => {
  test.each(['Kofi', 'K. Mensah', 'Kofi M', 'Owusu-Ansah', 'Kofi Ama Yaw Esi Abena', 'A B C D'])(
    'is returned for the name %j',
    async (name) => {
      const { json } = await initialize({ amount: 36, customer_name: name });
      expect(json.data.warnings).toEqual([
        expect.stringMatching(/^customer_name is stored but not matched: send two to/),
      ]);
    },
  );

  test('is returned above the limit for matching by name', async () => {
    const warningsOf = async (amount: number) =>
      (await initialize({ amount, customer_name: 'Kofi Mensah' })).json.data.warnings;
    expect(await warningsOf(500)).toEqual([]);
    expect(await warningsOf(500.01)).toEqual([expect.stringContaining('by name only up to GHS 500')]);
    await merchant.change({ match_by_name_up_to_pesewas: 0 });
    world.clock.nowMs += 10_000;
    expect(await warningsOf(1)).toEqual([expect.stringContaining('matching by name is turned off')]);
  });

  test('is omitted if the name can be matched or is missing', async () => {
    for (const customer_name of ['Kofi Mensah', 'Dr. Ama Owusu-Ansah', undefined]) {
      expect((await initialize({ amount: 36, customer_name })).json.data.warnings).toEqual([]);
    }
  });
});

describe('write errors while a charge is created', () => {
  test('lead to a second reference if the first is taken', async () => {
    const first = await repeatReference();
    const second = await initialize({ amount: 2 });
    expect(second.status).toBe(200);
    expect(world.requests).toEqual(['PutItem', 'PutItem']);
    const byReference = Object.fromEntries(
      (await merchant.charges()).map((row) => [row.reference, row.amount_pesewas]),
    );
    expect(byReference).toEqual({ [first.json.data.reference]: 100, [second.json.data.reference]: 200 });
  });

  test('lead to a second reference despite an Idempotency-Key', async () => {
    await repeatReference();
    const second = await initialize({ amount: 2 }, { 'idempotency-key': 'a' });
    const again = await initialize({ amount: 2 }, { 'idempotency-key': 'a' });
    expect({ status: second.status, json: again.json }).toEqual({ status: 200, json: second.json });
    expect(await merchant.charges()).toHaveLength(2);
  });

  test('return 500 if the random generator repeats itself', async () => {
    let bytes = 0;
    world.outside.randomBytes = (length) =>
      length === 8 ? Buffer.alloc(8) : Buffer.from(Array.from({ length }, () => bytes++ % 200));
    expect((await initialize({ amount: 1 })).status).toBe(200);
    expectFailure(await initialize({ amount: 1 }), 500, 'internal');
  });

  test('create one charge if the DynamoDB response was lost', async () => {
    world.requests.length = 0;
    loseAnswers(world, 'PutItem', 1);
    const { status, json } = await initialize({ amount: 1 });
    expect(status).toBe(200);
    expect(world.requests.slice(-2)).toEqual(['PutItem', 'PutItem']);
    expect(await merchant.charges()).toMatchObject([{ reference: json.data.reference }]);
  });

  test('are retried on a transaction conflict', async () => {
    refuse(world, 'PutItem', 4, () => new TransactionConflictException(CONFLICT));
    expect((await initialize({ amount: 1 })).status).toBe(200);
    expect(await merchant.charges()).toHaveLength(1);
  });

  test('return 503 busy with Retry-After if conflicts continue', async () => {
    refuse(world, 'PutItem', 99, () => new TransactionConflictException(CONFLICT));
    const answer = await initialize({ amount: 1 });
    expectFailure(answer, 503, 'busy');
    expect(new Headers(answer.headers).get('retry-after')).toBe('1');
    expect(await merchant.charges()).toEqual([]);
  });

  test('return 500 without details and log them in full', async () => {
    refuse(world, 'PutItem', 99, () => Object.assign(new Error('secret detail'), { name: 'AccessDenied' }));
    const answer = await initialize({ amount: 1 });
    expectFailure(answer, 500, 'internal');
    expect(answer.text).not.toContain('secret detail');
    expect(world.logged.filter(({ level }) => level === 'error')).toMatchObject([
      { fields: { request_id: answer.json.request_id, error: { message: 'secret detail' } } },
    ]);
  });
});

describe('the Idempotency-Key for a charge', () => {
  const key = { 'idempotency-key': 'order-7' };

  test('replays the first response', async () => {
    const first = await initialize({ amount: 36 }, key);
    const second = await initialize({ amount: 36 }, key);
    expect([first, second].map(({ headers }) => headers['idempotent-replayed'])).toEqual([undefined, 'true']);
    expect({ status: second.status, text: second.text }).toEqual({ status: 200, text: first.text });
    expect(await merchant.charges()).toHaveLength(1);
  });

  test('makes one DynamoDB request per call', async () => {
    await initialize({ amount: 1 });
    for (const _ of ['first', 'repeat']) {
      world.requests.length = 0;
      await initialize({ amount: 1 }, key);
      expect(world.requests).toEqual(['TransactWriteItems']);
    }
  });

  test('returns 422 if reused with a different body', async () => {
    await initialize({ amount: 36 }, key);
    expectFailure(await initialize({ amount: 37 }, key), 422, 'idempotency_key_reused');
    expect(await merchant.charges()).toHaveLength(1);
  });

  test('creates one charge for 20 simultaneous requests', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => initialize({ amount: 36 }, key)));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(200);
    expect(answers.filter(({ headers }) => headers['idempotent-replayed'] === undefined)).toHaveLength(1);
    expect(await merchant.charges()).toHaveLength(1);
  });

  test('is independent for each merchant', async () => {
    const first = await initialize({ amount: 36 }, key);
    const second = await initialize({ amount: 37 }, key, await world.createMerchant());
    expect({ first: first.status, second: second.status }).toEqual({ first: 200, second: 200 });
    expect(second.json.data.reference).not.toBe(first.json.data.reference);
  });

  test('is case-sensitive and may contain any printable character', async () => {
    for (const key of ['a', 'A', 'a b', '~!"#{}', 'x'.repeat(255)]) {
      const answer = await initialize({ amount: 36 }, { 'idempotency-key': key });
      expect(answer.headers['idempotent-replayed']).toBeUndefined();
    }
  });

  test.each([
    ['empty', ''],
    ['a space', ' '],
    ['a value with a leading space', ' a'],
    ['a non-ASCII letter', 'ü'],
    ['a value with a tab', 'a\tb'],
    ['256 characters long', 'x'.repeat(256)],
  ])('returns 400 if it is %s', async (_, key) => {
    expectBadFields(await initialize({ amount: 36 }, { 'idempotency-key': key }), 'Idempotency-Key');
    expect(await merchant.charges()).toEqual([]);
  });

  test('expires after 24 hours', async () => {
    const again = () => initialize({ amount: 36 }, key);
    const first = await again();
    world.clock.nowMs += 24 * 60 * 60 * 1000 - 1_000;
    expect((await again()).text).toBe(first.text);
    world.clock.nowMs += 1_000;
    const second = await again();
    expect(second.json.data.reference).not.toBe(first.json.data.reference);
    expect((await again()).text).toBe(second.text);
    expect(await merchant.charges()).toHaveLength(2);
  });

  test('can be reused after a rejected request', async () => {
    expectBadFields(await initialize({ amount: 0 }, key), 'amount');
    expect((await initialize({ amount: 36 }, key)).status).toBe(200);
  });

  test('returns the charge if its first response was lost', async () => {
    loseAnswers(world, 'TransactWriteItems', 99);
    expectFailure(await initialize({ amount: 36 }, key), 500, 'internal');
    world.dynamoDb = (_, send) => send();
    const { status, headers, json } = await initialize({ amount: 36 }, key);
    expect({ status, idempotentReplayed: headers['idempotent-replayed'] }).toEqual({
      status: 200,
      idempotentReplayed: 'true',
    });
    expect(await merchant.charges()).toMatchObject([{ reference: json.data.reference }]);
  });

  test('uses one token for all retries after conflicts', async () => {
    const CancellationReasons = [{ Code: 'TransactionConflict' }, { Code: 'None' }];
    const error = () => new TransactionCanceledException({ ...CONFLICT, CancellationReasons });
    const tokens = refuse(world, 'TransactWriteItems', 4, error);
    expect((await initialize({ amount: 1 }, key)).status).toBe(200);
    expect(tokens).toHaveLength(5);
    expect(new Set(tokens).size).toBe(1);
  });
});

function initialize(body: unknown, headers: Record<string, string> = {}, by = merchant) {
  return by.call('transaction/initialize', { body, headers });
}

function verifyCharge(reference: string) {
  return merchant.call('transaction/verify', { parameters: { reference } });
}

/** Makes the next two charges draw the same reference. @returns the first response. */
async function repeatReference() {
  const made: Buffer[] = [];
  world.outside.randomBytes = (length) => {
    const bytes = randomBytes(length);
    made.push(Buffer.from(bytes));
    return bytes;
  };
  const first = await initialize({ amount: 1 });
  const replayed = made.slice(0, 1);
  world.outside.randomBytes = (length) => replayed.shift() ?? randomBytes(length);
  world.requests.length = 0;
  return first;
}

const CONFLICT = { message: '', $metadata: {} };
