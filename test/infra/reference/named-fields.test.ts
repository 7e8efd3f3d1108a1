import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { errorDescriptions } from '../../../infra/openapi/error-descriptions.ts';
import { partsOf } from '../../../infra/reference/contents.ts';
import { objectOf } from '../../../infra/reference/fields.ts';
import { alternativesOf, OpenApi, routesOf, type Schema } from '../../../infra/reference/openapi.ts';
import { namesOf, objectsOf, type Subject } from '../../support/named-fields.ts';
import { referenceDocument } from '../../support/reference.ts';

/**
 * Each name in backticks must exist in the object that the sentence describes. A wrong name, such as in `if (data.wrong
 * === 'unproven') hold()`, would go unnoticed.
 */
const document = OpenApi.parse(JSON.parse(JSON.stringify(referenceDocument)));
const names = namesOf(document);
const root = join(import.meta.dirname, '../../..');

/** Words in backticks that are not fields. */
const NO_FIELDS = [
  ...['true', 'false', 'null', 'none', 'receive', 'verify', 'localhost', 'confirm_always_above', 'demo.json'],
  ...['sk_live_', 'sk_sms_', 'sk_test_', 'sk_sms_test_', 'whsec_', 'per_page', 'request_id'],
];

/** Fields with the same meaning in every object. */
const UNMISTAKABLE = [
  ...['amount_paid', 'authorization_url', 'callback_url', 'created_at', 'customer_note', 'cursor', 'doc_url', 'errors'],
  ...['ids', 'low_stock_at', 'matched_by', 'merchant_reference', 'receipt_id', 'recipients', 'second_payments'],
  ...['suggested_reference', 'valid_for', 'warnings', 'bundles', 'encoding', 'owed'],
];

/** Names from other APIs, by the file or section that uses them. */
const OF_OTHERS: Readonly<Record<string, readonly string[]>> = {
  'coming-from': ['totalAmount'],
  'smsFrom.senders.number': ['from'],
  smsBulk: ['recipients[17].name'],
  'smsBulk.csv': ['to', 'number'],
  'smsBulk.encoding': ['replaced'],
  smsInbox: ['own', 'withheld'],
  linkCreate: ['link'],
  'linkAddCodes.codes': ['amount', 'min_amount'],
  payPage: ['url'],
  requestCreate: ['request'],
  'requestCreateMany.csv': [
    ...['title', 'amount', 'description', 'quantity', 'customer_name', 'customer_phone', 'due', 'reminders', 'note'],
  ],
  rPage: ['url'],
  'Charge.overpaid': ['amount_overpaid'],
  'PaymentRequest.last_reminder.sms_id': ['id'],
  'PaymentRequest.last_reminder.not_sent': ['code'],
  'README.md': ['dev', 'prod'],
  'infra/clients/woocommerce/README.md': ['local'],
  'infra/clients/typescript/README.md': [
    ...['webhook.set', 'webhook.listEvents', 'testNumbers', 'transactionCloseRefund', 'momo.transaction.closeRefund'],
    ...[
      'examples',
      'items',

      'retryAfterSeconds',
      'idempotencyKey',
      'maxRetries',
      'timeoutMs',
      'signal',
      'fetch',
    ],
  ],
  'infra/clients/mcp/README.md': [
    ...[
      'read_documentation',
      'look_up',
      'find',
      'create_charge',
      'create_link',
      'create_request',
      'send_text',
      'rehearse',
    ],
  ],
  'docs/integrate/automation.md': ['signature', 'value', 'time', 'expected'],
  'docs/integrate/forwarders.md': ['from_number', 'signature', 'inner', 'doctor', 'sha256'],
  'infra/clients/mcp/src/server.ts': ['section', 'find'],
  'docs/integrate/paystack.md': ['test', 'webhooks.verify'],
};

interface Text extends Subject {
  readonly place: string;
  readonly text: string;
}

const operations = routesOf(document).map(({ operation }) => operation);
const events = Object.values(document.webhooks).map(({ post }) => post);
const everyObject = [...operations, ...events].flatMap((one) => objectsOf(document, one));
const ofCharges = [
  ...operations.filter(({ tags: [tag] }) => tag === 'Charges' || tag === 'Receipts'),
  ...events,
].flatMap((one) => objectsOf(document, one));

