import {
  BatchGetItemCommand,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  type ReturnValue,
  TransactWriteItemsCommand,
  type TransactWriteItemsCommandInput,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { Attributes, Value } from '../../../infra/local/memory-dynamodb/values.ts';

export interface Database {
  readonly client: DynamoDBClient;
  readonly tableName: string;
}

export interface Step {
  readonly operation: string;
  readonly input: object;
  readonly on: (database: Database) => Promise<object>;
}

interface Expression {
  readonly text: string;
  readonly names: Readonly<Record<string, string>>;
  readonly values: Attributes;
}

type Leg = NonNullable<TransactWriteItemsCommandInput['TransactItems']>[number];
type Random = ReturnType<typeof randomOf>;

/**
 * Generates random requests for six items in two partitions. Some resemble the service's expressions, others are
 * random, and a few are invalid. The same seed gives the same requests.
 */
export function randomSteps(seed: number, run: string, count: number): Step[] {
  const random = randomOf(seed);
  const steps: Step[] = [];
  let charge: { TransactItems: Leg[]; ClientRequestToken: string } | undefined;
  while (steps.length < count) {
    const kind = random.below(20);
    if (kind < 4) steps.push(put(random, run));
    else if (kind < 8) steps.push(update(random, run));
    else if (kind < 9) steps.push(remove(random, run));
    else if (kind < 10) steps.push(get(random, run));
    else if (kind < 13) steps.push(query(random, run));
    else if (kind < 14) steps.push(batchGet(random, run));
    else if (kind < 15 && charge) steps.push(transact(random.chance(4) ? { ...charge, ...legs(random, run) } : charge));
    else {
      charge = { ...legs(random, run), ClientRequestToken: `${run}-${steps.length}` };
      steps.push(transact(charge));
    }
  }
  return steps;
}

function put(random: Random, run: string): Step {
  const input = { Item: item(random, run), ...maybeConditional(random), ...returning(random, ['NONE', 'ALL_OLD']) };
  const on = ({ client, tableName }: Database) => client.send(new PutItemCommand({ TableName: tableName, ...input }));
  return { operation: 'PutItem', input, on };
}

function update(random: Random, run: string): Step {
  const change = { Key: key(random, run), ...updating(random, run) };
  const input = { ...change, ...returning(random, ['NONE', 'ALL_OLD', 'ALL_NEW']) };
  const on = ({ client, tableName }: Database) =>
    client.send(new UpdateItemCommand({ TableName: tableName, ...input }));
  return { operation: 'UpdateItem', input, on };
}

function remove(random: Random, run: string): Step {
  const input = { Key: key(random, run), ...maybeConditional(random), ...returning(random, ['NONE', 'ALL_OLD']) };
  const on = ({ client, tableName }: Database) =>
    client.send(new DeleteItemCommand({ TableName: tableName, ...input }));
  return { operation: 'DeleteItem', input, on };
}

function get(random: Random, run: string): Step {
  const input = { Key: key(random, run), ConsistentRead: true };
  const on = ({ client, tableName }: Database) => client.send(new GetItemCommand({ TableName: tableName, ...input }));
  return { operation: 'GetItem', input, on };
}

function batchGet(random: Random, run: string): Step {
  const Keys = keys(random, run);
  const on = ({ client, tableName }: Database) =>
    client.send(new BatchGetItemCommand({ RequestItems: { [tableName]: { Keys, ConsistentRead: true } } }));
  return { operation: 'BatchGetItem', input: { Keys }, on };
}

function query(random: Random, run: string): Step {
  const index = random.pick(['', 'gsi1', 'gsi2']);
  const [pk, sk] = index ? [`${index}pk`, `${index}sk`] : ['pk', 'sk'];
  const partition = `${run}-${random.pick(index ? INDEX_PARTITIONS : PARTITIONS)}`;
  const [low = '', high = ''] = [random.pick(SORTS), random.pick(SORTS)].sort();
  const one = random.pick([
    '',
    '',
    ` AND ${sk} = :low`,
    ` AND begins_with(${sk}, :low)`,
    ` AND ${sk} >= :low`,
    ` AND :low > ${sk}`,
  ]);
  const range = one || random.pick(['', ` AND ${sk} BETWEEN :low AND :high`]);
  const start = { pk: { S: partition }, sk: { S: random.pick(SORTS) } };
  const input = {
    ...(index && { IndexName: index }),
    KeyConditionExpression: `${pk} = :pk${range}`,
    ExpressionAttributeValues: {
      ':pk': { S: partition },
      ...(range && { ':low': { S: low } }),
      ...(range.includes(':high') && { ':high': { S: high } }),
    },
    ...(random.chance(2) && { Limit: 1 + random.below(6) }),
    ...(random.chance(2) && { ScanIndexForward: random.chance(2) }),
    ...(!index && random.chance(4) && { ExclusiveStartKey: start }),
  };
  const on = ({ client, tableName }: Database) => client.send(new QueryCommand({ TableName: tableName, ...input }));
  return { operation: 'Query', input, on };
}

function transact(charge: { TransactItems: Leg[]; ClientRequestToken: string }): Step {
  const on = ({ client, tableName }: Database) => {
    const TransactItems = charge.TransactItems.map(({ Put, Update, Delete, ConditionCheck }) => ({
      ...(Put && { Put: { ...Put, TableName: tableName } }),
      ...(Update && { Update: { ...Update, TableName: tableName } }),
      ...(Delete && { Delete: { ...Delete, TableName: tableName } }),
      ...(ConditionCheck && { ConditionCheck: { ...ConditionCheck, TableName: tableName } }),
    }));
    return client.send(new TransactWriteItemsCommand({ ...charge, TransactItems }));
  };
  return { operation: 'TransactWriteItems', input: charge, on };
}

function legs(random: Random, run: string): { TransactItems: Leg[] } {
  return { TransactItems: keys(random, run).map((Key) => leg(random, run, Key)) };
}

/** Chooses distinct keys. DynamoDB Local does not always reject two writes to one item. */
function keys(random: Random, run: string) {
  const some = random.several(1, 4, () => key(random, run));
  return some.filter(({ pk, sk }, n) => some.findIndex((k) => k.pk.S === pk.S && k.sk.S === sk.S) === n);
}

function leg(random: Random, run: string, Key: ReturnType<typeof key>): Leg {
  const TableName = '';
  const shows = random.chance(2) && { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const };
  switch (random.below(5)) {
    case 0:
      return { Delete: { TableName, Key, ...maybeConditional(random), ...shows } };
    case 1:
      return { ConditionCheck: { TableName, Key, ...conditional(random), ...shows } };
    case 2:
    case 3:
      return { Update: { TableName, Key, ...updating(random, run), ...shows } };
    default:
      return { Put: { TableName, Item: item(random, run, Key), ...maybeConditional(random), ...shows } };
  }
}

const PARTITIONS = ['A', 'B'];
const SORTS = ['1', '2', '2b', '\u{1f600}', '\ufb01'];
const ITEM_SORTS = ['1', '2', '\u{1f600}'];
const INDEX_PARTITIONS = ['X', 'Y'];
const STATES = ['pending', 'sending', 'sent', 'failed'];
const ATTRIBUTES = ['state', 'balance', 'tries', 'due_ms', 'reason', 'payment', 'list', 'expires_at_epoch_seconds'];

function key(random: Random, run: string) {
  return { pk: { S: `${run}-${random.pick(PARTITIONS)}` }, sk: { S: random.pick(ITEM_SORTS) } };
}

function item(random: Random, run: string, place = key(random, run)): Attributes {
  const attributes = random.several(0, 5, (): [string, Value] => usual(random, random.pick(ATTRIBUTES)));
  return { ...place, ...Object.fromEntries(attributes), ...indexKeys(random, run, place) };
}

function usual(random: Random, name: string): [string, Value] {
  if (random.chance(25)) return [name, anyValue(random)];
  switch (name) {
    case 'state':
      return [name, { S: random.pick(STATES) }];
    case 'payment':
      return [name, { M: { amount: { N: random.pick(['100', '250']) }, network: { S: random.pick(['MTN', 'AT']) } } }];
    case 'list':
      return [name, { L: random.several(0, 2, () => ({ S: random.pick(['a', 'b']) })) }];
    case 'reason':
      return [name, { S: random.pick(['', 'late', 'later', '\ufb01', '\u{1f600}']) }];
    default:
      return [name, { N: number(random) }];
  }
}

function anyValue(random: Random): Value {
  return random.pick<Value>([
    { N: number(random) },
    { S: random.pick(['pending', 'a', '5']) },
    { BOOL: random.chance(2) },
    { NULL: true },
    { L: [{ N: '1' }] },
    // DynamoDB Local's stream omits empty maps.
    { M: { a: { S: 'x' } } },
  ]);
}

function number(random: Random): string {
  const special = [
    '0.5',
    '1.50',
    '-0.25',
    '1e2',
    '51.42857142857143',
    '1753786871000',
    '12345678901234567890123456789012345678',
    '9.9E125',
    '-1e-130',
    '0.0',
  ];
  return random.chance(3) ? random.pick(special) : String(random.below(12) - 2);
}

/** Ends the index's sort key with the item's sort key, because DynamoDB does not order equal keys. */
function indexKeys(random: Random, run: string, { pk, sk }: { pk: { S: string }; sk: { S: string } }): Attributes {
  const keys: Attributes = {};
  for (const index of ['gsi1', 'gsi2']) {
    if (random.chance(2)) keys[`${index}pk`] = { S: `${run}-${random.pick(INDEX_PARTITIONS)}` };
    if (!random.chance(4)) keys[`${index}sk`] = { S: `${random.pick(ITEM_SORTS)}#${pk.S}#${sk.S}` };
  }
  return keys;
}

function returning(random: Random, values: readonly ReturnValue[]) {
  return {
    ...(random.chance(2) && { ReturnValues: random.pick(values) }),
    ...(random.chance(2) && { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const }),
  };
}

function maybeConditional(random: Random) {
  return random.chance(3) ? {} : conditional(random);
}

function conditional(random: Random) {
  const { text, names, values } = condition(random);
  return { ConditionExpression: text, ...placeholders(random, names, values) };
}

function updating(random: Random, run: string) {
  const change = updateExpression(random, run);
  const guard = random.chance(2) ? condition(random) : undefined;
  return {
    UpdateExpression: change.text,
    ...(guard && { ConditionExpression: guard.text }),
    ...placeholders(random, { ...change.names, ...guard?.names }, { ...change.values, ...guard?.values }),
  };
}

/** Occasionally omits or adds a placeholder, which is invalid. */
function placeholders(random: Random, names: Expression['names'], values: Attributes) {
  const slip = random.below(100);
  const given: Attributes = slip === 0 ? { ...values, ':unused': { N: '1' } } : { ...values };
  const first = Object.keys(given)[0];
  if (slip === 1 && first) delete given[first];
  return {
    ...(Object.keys(names).length > 0 && { ExpressionAttributeNames: { ...names } }),
    ...(Object.keys(given).length > 0 && { ExpressionAttributeValues: given }),
  };
}

function condition(random: Random): Expression {
  return random.chance(2) ? conditionOfTheService(random) : conditionOfChance(random);
}

function conditionOfTheService(random: Random): Expression {
  const n = { N: number(random) };
  const states = random.several(1, 3, () => random.pick(STATES));
  const from = Object.fromEntries(states.map((state): [string, Value] => [`:from_${state}`, { S: state }]));
  const known = `#state IN (${Object.keys(from).join(', ')})`;
  const state = { '#state': 'state' };
  const [, payment] = usual(random, 'payment');
  return random.pick<Expression>([
    { text: 'attribute_not_exists(pk)', names: {}, values: {} },
    { text: 'attribute_exists(pk)', names: {}, values: {} },
    { text: 'balance >= :n', names: {}, values: { ':n': n } },
    { text: known, names: state, values: from },
    { text: `(attribute_not_exists(#state) OR ${known})`, names: state, values: from },
    { text: `${known} AND reason = :reason`, names: state, values: { ...from, ':reason': { S: 'late' } } },
    { text: 'attribute_not_exists(pk) OR expires_at_epoch_seconds <= :n', names: {}, values: { ':n': n } },
    { text: 'expires_at_epoch_seconds > :n AND tries < :n', names: {}, values: { ':n': n } },
    { text: 'due_ms > :n AND due_ms <= :m', names: {}, values: { ':n': n, ':m': { N: number(random) } } },
    { text: 'payment = :p', names: {}, values: { ':p': payment } },
    {
      text: '#state = :s AND attribute_not_exists(reason)',
      names: state,
      values: { ':s': { S: random.pick(STATES) } },
    },
  ]);
}

function conditionOfChance(random: Random): Expression {
  const names: Record<string, string> = {};
  const values: Attributes = {};
  const path = () => {
    const attribute = random.pick(ATTRIBUTES);
    names[`#${attribute}`] = attribute;
    return { text: `#${attribute}`, attribute };
  };
  const value = (given: Value) => {
    const placeholder = `:v${Object.keys(values).length}`;
    values[placeholder] = given;
    return placeholder;
  };
  const like = (attribute: string) => (random.chance(8) ? path().text : value(usual(random, attribute)[1]));
  const leaf = (): string => {
    const { text, attribute } = path();
    switch (random.below(8)) {
      case 0:
        return `attribute_exists(${text})`;
      case 1:
        return `attribute_not_exists (${text})`;
      case 2:
        return `begins_with(${text}, ${value(random.chance(12) ? { N: '1' } : { S: random.pick(['', 'p', 'late', '\ufb01']) })})`;
      case 3:
        return `${text} BETWEEN ${like(attribute)} and ${like(attribute)}`;
      case 4:
        return `${text} in (${random.several(1, 3, () => like(attribute)).join(',')})`;
      default:
        return `${text}${random.pick(['=', '<>', ' < ', '<=', ' > ', '>='])}${like(attribute)}`;
    }
  };
  const tree = (depth: number): string => {
    if (depth === 0 || random.chance(3)) return leaf();
    switch (random.below(4)) {
      case 0:
        return `NOT ${leaf()}`;
      case 1:
        return `not (${tree(depth - 1)} AND ${tree(depth - 1)})`;
      case 2:
        return `${tree(depth - 1)} AND ${leaf()}`;
      default:
        return `${tree(depth - 1)} OR ${tree(depth - 1)}`;
    }
  };
  return { text: tree(2), names, values };
}

function updateExpression(random: Random, run: string): Expression {
  return random.chance(2) ? updateOfTheService(random, run) : updateOfChance(random);
}

function updateOfTheService(random: Random, run: string): Expression {
  const n = { N: number(random) };
  const state = { '#state': 'state' };
  const to = { S: random.pick(STATES) };
  const [, payment] = usual(random, 'payment');
  const place = { S: `${run}-${random.pick(INDEX_PARTITIONS)}` };
  // Makes the sort key unique within the run.
  const sort = { S: random.pick(ITEM_SORTS) + random.below(1_000_000) };
  return random.pick<Expression>([
    { text: 'SET balance = balance - :credits', names: {}, values: { ':credits': n } },
    { text: 'ADD balance :credits', names: {}, values: { ':credits': n } },
    { text: 'ADD tries :one', names: {}, values: { ':one': { N: '1' } } },
    { text: 'SET reason = if_not_exists(reason, :at)', names: {}, values: { ':at': { S: 'late' } } },
    { text: 'REMOVE reason', names: {}, values: {} },
    { text: 'REMOVE tries, gsi2pk, gsi2sk', names: {}, values: {} },
    {
      text: 'SET due_ms = due_ms + :step, expires_at_epoch_seconds = :end',
      names: {},
      values: { ':step': n, ':end': n },
    },
    { text: 'SET gsi2pk = :pk, gsi2sk = :sk', names: {}, values: { ':pk': place, ':sk': sort } },
    {
      text: 'SET #state = :to, payment = :payment REMOVE gsi2pk, gsi2sk',
      names: state,
      values: { ':to': to, ':payment': payment },
    },
    { text: 'SET #state = :to, tries = if_not_exists(tries, :n)', names: state, values: { ':to': to, ':n': n } },
  ]);
}

function updateOfChance(random: Random): Expression {
  const names: Record<string, string> = {};
  const values: Attributes = {};
  const path = (attribute: string) => {
    names[`#${attribute}`] = attribute;
    return `#${attribute}`;
  };
  const value = (given: Value) => {
    const placeholder = `:u${Object.keys(values).length}`;
    values[placeholder] = given;
    return placeholder;
  };
  const other = () => path(random.pick(ATTRIBUTES));
  const assignment = (attribute: string) => {
    const given = () => value(usual(random, attribute)[1]);
    const to = [given, given, given, given, other, () => `${other()} + ${given()}`, () => `${given()} - ${other()}`];
    to.push(
      () => `if_not_exists(${other()}, ${given()})`,
      () => `if_not_exists(${other()}, ${given()}) + ${given()}`,
    );
    return `${path(attribute)} = ${random.pick(to)()}`;
  };
  const chosen = ATTRIBUTES.filter(() => random.chance(3));
  // Naming an attribute twice is invalid.
  if (random.chance(20)) chosen.push(...chosen.slice(0, 1));
  const clauses = chosen.map((attribute): [string, string] => {
    const clause = random.pick(['SET', 'SET', 'SET', 'REMOVE', 'ADD']);
    if (clause === 'SET') return [clause, assignment(attribute)];
    if (clause === 'REMOVE') return [clause, path(attribute)];
    return [clause, `${path(attribute)} ${value(random.chance(10) ? anyValue(random) : { N: number(random) })}`];
  });
  const text = ['SET', 'REMOVE', 'ADD']
    .map((clause) => [clause, clauses.filter(([of]) => of === clause).map(([, what]) => what)] as const)
    .filter(([, what]) => what.length > 0)
    .map(([clause, what]) => `${clause} ${what.join(', ')}`)
    .join(' ');
  return { text: text || 'REMOVE reason', names, values };
}

/** Returns a seeded random number generator (mulberry32). */
function randomOf(seed: number) {
  let state = seed | 0;
  const below = (limit: number) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
  return {
    below,
    chance: (n: number) => below(n) === 0,
    pick: <T extends object | string>(from: readonly T[]): T => {
      const found = from[below(from.length)];
      if (found === undefined) throw new Error('Nothing to pick from');
      return found;
    },
    several: <T>(least: number, most: number, make: () => T): T[] =>
      Array.from({ length: least + below(most - least + 1) }, make),
  };
}
