import { randomBytes, randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import {
  type AttributeValue,
  BatchGetItemCommand,
  DeleteItemCommand,
  type DeleteItemCommandInput,
  DescribeTableCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  type PutItemCommandInput,
  QueryCommand,
  type QueryCommandInput,
  ScanCommand,
  TransactWriteItemsCommand,
  type TransactWriteItemsCommandInput,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import {
  type _Record,
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
} from '@aws-sdk/client-dynamodb-streams';
import { marshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import { createTable } from '../../../infra/local/dynamodb.ts';
import { memoryClient } from '../../../infra/local/memory-dynamodb/client.ts';
import { canonicalNumber } from '../../../infra/local/memory-dynamodb/numbers.ts';
import { RESERVED_WORDS } from '../../../infra/local/memory-dynamodb/reserved-words.ts';
import { withoutWaiting } from '../../../infra/local/memory-dynamodb/retry.ts';
import {
  createMemoryDynamoDb,
  type Fate,
  type MemoryDynamoDb,
  type MemoryRequest,
} from '../../../infra/local/memory-dynamodb.ts';
import { serveMemory } from '../../../infra/local/serve-memory.ts';
import { newDynamoDbClient } from '../../../shared/runtime/table/connection.ts';
import { openTable } from '../../../shared/runtime/table/open-table.ts';
import type { Item } from '../../../shared/runtime/table/table.ts';
import * as cases from '../../support/memory-dynamodb/contract-cases.ts';
import { type Database, randomSteps, type Step } from '../../support/memory-dynamodb/random-steps.ts';
import { wirelessClient } from '../../support/memory-dynamodb/wireless.ts';
import { isLocalThere, WITHOUT_LOCAL } from '../../support/needs-local.ts';
import { sliceOf } from '../../support/slice.ts';

/** A database that also returns the stream records of its writes. */
interface TestDatabase extends Database {
  readonly changes: () => Promise<Change[]>;
}

type Change = ReturnType<typeof changeOf>;
type Key = Record<string, AttributeValue>;
type Leg = NonNullable<TransactWriteItemsCommandInput['TransactItems']>[number];

const DATABASES = [
  { name: 'DynamoDB Local', isThere: isLocalThere, open: openLocal },
  { name: 'the in-memory DynamoDB', isThere: true, open: async () => openMemory(createMemoryDynamoDb()) },
  {
    name: 'the in-memory DynamoDB without HTTP',
    isThere: true,
    open: async () => openMemory(createMemoryDynamoDb(), wirelessClient),
  },
  { name: 'the in-memory DynamoDB over HTTP', isThere: true, open: openServed },
];

const onStop: (() => Promise<void>)[] = [];
afterAll(async () => void (await Promise.all(onStop.map((stop) => stop()))));

const INVALID = { error: 'ValidationException' };
const NOT_MET = { error: 'ConditionalCheckFailedException' };
const SHOWN = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;

// Behaviour shared by all databases, on which other tests may rely.
describe.each(DATABASES)('$name', ({ open, isThere }) => {
  let database: TestDatabase;
  let TableName: string;
  beforeEach(({ skip }) => skip(!isThere, WITHOUT_LOCAL));
  beforeAll(async () => {
    if (!isThere) return;
    database = await open();
    TableName = database.tableName;
  });

  const put = (input: Partial<PutItemCommandInput>) =>
    outcome(() => database.client.send(new PutItemCommand({ TableName, Item: undefined, ...input })));
  const update = (input: Partial<UpdateItemCommandInput>) =>
    outcome(() => database.client.send(new UpdateItemCommand({ TableName, Key: undefined, ...input })));
  const remove = (input: Partial<DeleteItemCommandInput>) =>
    outcome(() => database.client.send(new DeleteItemCommand({ TableName, Key: undefined, ...input })));
  const get = (Key: Key) =>
    outcome(() => database.client.send(new GetItemCommand({ TableName, Key, ConsistentRead: true })));
  const query = (input: Partial<QueryCommandInput>) =>
    outcome(() => database.client.send(new QueryCommand({ TableName, ...input })));

  test('puts, reads, replaces and deletes an item', async () => {
    const Key = keyOf('item');
    const first = { ...Key, ...marshall({ n: 1, list: ['a', { b: null }] }) };
    const second = { ...Key, ...marshall({ n: 2, yes: true }) };
    expect(await get(Key)).toEqual({});
    expect(await put({ Item: first, ReturnValues: 'ALL_OLD' })).toEqual({});
    expect(await get(Key)).toEqual({ Item: first });
    expect(await put({ Item: second, ReturnValues: 'ALL_OLD' })).toEqual({ Attributes: first });
    expect(await remove({ Key, ReturnValues: 'ALL_OLD' })).toEqual({ Attributes: second });
    expect(await remove({ Key, ReturnValues: 'ALL_OLD' })).toEqual({});
    expect(await get(Key)).toEqual({});
  });

  test('changes nothing if a condition fails', async () => {
    const [Key, gone] = [keyOf('current'), keyOf('gone')];
    const Item = { ...Key, ...marshall({ n: 1 }) };
    await put({ Item });
    const ConditionExpression = 'attribute_not_exists(pk)';
    expect(await put({ Item: Key, ConditionExpression })).toEqual(NOT_MET);
    expect(await put({ Item: Key, ConditionExpression, ...SHOWN })).toEqual({ ...NOT_MET, Item });
    expect(await update({ Key, ConditionExpression, ...SHOWN })).toEqual({ ...NOT_MET, Item });
    expect(await remove({ Key, ConditionExpression, ...SHOWN })).toEqual({ ...NOT_MET, Item });
    expect(await remove({ Key: gone, ConditionExpression: 'attribute_exists(pk)', ...SHOWN })).toEqual(NOT_MET);
    expect(await get(Key)).toEqual({ Item });
  });

  test('supports all conditions that the service uses', async () => {
    const Key = keyOf('conditions');
    await put({ Item: { ...Key, ...marshall(cases.CONDITIONED) } });
    const outcomes = inTurn(cases.CONDITIONS, async ([ConditionExpression, given]) => {
      const { error } = await update({ Key, ConditionExpression, ...values(given) });
      return [ConditionExpression, given, error === NOT_MET.error ? false : (error ?? true)];
    });
    expect(await outcomes).toEqual(cases.CONDITIONS);
  });

  test('supports all update expressions that the service uses', async () => {
    const outcomes = inTurn(cases.UPDATES, async ([UpdateExpression, given, expected], n) => {
      const Key = keyOf(`update-${n}`);
      await put({ Item: { ...Key, ...marshall({ n: 5, note: 'a' }) } });
      const { error } = await update({ Key, UpdateExpression, ...values(given) });
      const item = typeof expected === 'string' ? expected : { ...Key, ...marshall(expected) };
      return [
        [UpdateExpression, given, error ?? (await get(Key)).Item],
        [UpdateExpression, given, item],
      ];
    });
    for (const [outcome, expected] of await outcomes) expect(outcome).toEqual(expected);
  });

  test('creates a missing item on update', async () => {
    const [one, two, three] = [keyOf('upsert-1'), keyOf('upsert-2'), keyOf('upsert-3')];
    expect(await update({ Key: one, ReturnValues: 'ALL_NEW' })).toEqual({ Attributes: one });
    expect(await update({ Key: two, UpdateExpression: 'REMOVE gone', ReturnValues: 'ALL_OLD' })).toEqual({});
    const debit = { Key: three, UpdateExpression: 'SET balance = balance - :n', ...values({ n: 1 }) };
    expect(await update(debit)).toEqual(INVALID);
    expect(await update({ ...debit, ConditionExpression: 'balance >= :n' })).toEqual(NOT_MET);
    expect({ one: await get(one), two: await get(two), three: await get(three) }).toEqual({
      one: { Item: one },
      two: { Item: two },
      three: {},
    });
  });

  test('stores numbers with up to 38 digits', async () => {
    const outcomes = inTurn(cases.NUMBERS, async ([text], n) => {
      const Key = keyOf(`number-${n}`);
      const { error } = await put({ Item: { ...Key, n: { N: text } } });
      const { Item } = error ? {} : await database.client.send(new GetItemCommand({ TableName, Key }));
      return [text, error ?? Item?.n?.N];
    });
    expect(await outcomes).toEqual(cases.NUMBERS);
  });

  test('rejects an item larger than 400 KB', async () => {
    const outcomes = inTurn(cases.SIZES, async ([value, bytes], n) => {
      const Key = keyOf(`size-${n}`);
      const least = 409_600 - bytes - `pksk${Key.pk.S}${Key.sk.S}valuefiller`.length;
      const of = (length: number) => ({ ...Key, value, filler: { S: 'x'.repeat(length) } });
      return [value, await put({ Item: of(least) }), await put({ Item: of(least + 1) })];
    });
    expect(await outcomes).toEqual(cases.SIZES.map(([value]) => [value, {}, INVALID]));
  });

  test('rejects an update that would make an item too large', async () => {
    const Item = { ...keyOf('growing'), ...marshall({ one: 'x'.repeat(300_000) }) };
    const { pk, sk } = Item;
    await put({ Item });
    const grow = { UpdateExpression: 'SET two = :x', ...values({ x: 'x'.repeat(200_000) }) };
    expect(await update({ Key: { pk, sk }, ...grow })).toEqual(INVALID);
    expect(await get({ pk, sk })).toEqual({ Item });
  });

  test('rejects invalid requests', async () => {
    const Key = keyOf('refused');
    const ConditionExpression = 'attribute_not_exists(pk)';
    const long = (length: number) => ({ S: 'x'.repeat(length) });
    const nested = (levels: number): AttributeValue => (levels === 0 ? { S: 'x' } : { L: [nested(levels - 1)] });
    const outcomes = {
      unusedValue: await put({ Item: Key, ConditionExpression, ...values({ n: 1 }) }),
      unusedName: await put({ Item: Key, ConditionExpression, ExpressionAttributeNames: { '#a': 'a' } }),
      undefinedValue: await put({ Item: Key, ConditionExpression: 'n = :n' }),
      undefinedName: await put({ Item: Key, ConditionExpression: 'attribute_exists(#n)' }),
      noValues: await put({ Item: Key, ConditionExpression, ExpressionAttributeValues: {} }),
      noNames: await put({ Item: Key, ConditionExpression, ExpressionAttributeNames: {} }),
      valuesOfNothing: await put({ Item: Key, ...values({ n: 1 }) }),
      namesOfNothing: await put({ Item: Key, ExpressionAttributeNames: { '#a': 'a' } }),
      wrongPlaceholder: await put({ Item: Key, ConditionExpression: 'a = :a-b', ...values({ 'a-b': 1 }) }),
      emptyExpression: await put({ Item: Key, ConditionExpression: '' }),
      longExpression: await put({ Item: Key, ConditionExpression: `attribute_exists(${'a'.repeat(4096)})` }),
      noSortKey: await put({ Item: { pk: Key.pk } }),
      emptyKey: await put({ Item: { ...Key, sk: { S: '' } } }),
      numberAsKey: await put({ Item: { ...Key, pk: { N: '1' } } }),
      longPartitionKey: await put({ Item: { ...Key, pk: long(2049) } }),
      longSortKey: await put({ Item: { ...Key, sk: long(1025) } }),
      numberAsIndexKey: await put({ Item: { ...Key, gsi1pk: { N: '1' } } }),
      emptyIndexKey: await put({ Item: { ...Key, gsi2sk: { S: '' } } }),
      longIndexKey: await put({ Item: { ...Key, gsi1pk: long(2049) } }),
      indexKeyUpdated: await update({ Key, UpdateExpression: 'SET gsi1sk = :n', ...values({ n: 1 }) }),
      getWithoutSortKey: await get({ pk: Key.pk }),
      getWithMore: await get({ ...Key, n: { N: '1' } }),
      getOfEmptyKey: await get({ ...Key, pk: { S: '' } }),
      getOfLongKey: await get({ ...Key, sk: long(1025) }),
      falseNull: await put({ Item: { ...Key, value: { NULL: false } } }),
      emptyName: await put({ Item: { ...Key, '': { S: 'x' } } }),
      deepValue: await put({ Item: { ...Key, value: nested(32) } }),
      newOfPut: await put({ Item: Key, ReturnValues: 'ALL_NEW' }),
    };
    expect(outcomes).toEqual(Object.fromEntries(Object.keys(outcomes).map((name) => [name, INVALID])));
    const largest = { pk: long(2048), sk: long(1024), gsi1pk: long(2048), gsi1sk: long(1024), value: nested(31) };
    expect(await put({ Item: largest })).toEqual({});
    expect(await get(Key)).toEqual({});
  });

  test('requires placeholders for reserved words', async () => {
    const words = [...RESERVED_WORDS, ...cases.FREE_WORDS].map((word, n) => (n % 2 ? word : word.toUpperCase()));
    const answers = await Promise.all(
      words.map((word) => update({ Key: keyOf('words'), ConditionExpression: `attribute_not_exists(${word})` })),
    );
    const refused = words.filter((_, n) => isDeepStrictEqual(answers[n], INVALID));
    expect(refused.map((word) => word.toLowerCase())).toEqual([...RESERVED_WORDS]);
  });

  test('reports a missing table', async () => {
    const [TableName, Key] = ['another', keyOf('x')];
    const gone = { error: 'ResourceNotFoundException' };
    const batch = { RequestItems: { [TableName]: { Keys: [Key] } } };
    expect(await outcome(() => database.client.send(new GetItemCommand({ TableName, Key })))).toEqual(gone);
    expect(await outcome(() => database.client.send(new BatchGetItemCommand(batch)))).toEqual(gone);
    expect(await transact([{ Delete: { TableName, Key } }])).toEqual(gone);
  });

  test('returns only the requested fields in a batch', async () => {
    const Keys = ['a', 'b'].map((sk) => marshall({ pk: 'projection', sk }));
    await put({ Item: { ...Keys[0], ...marshall({ state: 'held', name: 'Ama', size: 1 }) } });
    await put({ Item: { ...Keys[1], ...marshall({ other: 1 }) } });
    const ExpressionAttributeNames = { '#0': 'state', '#1': 'name' };
    const { found } = await batchGet(Keys, { ProjectionExpression: '#0, #1', ExpressionAttributeNames });
    expect(sorted(found)).toEqual(sorted([{ state: { S: 'held' }, name: { S: 'Ama' } }, {}]));
  });

  describe('a query', () => {
    beforeAll(async () => {
      for (const sk of [...cases.SORTS].reverse()) {
        const sparse = { gsi2pk: 'sparse', ...(sk === 'b' && { gsi2sk: '1' }) };
        await put({ Item: marshall({ pk: 'query', sk, gsi1pk: 'query', gsi1sk: sk, ...sparse, length: sk.length }) });
      }
    });

    test.each(['', 'gsi1'])('returns items in UTF-8 order (%s)', async (index) => {
      const outcomes = inTurn(cases.RANGES, async ([condition, bounds]) => {
        return [condition, bounds, (await page(index, condition, bounds)).found];
      });
      expect(await outcomes).toEqual(cases.RANGES);
    });

    test.each(['', 'gsi1'])('returns a page and the next page’s key (%s)', async (index) => {
      const outcomes = inTurn(cases.PAGES, async ([condition, bounds, way, Limit]) => {
        const { found, next } = await page(index, condition, bounds, { Limit, ScanIndexForward: way === 'up' });
        return [condition, bounds, way, Limit, found, next];
      });
      const expected = cases.PAGES.map(([condition, bounds, way, limit, found, inTable, inIndex = inTable]) => {
        return [condition, bounds, way, limit, found, index ? inIndex : inTable];
      });
      expect(await outcomes).toEqual(expected);
    });

    test.each(['', 'gsi1'])('starts after any key, even a missing one (%s)', async (index) => {
      const outcomes = inTurn(cases.STARTS, async ([condition, bounds, way, start]) => {
        const keys = { pk: 'query', sk: start, ...(index && { gsi1pk: 'query', gsi1sk: start }) };
        const from = { ExclusiveStartKey: marshall(keys), ScanIndexForward: way === 'up' };
        return [condition, bounds, way, start, (await page(index, condition, bounds, from)).found];
      });
      const expected = cases.STARTS.map(([condition, bounds, way, start, inTable, inIndex = inTable]) => {
        return [condition, bounds, way, start, index ? inIndex : inTable];
      });
      expect(await outcomes).toEqual(expected);
    });

    test('omits items without both index attributes', async () => {
      const Items = [marshall({ pk: 'query', sk: 'b', gsi2pk: 'sparse', gsi2sk: '1' })];
      const sparse = { IndexName: 'gsi2', KeyConditionExpression: 'gsi2pk = :pk', ...values({ pk: 'sparse' }) };
      expect(await query(sparse)).toEqual({ Items, Count: 1, ScannedCount: 1 });
      const Key = marshall({ pk: 'query', sk: 'b' });
      await update({ Key, UpdateExpression: 'REMOVE gsi2sk' });
      expect(await query(sparse)).toEqual({ Items: [], Count: 0, ScannedCount: 0 });
      await update({ Key, UpdateExpression: 'SET gsi2sk = :sk', ...values({ sk: '1' }) });
      expect(await query(sparse)).toEqual({ Items, Count: 1, ScannedCount: 1 });
    });

    test('ends a page after the item that completes a megabyte', async () => {
      for (let n = 10; n < 23; n++)
        await put({ Item: marshall({ pk: 'large', sk: String(n), x: 'x'.repeat(100_000) }) });
      const all = { KeyConditionExpression: 'pk = :pk', ...values({ pk: 'large' }) };
      const LastEvaluatedKey = marshall({ pk: 'large', sk: '20' });
      expect(await query(all)).toMatchObject({ Count: 11, LastEvaluatedKey });
      const rest = await query({ ...all, ExclusiveStartKey: LastEvaluatedKey });
      expect(rest).toMatchObject({ Count: 2 });
      expect(rest).not.toHaveProperty('LastEvaluatedKey');
    });

    test('supports filters', async () => {
      const short = { FilterExpression: '#length = :one', ExpressionAttributeNames: { '#length': 'length' } };
      const all = { KeyConditionExpression: 'pk = :pk', ...values({ pk: 'query', one: 1 }), ...short };
      const LastEvaluatedKey = marshall({ pk: 'query', sk: 'aa' });
      expect(await query({ ...all, Limit: 3 })).toMatchObject({ Count: 2, ScannedCount: 3, LastEvaluatedKey });
      const byKey = { FilterExpression: 'sk = :one', ...values({ pk: 'query', one: '1' }) };
      expect(await query({ KeyConditionExpression: 'pk = :pk', ...byKey })).toEqual(INVALID);
    });

    test('is rejected if it is invalid', async () => {
      const outcomes = await inTurn(cases.WRONG_QUERIES, async (input) => [input, await query(input)]);
      expect(outcomes).toEqual(cases.WRONG_QUERIES.map((input) => [input, INVALID]));
    });

    async function page(index: string, condition: string, bounds: object, more: Partial<QueryCommandInput> = {}) {
      try {
        const { Items, LastEvaluatedKey } = await database.client.send(
          new QueryCommand({
            TableName,
            ...(index && { IndexName: index }),
            KeyConditionExpression: `${index}pk = :pk${condition.replace('sk', `${index}sk`)}`,
            ...values({ pk: 'query', ...bounds }),
            ...more,
          }),
        );
        return { found: Items?.map(({ sk }) => sk?.S).join(), next: LastEvaluatedKey?.sk?.S ?? '' };
      } catch {
        return { found: 'refused' };
      }
    }
  });

  test('scans the table page by page', async () => {
    const Keys = Array.from({ length: 7 }, (_, n) => keyOf(`scan-${n}`));
    for (const Item of Keys) await put({ Item: { ...Item, scanned: { BOOL: true } } });
    const found: unknown[] = [];
    let ExclusiveStartKey: Key | undefined;
    do {
      const filter = { FilterExpression: 'scanned = :yes', ...values({ yes: true }) };
      const input = { TableName, Limit: 3, ConsistentRead: true, ...filter };
      const start = ExclusiveStartKey && { ExclusiveStartKey };
      const answer = await database.client.send(new ScanCommand({ ...input, ...start }));
      for (const { pk, sk } of answer.Items ?? []) found.push({ pk, sk });
      ExclusiveStartKey = answer.LastEvaluatedKey;
    } while (ExclusiveStartKey);
    expect(sorted(found)).toEqual(sorted(Keys));
  });

  test('returns up to 100 items in a batch', async () => {
    const Keys = Array.from({ length: 100 }, (_, n) => keyOf(`batch-${n}`));
    for (const Item of Keys.slice(0, 5)) await put({ Item });
    const { found, unprocessed } = await batchGet(Keys);
    expect(sorted(found)).toEqual(sorted(Keys.slice(0, 5)));
    expect(unprocessed).toEqual([]);
    await expect(batchGet([...Keys, keyOf('one-more')])).rejects.toThrow(named(INVALID.error));
    await expect(batchGet([keyOf('x'), keyOf('x')])).rejects.toThrow(named(INVALID.error));
    await expect(batchGet([])).rejects.toThrow(named(INVALID.error));
  });

  test('returns the unread keys of a batch larger than 16 MB', async () => {
    const Keys = Array.from({ length: 44 }, (_, n) => keyOf(`heavy-${n}`));
    // One after the other: on a busy machine, 44 large requests at once would time out.
    for (const Key of Keys) expect(await put({ Item: { ...Key, x: { S: 'x'.repeat(400_000) } } })).toEqual({});
    const { found, unprocessed } = await batchGet(Keys);
    expect({ found: found.length, unprocessed: unprocessed.length }).toEqual({ found: 41, unprocessed: 3 });
    expect((await batchGet(unprocessed)).found.length).toBe(3);
  });

  test('applies all writes of a transaction', async () => {
    const [one, two, three, four] = [keyOf('all-1'), keyOf('all-2'), keyOf('all-3'), keyOf('all-4')];
    await put({ Item: two });
    await put({ Item: three });
    const there = checkLeg(four, 'attribute_not_exists(pk)');
    const legs = [putLeg(one), updateLeg(two, 'SET n = :n'), deleteLeg(three), there];
    expect(await transact(legs)).toEqual({});
    const current = [await get(one), await get(two), await get(three), await get(four)];
    expect(current).toEqual([{ Item: one }, { Item: { ...two, n: { N: '1' } } }, {}, {}]);
  });

  test('applies no write of a failed transaction', async () => {
    const [one, two, three] = [keyOf('none-1'), keyOf('none-2'), keyOf('none-3')];
    await put({ Item: two });
    const taken = putLeg(two, { ConditionExpression: 'attribute_not_exists(pk)' });
    const shown = putLeg(two, { ConditionExpression: 'attribute_not_exists(pk)', ...SHOWN });
    const [none, failed] = [{ Code: 'None' }, { Code: 'ConditionalCheckFailed' }];
    const cancelled = { error: 'TransactionCanceledException' };
    expect(await transact([putLeg(one), taken])).toEqual({ ...cancelled, reasons: [none, failed] });
    expect(await transact([shown, putLeg(one), checkLeg(three, 'attribute_exists(pk)')])).toEqual({
      ...cancelled,
      reasons: [{ ...failed, Item: two }, none, failed],
    });
    expect(await get(one)).toEqual({});
  });

  test('rejects an invalid transaction', async () => {
    const [one, two] = [keyOf('wrong-1'), keyOf('wrong-2')];
    const many = Array.from({ length: 101 }, (_, n) => putLeg(keyOf(`many-${n}`)));
    const heavy = Array.from({ length: 12 }, (_, n) =>
      putLeg({ ...keyOf(`heavy-leg-${n}`), x: { S: 'x'.repeat(380_000) } }),
    );
    const outcomes = {
      none: await transact([]),
      tooMany: await transact(many),
      tooLarge: await transact(heavy),
      twiceTheSame: await transact([putLeg(one), deleteLeg(one)]),
      checkedAndWritten: await transact([checkLeg(one, 'attribute_not_exists(pk)'), putLeg(one)]),
      twoInOne: await transact([{ ...putLeg(one), ...deleteLeg(two) }]),
      empty: await transact([{}]),
      syntax: await transact([putLeg(one), updateLeg(two, 'SETS n = :n')]),
      missingOperand: await transact([putLeg(one), updateLeg(two, 'SET n = gone + :n')]),
      numberAsIndexKey: await transact([putLeg(one), updateLeg(two, 'SET gsi1pk = :n')]),
      longToken: await transact([putLeg(one)], 'x'.repeat(37)),
    };
    expect(outcomes).toEqual(Object.fromEntries(Object.keys(outcomes).map((name) => [name, INVALID])));
    expect(await transact(many.slice(1))).toEqual({});
    expect(await get(one)).toEqual({});
  });

  test('applies a transaction once per token', async () => {
    const [Key, late] = [keyOf('token'), keyOf('late')];
    const [token, other, third] = [randomUUID(), randomUUID(), randomUUID()];
    const [add, reordered] = [updateLeg(Key, 'ADD n :n'), { Update: reversed(updateLeg(Key, 'ADD n :n').Update) }];
    for (const leg of [add, add, reordered]) expect(await transact([leg], token)).toEqual({});
    expect((await get(Key)).Item).toMatchObject({ n: { N: '1' } });
    expect(await transact([updateLeg(Key, 'ADD m :n')], token)).toEqual({
      error: 'IdempotentParameterMismatchException',
    });
    expect(await transact([add], other)).toEqual({});
    expect((await get(Key)).Item).toMatchObject({ n: { N: '2' } });
    expect((await transact([checkLeg(late, 'attribute_exists(pk)')], third)).error).toBe(
      'TransactionCanceledException',
    );
    await put({ Item: late });
    expect(await transact([checkLeg(late, 'attribute_exists(pk)')], third)).toEqual({});
  });

  test('streams every effective write in order', async () => {
    const [one, two] = [keyOf('stream-1'), keyOf('stream-2')];
    const changed = { ...one, ...marshall({ n: 1, m: { a: [1] } }) };
    await put({ Item: one });
    await put({ Item: one });
    await update({ Key: one });
    await put({ Item: changed });
    await put({ Item: { ...changed, n: { N: '1.0' } } });
    await update({ Key: one, UpdateExpression: 'REMOVE gone' });
    await put({ Item: two, ConditionExpression: 'attribute_exists(pk)' });
    await remove({ Key: two });
    await transact([deleteLeg(one), putLeg(two), checkLeg(keyOf('stream-3'), 'attribute_not_exists(pk)')]);
    await update({ Key: two, UpdateExpression: 'SET n = :n', ...values({ n: 1 }) });
    const changes = (await database.changes()).filter(({ pk }) => pk?.startsWith('stream-'));
    expect(changes).toEqual([
      { event: 'INSERT', pk: 'stream-1', sk: 'x', before: undefined, after: one },
      { event: 'MODIFY', pk: 'stream-1', sk: 'x', before: one, after: changed },
      { event: 'REMOVE', pk: 'stream-1', sk: 'x', before: changed, after: undefined },
      { event: 'INSERT', pk: 'stream-2', sk: 'x', before: undefined, after: two },
      { event: 'MODIFY', pk: 'stream-2', sk: 'x', before: two, after: { ...two, n: { N: '1' } } },
    ]);
  });

  test('supports the service’s reads and writes', async () => {
    const table = openTable(database.client, database.tableName, { randomBytes, sleep: async () => {} });
    const balance = { pk: 'CREDITS#service', sk: 'BALANCE' };
    await table.write([
      { update: { Key: balance, UpdateExpression: 'ADD balance :n', ExpressionAttributeValues: { ':n': 12 } } },
    ]);
    for (let n = 1; n <= 5; n++) await table.write([debit(balance, 2), send(`s${n}`)]);
    await expect(table.write([debit(balance, 3), send('s6')])).rejects.toThrow('2 left');
    await expect(table.write([debit(balance, 2), send('s5')])).rejects.toThrow('SEND#s5 is taken');
    await expect(table.write([send('s5')])).rejects.toThrow('SEND#s5 is taken');
    expect(await table.get(balance)).toEqual({ ...balance, balance: 2 });
    expect(await table.update(debit(balance, 1))).toEqual({ ...balance, balance: 1 });
    expect(await table.update(debit(balance, 2))).toBeUndefined();
    const page = { limit: 2, newestFirst: true, between: ['s2', 's5'] as const };
    const first = await table.listIndex('gsi1', 'MERCHANT#service#SEND', page);
    const second = await table.listIndex('gsi1', 'MERCHANT#service#SEND', { ...page, start: first.next });
    expect([first, second].map(({ items }) => items.map(({ gsi1sk }) => gsi1sk))).toEqual([
      ['s5', 's4'],
      ['s3', 's2'],
    ]);
    expect((await table.list('SEND#s1')).map(({ to }) => to)).toEqual([['+233241234567']]);
  });

  async function batchGet(Keys: Key[], more: object = {}) {
    const command = new BatchGetItemCommand({ RequestItems: { [TableName]: { Keys, ConsistentRead: true, ...more } } });
    const { Responses, UnprocessedKeys } = await database.client.send(command);
    return { found: Responses?.[TableName] ?? [], unprocessed: UnprocessedKeys?.[TableName]?.Keys ?? [] };
  }

  function transact(TransactItems: Leg[], ClientRequestToken?: string) {
    return outcome(() =>
      database.client.send(
        new TransactWriteItemsCommand({ TransactItems, ...(ClientRequestToken && { ClientRequestToken }) }),
      ),
    );
  }

  function putLeg(Item: Key, more: object = {}) {
    return { Put: { TableName, Item, ...more } };
  }

  function updateLeg(Key: Key, UpdateExpression: string) {
    return { Update: { TableName, Key, UpdateExpression, ...values({ n: 1 }) } };
  }

  function deleteLeg(Key: Key) {
    return { Delete: { TableName, Key } };
  }

  function checkLeg(Key: Key, ConditionExpression: string) {
    return { ConditionCheck: { TableName, Key, ConditionExpression } };
  }
});

/** Number of random sequences. Example: `SEED=500 SEQUENCES=2000 npx vitest run memory-dynamodb`. */
const SEQUENCES = Number(process.env.SEQUENCES ?? 100);
const FIRST_SEED = Number(process.env.SEED ?? 1);
const STEPS = 30;
const LANES = 8;

describe('random requests to both databases', () => {
  test.runIf(isLocalThere)('produce the same responses and items', async () => {
    const [local, memory] = [await openLocal(), createMemoryDynamoDb()];
    const database = openMemory(memory);
    const run = randomUUID().slice(0, 8);
    const seeds = sliceOf(
      Array.from({ length: SEQUENCES }, (_, n) => FIRST_SEED + n),
      5,
    );
    const lanes = Array.from({ length: LANES }, async (_, lane) => {
      for (const seed of seeds.filter((_, n) => n % LANES === lane)) {
        for (const [n, step] of randomSteps(seed, `${run}-${seed}`, STEPS).entries()) {
          const [expected, actual] = [await alike(step, local), await alike(step, database)];
          expect(actual, `seed ${seed}, step ${n}: ${step.operation} ${JSON.stringify(step.input)}`).toEqual(expected);
        }
      }
    });
    await Promise.all(lanes);
    expect(sorted(await scanned(database))).toEqual(sorted(await scanned(local)));
    expect(byItem(await database.changes())).toEqual(byItem(await local.changes()));
    expect(memory.records.length).toBeGreaterThan(seeds.length);
  });
});

describe('the simulated DynamoDB', () => {
  test('is deterministic', async () => {
    const memory = createMemoryDynamoDb();
    memory.onRequest = ({ attempt }) => (attempt < 4 ? 'throttle' : 'pass');
    const client = memoryClient(memory);
    let isDone = false;
    const sent = client.send(new GetItemCommand({ TableName: memory.tableName, Key: keyOf('x') })).then(() => {
      isDone = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(isDone).toBe(true);
    await sent;
  });

  test('has a client that retries like the SDK', async () => {
    const real = newDynamoDbClient();
    const strategy = await real.config.retryStrategy();
    if (!('acquireInitialRetryToken' in strategy)) throw new Error('The SDK has another kind of strategy by now');
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const expected = await decisionsOf(strategy);
    expect(await decisionsOf(withoutWaiting())).toEqual(expected);
    expect(new Set(expected).size).toBeGreaterThan(5);
    expect(await memoryClient(createMemoryDynamoDb()).config.maxAttempts()).toBe(await real.config.maxAttempts());
  });

  test('retries a lost request', async () => {
    const { memory, table, tries } = disturbed('lose-request', 'lose-request');
    await table.write([send('s1')]);
    expect(tries).toEqual(['PutItem 1', 'PutItem 2', 'PutItem 3']);
    expect(memory.records.length).toBe(1);
  });

  test('retries a request whose response was lost', async () => {
    const { memory, table, tries } = disturbed('lose-answer');
    const current: unknown[] = [];
    const refused = (item: Item | undefined) => void current.push(item);
    await table.write([{ ...send('s1'), refused }]);
    expect(tries).toEqual(['PutItem 1', 'PutItem 2']);
    expect(current).toEqual(memory.items());
  });

  test('applies an update twice if its response was lost', async () => {
    const add = { Key: { pk: 'a', sk: 'b' }, UpdateExpression: 'ADD n :one', ExpressionAttributeValues: { ':one': 1 } };
    const bare = disturbed('lose-answer');
    expect(await bare.table.update({ update: add })).toMatchObject({ n: 2 });
    const charge = disturbed('lose-answer', 'lose-answer');
    await charge.table.write([{ update: add }]);
    expect(charge.memory.items()).toMatchObject([{ n: 1 }]);
    expect(charge.tries).toEqual(['TransactWriteItems 1', 'TransactWriteItems 2', 'TransactWriteItems 3']);
  });

  test('stops retrying lost connections like the SDK', async () => {
    const { memory, table, tries } = disturbed(...Array<Fate>(9).fill('lose-answer'));
    await expect(table.get({ pk: 'a', sk: 'b' })).rejects.toMatchObject({ name: 'TimeoutError', code: 'ECONNRESET' });
    expect(tries.length).toBe(4);
    expect(memory.records).toEqual([]);
  });

  test('throttles requests and transactions', async () => {
    const single = disturbed('throttle', 'throttle');
    await single.table.write([send('s1')]);
    expect(single.tries).toEqual(['PutItem 1', 'PutItem 2', 'PutItem 3']);
    const always = disturbed(...Array<Fate>(9).fill('throttle'));
    await expect(always.table.get({ pk: 'a', sk: 'b' })).rejects.toThrow(
      named('ProvisionedThroughputExceededException'),
    );
    const several = disturbed('throttle');
    await several.table.write([send('s1'), send('s2')]);
    expect(several.tries).toEqual(['TransactWriteItems 1', 'TransactWriteItems 1']);
    expect(several.slept.length).toBe(1);
  });

  test('leaves retries of transaction conflicts to the service', async () => {
    for (const pieces of [[send('s1')], [send('s1'), send('s2')]]) {
      const { memory, table, tries, slept } = disturbed('conflict', 'conflict');
      await table.write(pieces);
      expect(tries.map((text) => text.split(' ')[1])).toEqual(['1', '1', '1']);
      expect({ slept: slept.length, items: memory.items().length }).toEqual({ slept: 2, items: pieces.length });
    }
    const { memory, transact } = disturbed('conflict');
    const reasons = [{ Code: 'TransactionConflict' }, { Code: 'None' }];
    const error = { error: 'TransactionCanceledException', reasons };
    expect(await transact('a', 'b')).toEqual(error);
    const reading = disturbed('conflict');
    expect(await reading.table.get({ pk: 'a', sk: 'b' })).toBeUndefined();
    expect(memory.items()).toEqual([]);
  });

  test('leaves retries of internal errors to the SDK', async () => {
    const { table, tries } = disturbed('internal', 'internal', 'internal');
    await table.write([send('s1')]);
    expect(tries.length).toBe(4);
    const always = disturbed(...Array<Fate>(9).fill('internal'));
    await expect(always.table.get({ pk: 'a', sk: 'b' })).rejects.toThrow(named('InternalServerError'));
  });

  test('can return a partial batch', async () => {
    const { memory, table, tries } = disturbed();
    for (let n = 0; n < 5; n++) await table.write([send(`s${n}`)]);
    const fates: Fate[] = ['unprocessed', 'unprocessed'];
    memory.onRequest = ({ operation }) => {
      tries.push(operation);
      return fates.shift() ?? 'pass';
    };
    const keys = Array.from({ length: 5 }, (_, n) => ({ pk: `SEND#s${n}`, sk: 'SEND' }));
    expect((await table.getMany(keys)).map(({ pk }) => pk).sort()).toEqual(keys.map(({ pk }) => pk));
    expect(tries.slice(5)).toEqual(['BatchGetItem', 'BatchGetItem', 'BatchGetItem']);
  });

  test('can delay a request past later requests', async () => {
    const { memory, table } = disturbed();
    const late = Promise.withResolvers<Fate>();
    memory.onRequest = ({ operation }) => (operation === 'PutItem' ? late.promise : 'pass');
    const put = table.write([send('s1')]);
    expect(await table.get({ pk: 'SEND#s1', sk: 'SEND' })).toBeUndefined();
    late.resolve('pass');
    await put;
    expect(await table.get({ pk: 'SEND#s1', sk: 'SEND' })).toBeDefined();
  });

  test('streams records in Lambda’s format', async () => {
    const memory = createMemoryDynamoDb({ now: () => 1_700_000_000_500 });
    const { put } = driven(memory);
    await put({ pk: 'a', sk: 'b', n: 1 });
    await put({ pk: 'a', sk: 'b', n: 12 });
    expect(memory.records[1]).toEqual({
      eventID: expect.stringMatching(/^[0-9a-f]{32}$/),
      eventName: 'MODIFY',
      eventVersion: '1.1',
      eventSource: 'aws:dynamodb',
      awsRegion: 'us-east-1',
      eventSourceARN: expect.stringContaining(':table/memory/stream/'),
      dynamodb: {
        ApproximateCreationDateTime: 1_700_000_000,
        Keys: marshall({ pk: 'a', sk: 'b' }),
        OldImage: marshall({ pk: 'a', sk: 'b', n: 1 }),
        NewImage: marshall({ pk: 'a', sk: 'b', n: 12 }),
        SequenceNumber: '000000000000000000002',
        SizeBytes: 24,
        StreamViewType: 'NEW_AND_OLD_IMAGES',
      },
    });
  });

  test('can delay index updates by several writes', async () => {
    const memory = createMemoryDynamoDb({ indexLag: 2 });
    const { put, sends } = driven(memory);
    const item = (n: number) => ({ pk: 'send', sk: String(n), gsi1pk: 'sends', gsi1sk: String(n) });
    const seen: string[] = [];
    for (let n = 1; n <= 4; n++) {
      await put(item(n));
      seen.push(await sends());
    }
    expect(seen).toEqual(['', '', '1', '1,2']);
    await put({ pk: 'send', sk: '1' });
    expect(await sends()).toBe('1,2,3');
    memory.catchUpIndexes();
    expect(await sends()).toBe('2,3,4');
    memory.indexLag = 0;
    await put(item(5));
    expect(await sends()).toBe('2,3,4,5');
  });

  test('deletes expired items on command', async () => {
    const memory = createMemoryDynamoDb();
    const { put } = driven(memory);
    await put({ pk: 'a', sk: 'old', expires_at_epoch_seconds: 99 });
    await put({ pk: 'a', sk: 'due', expires_at_epoch_seconds: 100 });
    await put({ pk: 'a', sk: 'text', expires_at_epoch_seconds: '99' });
    await put({ pk: 'a', sk: 'kept' });
    expect(memory.expire(100)).toBe(1);
    expect(memory.items().map(({ sk }) => sk)).toEqual(['due', 'kept', 'text']);
    expect(memory.records.at(-1)).toMatchObject({
      eventName: 'REMOVE',
      dynamodb: { OldImage: { sk: { S: 'old' } } },
      userIdentity: { type: 'Service', principalId: 'dynamodb.amazonaws.com' },
    });
  });

  test('remembers a transaction’s token for ten minutes', async () => {
    let nowMs = 0;
    const memory = createMemoryDynamoDb({ now: () => nowMs });
    const { add } = driven(memory);
    await add('token');
    nowMs = 10 * 60_000 - 1;
    await add('token');
    expect(memory.items()).toMatchObject([{ n: 1 }]);
    nowMs = 10 * 60_000;
    await add('token');
    expect(memory.items()).toMatchObject([{ n: 2 }]);
  });

  test('can be copied', async () => {
    const memory = createMemoryDynamoDb();
    const { put, add, sends } = driven(memory);
    const item = (n: number) => ({ pk: 'send', sk: String(n), gsi1pk: 'sends', gsi1sk: String(n) });
    await put(item(1));
    await add('token');
    const copy = memory.clone();
    const inCopy = driven(copy);
    expect(copy.items()).toEqual(memory.items());
    await put(item(2));
    await inCopy.put(item(3));
    await inCopy.add('token');
    await inCopy.add('later');
    await add('later');
    expect({ memory: await sends(), copy: await inCopy.sends() }).toEqual({ memory: '1,2', copy: '1,3' });
    expect({ memory: memory.items().at(-1), copy: copy.items().at(-1) }).toMatchObject({
      memory: { n: 2 },
      copy: { n: 2 },
    });
    expect({ memory: memory.records.length, copy: copy.records.length }).toEqual({ memory: 4, copy: 4 });
    memory.reset(copy);
    await inCopy.put(item(4));
    expect({ memory: await sends(), copy: await inCopy.sends() }).toEqual({ memory: '1,3', copy: '1,3,4' });
    memory.reset();
    expect({ items: memory.items(), records: memory.records, sends: await sends() }).toEqual({
      items: [],
      records: [],
      sends: '',
    });
    await add('token');
    expect(memory.items()).toMatchObject([{ n: 1 }]);
  });

  test('reports unsupported features', async () => {
    const memory = createMemoryDynamoDb();
    const [client, TableName] = [memoryClient(memory), memory.tableName];
    const Key = keyOf('x');
    const update = (input: Partial<UpdateItemCommandInput>) =>
      client.send(new UpdateItemCommand({ TableName, Key, ...input }));
    await expect(update({ UpdateExpression: 'SET a.b = :n', ...values({ n: 1 }) })).rejects.toThrow('document paths');
    await expect(update({ ConditionExpression: 'size(a) = :n', ...values({ n: 1 }) })).rejects.toThrow('function size');
    await expect(update({ UpdateExpression: 'DELETE a :n', ...values({ n: 1 }) })).rejects.toThrow('DELETE');
    await expect(update({ ReturnValues: 'UPDATED_NEW' })).rejects.toThrow('ReturnValues');
    await expect(update({ ReturnConsumedCapacity: 'TOTAL' })).rejects.toThrow('parameter ReturnConsumedCapacity');
    const set = { ConditionExpression: 'a = :s', ExpressionAttributeValues: { ':s': { SS: ['a'] } } };
    await expect(update(set)).rejects.toThrow('type SS');
    await expect(client.send(new DescribeTableCommand({ TableName }))).rejects.toThrow(
      named('UnknownOperationException'),
    );
  });
});

type Strategy = ReturnType<typeof withoutWaiting>;

/** Returns a retry strategy's decisions for failing requests. */
async function decisionsOf(strategy: Strategy): Promise<string[]> {
  const types = ['TRANSIENT', 'THROTTLING', 'TRANSIENT', 'SERVER_ERROR', 'THROTTLING', 'CLIENT_ERROR'] as const;
  const decisions: string[] = [];
  for (let request = 0; request < 200; request++) {
    let token = await strategy.acquireInitialRetryToken('');
    let decision = '';
    // Fail more often later, so that the retry budget runs out.
    const failures = request < 100 ? request % 5 : 4;
    for (let n = 0; n < failures && !decision.endsWith('refused'); n++) {
      const errorType = types[(request + n) % types.length] ?? 'TRANSIENT';
      const refreshed = strategy.refreshRetryTokenForRetry(token, { errorType }).catch(() => undefined);
      await vi.advanceTimersByTimeAsync(60_000);
      const next = await refreshed;
      decision += ` ${errorType} ${next ? next.getRetryCount() : 'refused'}`;
      token = next ?? token;
    }
    if (!decision.endsWith('refused')) strategy.recordSuccess(token);
    decisions.push(decision);
  }
  return decisions;
}

/** Creates a database that applies these faults to its requests in order. */
function disturbed(...fates: Fate[]) {
  const memory = createMemoryDynamoDb();
  const tries: string[] = [];
  const slept: number[] = [];
  memory.onRequest = ({ operation, attempt }: MemoryRequest) => {
    tries.push(`${operation} ${attempt}`);
    return fates.shift() ?? 'pass';
  };
  const client = memoryClient(memory);
  const sleep = async (ms: number) => void slept.push(ms);
  const table = openTable(client, memory.tableName, { randomBytes, sleep });
  const transact = (...names: string[]) => {
    const TransactItems = names.map((name) => ({ Put: { TableName: memory.tableName, Item: keyOf(name) } }));
    return outcome(() => client.send(new TransactWriteItemsCommand({ TransactItems })));
  };
  return { memory, table, tries, slept, transact };
}

function driven(memory: MemoryDynamoDb) {
  const [client, TableName] = [memoryClient(memory), memory.tableName];
  return {
    put: (item: object) => client.send(new PutItemCommand({ TableName, Item: marshall(item) })),
    add: (ClientRequestToken: string) => {
      const Update = { TableName, Key: keyOf('sum'), UpdateExpression: 'ADD n :one', ...values({ one: 1 }) };
      return client.send(new TransactWriteItemsCommand({ TransactItems: [{ Update }], ClientRequestToken }));
    },
    sends: async () => {
      const all = { KeyConditionExpression: 'gsi1pk = :pk', ...values({ pk: 'sends' }) };
      const { Items = [] } = await client.send(new QueryCommand({ TableName, IndexName: 'gsi1', ...all }));
      return Items.map(({ sk }) => sk?.S).join();
    },
  };
}

function debit(Key: { pk: string; sk: string }, credits: number) {
  return {
    update: {
      Key,
      UpdateExpression: 'SET balance = balance - :credits',
      ConditionExpression: 'balance >= :credits',
      ExpressionAttributeValues: { ':credits': credits },
    },
    refused: (current: Item | undefined) => new Error(`${current?.balance} left`),
  };
}

function send(id: string) {
  return {
    put: {
      Item: { pk: `SEND#${id}`, sk: 'SEND', gsi1pk: 'MERCHANT#service#SEND', gsi1sk: id, to: ['+233241234567'] },
      ConditionExpression: 'attribute_not_exists(pk)',
    },
    refused: (current: Item | undefined) => new Error(`${current?.pk} is taken`),
  };
}

async function openServed(): Promise<TestDatabase> {
  const { endpoint, stop } = await serveMemory();
  onStop.push(stop);
  return openAt(endpoint);
}

function openLocal(): Promise<TestDatabase> {
  return openAt(inject('dynamoDbEndpoint'));
}

async function openAt(endpoint: string): Promise<TestDatabase> {
  const tableName = `test-${randomUUID()}`;
  await createTable(endpoint, tableName);
  const client = new DynamoDBClient({ endpoint, maxAttempts: 1 });
  return { client, tableName, changes: () => localChanges(endpoint, client, tableName) };
}

function openMemory(memory: MemoryDynamoDb, clientOf = memoryClient): TestDatabase {
  const changes = async () => memory.records.map(changeOf);
  return { client: clientOf(memory), tableName: memory.tableName, changes };
}

async function localChanges(endpoint: string, client: DynamoDBClient, TableName: string): Promise<Change[]> {
  const { Table } = await client.send(new DescribeTableCommand({ TableName }));
  const StreamArn = Table?.LatestStreamArn;
  const streams = new DynamoDBStreamsClient({ endpoint });
  const { StreamDescription } = await streams.send(new DescribeStreamCommand({ StreamArn }));
  const changes: Change[] = [];
  for (const { ShardId } of StreamDescription?.Shards ?? []) {
    const start = { StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' as const };
    let { ShardIterator } = await streams.send(new GetShardIteratorCommand(start));
    for (let found = 1; found > 0 && ShardIterator; ) {
      const { Records = [], NextShardIterator } = await streams.send(new GetRecordsCommand({ ShardIterator }));
      changes.push(...Records.map(changeOf));
      found = Records.length;
      ShardIterator = NextShardIterator;
    }
  }
  return changes;
}

function changeOf({ eventName: event, dynamodb }: _Record | MemoryDynamoDb['records'][number]) {
  const { Keys, OldImage, NewImage } = dynamodb ?? {};
  return { event, pk: Keys?.pk?.S, sk: Keys?.sk?.S, before: numbered(OldImage), after: numbered(NewImage) };
}

/** Groups changes by item, because DynamoDB orders changes only within an item. */
function byItem(changes: readonly Change[]) {
  return Object.groupBy(changes, ({ pk, sk }) => `${pk}/${sk}`);
}

async function scanned({ client, tableName: TableName }: Database): Promise<unknown[]> {
  const items: unknown[] = [];
  let ExclusiveStartKey: Key | undefined;
  do {
    const answer = await client.send(new ScanCommand({ TableName, ...(ExclusiveStartKey && { ExclusiveStartKey }) }));
    items.push(...(answer.Items ?? []).map(numbered));
    ExclusiveStartKey = answer.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  return items;
}

interface Outcome {
  readonly error?: string;
  readonly [field: string]: unknown;
}

/** Returns a request's outcome: its response, or the significant parts of its error. */
async function outcome(send: () => Promise<object>): Promise<Outcome> {
  try {
    // DynamoDB Local occasionally reports capacity unrequested.
    const { $metadata, ConsumedCapacity, ...answer }: Record<string, unknown> = { ...(await send()) };
    return Object.fromEntries(Object.entries(answer).map(([field, value]) => [field, numbered(value)]));
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const shown = 'Item' in error && error.Item ? { Item: numbered(error.Item) } : {};
    const reasons = 'CancellationReasons' in error ? reasonsOf(error.CancellationReasons) : undefined;
    // AWS reports a failed validation as a cancellation reason, but DynamoDB Local throws some of them.
    if (reasons?.some(({ Code }) => Code === 'ValidationError')) return INVALID;
    return { error: error.name, ...shown, ...(reasons && { reasons }) };
  }
}

function reasonsOf(reasons: unknown): { Code: unknown }[] {
  if (!Array.isArray(reasons)) return [];
  return reasons.map(({ Code, Item }) => ({ Code, ...(Item && { Item: numbered(Item) }) }));
}

/** Returns a step's outcome in a canonical order. */
async function alike(step: Step, database: Database): Promise<Outcome> {
  const { Responses, ...answer } = await outcome(() => step.on(database));
  if (typeof Responses !== 'object' || !Responses) return answer;
  return { ...answer, found: Object.values(Responses).map(sorted) };
}

/** Normalises numbers, whose notation DynamoDB Local sometimes preserves. */
function numbered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(numbered);
  if (typeof value !== 'object' || !value) return value;
  if ('N' in value && typeof value.N === 'string') return { N: canonicalNumber(value.N) };
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, numbered(field)]));
}

function sorted(items: readonly unknown[]): unknown[] {
  const keyed = items.map((item): [string, unknown] => [JSON.stringify(inOrder(item)), item]);
  return keyed.sort(([one], [other]) => (one < other ? -1 : 1)).map(([, item]) => item);
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || !value) return value;
  const entries = Object.entries(value).map(([name, field]): [string, unknown] => [name, inOrder(field)]);
  return entries.sort(([one], [other]) => (one < other ? -1 : 1));
}

/** Runs the cases in order. Returns their outcomes. */
async function inTurn<Case, Outcome>(all: readonly Case[], act: (one: Case, n: number) => Promise<Outcome>) {
  const outcomes: Outcome[] = [];
  for (const [n, one] of all.entries()) outcomes.push(await act(one, n));
  return outcomes;
}

function keyOf(name: string) {
  return { pk: { S: name }, sk: { S: 'x' } };
}

/** Converts `{ n: 1 }` to expression attribute values. */
function values(given: object | undefined) {
  if (!given) return {};
  const named = Object.entries(given).map(([name, value]) => [`:${name}`, value]);
  return { ExpressionAttributeValues: marshall(Object.fromEntries(named)) };
}

function reversed<T extends object>(value: T): T {
  return Object.assign(Object.create(null), Object.fromEntries(Object.entries(value).reverse()));
}

function named(name: string) {
  return expect.objectContaining({ name });
}
