import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { test } from 'node:test';
import ts from 'typescript';
import { facts } from './support/stack.ts';

/**
 * Checks docs/integrate/paystack.md against the types in Paystack's own client and in a second client that also types
 * the responses.
 */
const OWN = 'node_modules/@paystack/paystack-sdk/dist/types';
const OTHER = 'node_modules/paystack-sdk/dist';
const document = readFileSync('../../../docs/integrate/paystack.md', 'utf8');

function tableOf(heading: string): { there: string; here: string }[] {
  const [, section = ''] = document.split(new RegExp(`^#{2,3} ${heading}\n`, 'm'));
  const [own = ''] = section.split(/^#{2,3} /m);
  const rows = [...own.matchAll(/^\| (`[^`]+`.*?) \| (.+) \|$/gm)];
  return rows.flatMap(([, names = '', here = '']) =>
    [...names.matchAll(/`([^`]+)`/g)].map(([, there = '']) => ({ there, here })),
  );
}

const namedIn = (heading: string): string[] =>
  tableOf(heading)
    .map(({ there }) => there)
    .toSorted();

/** Returns a type's fields with their JSON names. */
function fieldsOf(file: string, name: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest);
  for (const statement of source.statements) {
    if (ts.isInterfaceDeclaration(statement) && statement.name.text === name) return namesOf(statement.members);
    if (ts.isTypeAliasDeclaration(statement) && statement.name.text === name && ts.isTypeLiteralNode(statement.type))
      return namesOf(statement.type.members);
  }
  throw new Error(`${file} has no ${name}. Update this test to the installed client.`);
}

function namesOf(members: ts.NodeArray<ts.TypeElement>): string[] {
  return members.flatMap(({ name }) => (name && ts.isIdentifier(name) ? [name.text] : []));
}

/** Paystack's generated client uses `callbackUrl` for the `callback_url` field. */
const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const all = (...names: string[]): string[] => [...new Set(names)].toSorted();

test("the table lists all transaction fields of Paystack's client", () => {
  const own = fieldsOf(`${OWN}/models/TransactionInitialize.d.ts`, 'TransactionInitialize').map(snake);
  const other = fieldsOf(`${OTHER}/transaction/interface.d.ts`, 'InitializeTransaction');
  assert.ok(own.length >= 12);
  assert.deepEqual(namedIn('Initialize a transaction'), all(...own, ...other));
});

test('the table lists all fields of list queries and refunds', () => {
  assert.deepEqual(
    namedIn('List transactions'),
    all(...fieldsOf(`${OTHER}/transaction/interface.d.ts`, 'ListTransactionQueryParams')),
  );
  const own = fieldsOf(`${OWN}/models/RefundCreate.d.ts`, 'RefundCreate').map(snake);
  assert.deepEqual(namedIn('Refund'), all(...own, ...fieldsOf(`${OTHER}/refund/interface.d.ts`, 'CreateRefund')));
});

test('the table lists all response fields', () => {
  assert.deepEqual(
    namedIn('Transaction fields'),
    all(...fieldsOf(`${OTHER}/transaction/interface.d.ts`, 'Transaction')),
  );
  assert.deepEqual(namedIn('Customer fields'), all(...fieldsOf(`${OTHER}/customer/interface.d.ts`, 'Customer')));
  assert.deepEqual(namedIn('Refund fields'), all(...fieldsOf(`${OTHER}/refund/interface.d.ts`, 'Refund')));
});

test("the table lists every area of Paystack's API", () => {
  const areas = globSync(`${OWN}/apis/*.d.ts`)
    .map((file) => basename(file, '.d.ts'))
    .filter((name) => name !== 'index');
  assert.ok(areas.length >= 20);
  assert.deepEqual(namedIn('API areas'), areas.toSorted());
});

test("the table lists every state in Paystack's types", () => {
  const states = new Set(namedIn('States'));
  const named = ['transaction', 'refund', 'dispute'].flatMap((area) => {
    const text = readFileSync(`${OTHER}/${area}/interface.d.ts`, 'utf8');
    const unions = [...text.matchAll(/status\??: ('[^;]+');/g)].map(([, union = '']) => union);
    const filters = [...text.matchAll(/by status \(([^)]+)\)/g)].map(([, list = '']) => list);
    return [...unions, ...filters].flatMap((list) => [...list.matchAll(/'([\w-]+)'/g)].map(([, state = '']) => state));
  });
  assert.ok(named.length >= 9);
  assert.deepEqual(
    named.filter((state) => !states.has(state)),
    [],
  );
});

test('every name in the tables exists', async () => {
  const reference = await (await fetch(`${facts.base_url}/openapi.json`)).text();
  const { paths, webhooks } = JSON.parse(reference);
  const words = new Set([...reference.matchAll(/"([\w.-]+)"/g)].map(([, word = '']) => word));
  const missing = [...document.matchAll(/^\| .+? \| (.+) \|$/gm)].flatMap(([, here = '']) =>
    [...here.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code).filter((code) => !exists(code)),
  );
  assert.deepEqual(missing, []);
  const { length } = tableOf('Events').filter(({ here }) =>
    Object.keys(webhooks).some((type) => here.includes(`\`${type}\``)),
  );
  assert.ok(length >= 4);

  function exists(code: string): boolean {
    const [, method, path] = /^(?:(GET|POST|PUT) )?(\/[^?]+)/.exec(code) ?? [];
    if (path)
      return Object.keys(paths).some((one) =>
        method ? one === path && method.toLowerCase() in paths[one] : one.startsWith(path),
      );
    return code.split(/[.:]\s?/).every((word) => words.has(word)) || words.has(code) || OTHER_WORDS.test(code);
  }
});

/** Values, headers and names of our own client. */
const OTHER_WORDS =
  /^(?:\+233…|sk_[a-z_]+…|test|false|next|webhook-[a-z]+|webhooks\.verify|unique_reference: true|Idempotency-Key)$/;