const texts = partsOf(document).flatMap(({ id: part, title, about, sections }): Text[] => [
  { place: title, text: about, objects: everyObject },
  ...sections.flatMap((section): Text[] => {
    if (section.kind === 'operation') {
      const { operationId: place, description, parameters } = section.route.operation;
      const objects = objectsOf(document, section.route.operation);
      const about = { objects, names: parameters.map(({ name }) => name) };
      return [
        { place, text: description, ...about },
        ...parameters.map((one) => ({ place: `${place} ${one.name}`, text: one.description, ...about })),
        ...objects.flatMap((object) => textsOfFields(place, object, about)),
      ];
    }
    if (section.kind === 'event') {
      const objects = objectsOf(document, section.operation);
      return [{ place: section.title, text: section.operation.description, objects }];
    }
    if (section.kind === 'object') {
      const object = document.components.schemas[section.title] ?? {};
      const { properties, anyOf, oneOf } = object;
      return textsOfFields(section.title, { properties, anyOf, oneOf }, { objects: [object] });
    }
    if (section.kind === 'error') {
      const { meaning, whatToDo } = errorDescriptions[section.code];
      return [{ place: section.title, text: `${meaning} ${whatToDo}`, objects: everyObject }];
    }
    if (section.kind === 'shared') return [];
    const objects = part === 'recipes' ? ofCharges : everyObject;
    return [{ place: section.id, text: withoutTheirs(section.text), objects }];
  }),
]);

/** Returns the descriptions of an object's fields. Objects with their own section are checked there. */
function textsOfFields(place: string, object: Schema, { objects, names: others = [] }: Subject): Text[] {
  const isElsewhere = [object, object.items, ...alternativesOf(object)].some((one) => one && objectOf(document, one));
  const fields = names.fieldsOf(object);
  if (isElsewhere || fields.some(([name]) => name === 'data')) return [];
  return fields.flatMap(([name, field]) => {
    const about = { objects: [field, object, ...objects], names: others };
    const own = { place: `${place}.${name}`, text: field.description ?? '', ...about };
    return [own, ...textsOfFields(own.place, field, about)];
  });
}

/** Removes the column with another API's names from a table. */
function withoutTheirs(text: string): string {
  const isTheirs = (table: string) => /^\| (there|Paystack) \|/.test(table);
  return text.replaceAll(/(?:^\|.*\n?)+/gm, (table) =>
    isTheirs(table) ? table.replaceAll(/^\|[^|]*\|/gm, '|') : table,
  );
}

const everyDataObject = [...everyObject, ...Object.values(document.components.schemas)];
const DOCUMENTS = ['README.md', 'docs/integrate/*.md', 'infra/clients/*/README.md', 'infra/clients/mcp/src/*.ts'];
const documents = globSync(DOCUMENTS, { cwd: root }).map((place): Text => {
  const text = readFileSync(join(root, place), 'utf8');
  const prose = place.endsWith('.ts') ? literalsOf(text) : withoutTheirs(text);
  return { place, text: prose, objects: everyDataObject };
});

/** Returns the string literals in a program. */
function literalsOf(program: string): string {
  return [...program.matchAll(/'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`/g)]
    .map(([, quoted, template]) => (quoted ?? template ?? '').replaceAll('\\`', '`'))
    .join('\n');
}

/** Returns the wrong names, keyed by place. */
function faultsIn(all: readonly Text[]): Record<string, string[]> {
  const faults = all.map(({ place, text, ...subject }): [string, string[]] => {
    const about = { ...subject, names: [...(subject.names ?? []), ...NO_FIELDS, ...UNMISTAKABLE] };
    return [place, [...new Set(names.wrongIn(text, about))].toSorted()];
  });
  return Object.fromEntries(faults.filter(([, wrong]) => wrong.length > 0));
}

function sorted(lists: Readonly<Record<string, readonly string[]>>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(lists).map(([place, list]) => [place, list.toSorted()]));
}

describe('fields named in prose', () => {
  test('exist in the object that the sentence describes', () => {
    expect(texts.length).toBeGreaterThan(400);
    expect(documents.length).toBeGreaterThan(8);
    expect(faultsIn([...texts, ...documents])).toEqual(sorted(OF_OTHERS));
  });

  const verify = operations.filter(({ operationId }) => operationId === 'transactionVerify');
  const charge = { objects: verify.flatMap((one) => objectsOf(document, one)) };
  test.each([
    ["Where `data.proof === 'unproven'`, hold the order.", ["data.proof === 'unproven'"]],
    ['While its `proof` is `unproven`, look into the wallet.', ['proof is unproven']],
    ['Deliver where `data.proof.status` is `proven`.', ['data.proof.status']],
    ['Deliver where `proof.state` is `verified`.', ['verified', 'proof.state is verified']],
    ['It is paid where `data.status` of the answer is `paid`.', ['data.status is paid']],
    ['Look at its `proved`.', ['proved']],
    ['`status: "paid"`', ['status: "paid"']],
    [
      '`GET /api/v1/charge` and `GET /api/v1/receipt?state=held`',
      ['GET /api/v1/charge', 'GET /api/v1/receipt?state=held'],
    ],
    ['Deliver where `data.proof.state` is `proven`, and `livemode` is `true`.', ['true']],
  ])('are reported if they are missing: %s', (text, wrong) => {
    expect(names.wrongIn(text, charge)).toEqual(wrong);
  });

  test('are reported if they exist only in a different object', () => {
    expect(names.wrongIn('Keep its `transaction_id`, `payment.transaction_id` and `receipt_id`.', charge)).toEqual([
      'transaction_id',
      'receipt_id',
    ]);
  });
});

describe('fields used in sample code', () => {
  const PROGRAMS = ['infra/reference/{recipes,verify-webhook}/*.mjs', 'infra/clients/typescript/examples/**/*.js'];
  const programs = globSync([...DOCUMENTS, ...PROGRAMS], { cwd: root, exclude: ['**/node_modules/**'] });

  test.each(programs)('are compared only with values that they can have: %s', (file) => {
    const text = readFileSync(join(root, file), 'utf8');
    const blocks = [...text.matchAll(/```\w*\n([\s\S]*?)```/g)].map(([, code = '']) => code);
    expect(names.wrongInCode(file.endsWith('.md') ? blocks.join('\n') : text)).toEqual([]);
  });

  test.each([
    ["if (data.proof === 'unproven') hold();", ["data.proof === 'unproven'"]],
    ["if (charge.proof?.state !== 'verified') hold();", ["charge.proof?.state !== 'verified'"]],
    ['if (event.data.payment.proved) deliver();', ['data.payment.proved']],
    ["if (livemode && proof?.state !== 'proven') hold(data.reference);", []],
  ])('are reported if they do not exist: %s', (code, wrong) => {
    expect(names.wrongInCode(code)).toEqual(wrong);
  });

  test('exist if the WooCommerce plugin uses them', () => {
    const read = globSync('infra/clients/woocommerce/plugin/includes/*.php', { cwd: root }).flatMap((file) => [
      ...readFileSync(join(root, file), 'utf8').matchAll(
        /\$(charge|receipt|refund|part|payment|owner)((?:\['\w+'\])+)/g,
      ),
    ]);
    const objects = { receipt: 'Receipt', refund: 'Refund', part: 'Payment', payment: 'Payment' };
    const schemaOfName = (name: string) => ({ ...document.components.schemas })[name] ?? {};
    const wrong = read.flatMap(([whole, variable = '', path = '']) => {
      const named = Object.entries(objects).flatMap(([name, object]) => (name === variable ? [object] : []));
      const roots = (named.length > 0 ? named : ['Charge', 'CreatedCharge']).map(schemaOfName);
      return names.at(roots, path.slice(2, -2).replaceAll("']['", '.')).length > 0 ? [] : [whole];
    });
    expect(read.length).toBeGreaterThan(40);
    expect(wrong).toEqual([]);
  });
});
