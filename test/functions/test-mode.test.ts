import { beforeAll, describe, expect, test } from 'vitest';
import { manifest } from '../../functions/manifest.ts';
import { documentedRoutes } from '../../infra/openapi/documented-routes.ts';
import { shownAmount } from '../../shared/ghana/money.ts';
import { merchantRoute } from '../../shared/merchants/merchant/merchant-route.ts';
import { testAccountIdOf } from '../../shared/merchants/merchant/test-account.ts';
import type { Item } from '../../shared/runtime/table/table.ts';
import type { HttpRow } from '../../shared/runtime/triggers/row.ts';
import { PublicError } from '../../shared/runtime/values/errors.ts';
import { messageId } from '../../shared/texts/sms/message-id.ts';
import { failMessage } from '../../shared/texts/sms/text-outcome.ts';
import { sellBundle } from '../support/bundles.ts';
import { checkEach } from '../support/check-each.ts';
import { arrive, mtn, pay } from '../support/receipts.ts';
import { referenceDocument } from '../support/reference.ts';
import { goodBodies, httpRoutes, keysFor, loadRoute } from '../support/routes.ts';
import { scene } from '../support/scene.ts';
import { type Call, call } from '../support/world.ts';

/*
 * One merchant has objects of every kind in both modes. No route called in one mode may reveal or change data of the
 * other mode. New routes of the manifest are included automatically.
 */

/** Valid bodies for routes that need no key. */
const publicBodies: Record<string, object> = {
  'checkout/claim': { transaction_id: '51234567890', name: 'Kofi Mensah' },
  'checkout/ask-for-code': { phone: '0209876543' },
  'checkout/confirm-code': { phone: '0209876543', code: '123456' },
  'checkout/simulate': { outcome: 'paid' },
  'checkout/text': { phone: '0209876543' },
  'pay/open': { amount: '20', note: 'Room 12' },
  'r/open': { amount: '20' },
};

const ofNoMode = {
  'callback/smsgate': 'Only a phone can sign.',
  'callback/forwarder': 'Only a phone can sign.',
  'checkout/logo': 'A shop has one picture for both modes, under an id that is in no row of a charge.',
};

/** Routes that always fail in this test, with the reason. */
const refusals: Record<Mode, Readonly<Record<string, string>>> = {
  live: {
    'test/simulate': 'It is for tests.',
    'test/receive': 'It is for tests.',
    'checkout/simulate': 'It is for tests.',
    ...ofNoMode,
  },
  test: ofNoMode,
};

/** Row fields that identify an object. */
const ID_FIELDS = [
  ...['slug', 'reference', 'access_code', 'receipt_id', 'send_id', 'event_id', 'refund_id', 'transaction_id'],
  'number',
];

/** Search parameters, with the row fields that they match. */
const SEARCHED: Readonly<Record<string, readonly string[]>> = {
  merchant_reference: ['merchant_reference'],
  name: ['customer_name', 'payer_name'],
  email: ['email'],
  phone: ['customer_phone', 'payer_phone'],
  amount: ['amount_pesewas'],
  transaction_id: ['transaction_id'],
  link: ['link'],
  number: ['number'],
};

const NUMBER = '+233247390001';
const world = await scene({ inMemory: true });
const merchant = await world.createMerchant({ credits: 7_919 });
const account = { number: NUMBER, network: 'MTN' as const, account_name: 'AMA STORES' };
await merchant.change({ momo_accounts: [account] });
await world.createSender(NUMBER);

const modes = {
  live: merchant,
  test: { ...merchant, id: testAccountIdOf(merchant.id), liveKey: merchant.testKey, smsKey: merchant.smsTestKey },
};
type Mode = keyof typeof modes;
/** Row kinds that the routes created or changed. */
const kinds: Record<Mode, Set<string>> = { live: new Set(), test: new Set() };
const otherOf = (mode: Mode) => (mode === 'test' ? 'live' : 'test');

await sellBundle(world, { credits: 500, price: 30 }, '+233247390099');
await makeLive();
const live = new Set((await world.scan()).filter((row) => modeOf(row) !== 'test').map(nameOf));
// Separates the times of live and test rows, so that a leaked time identifies its mode.
world.clock.nowMs += 3_661_000;
await makeTests();
const rowsOf = { live, test: new Set((await world.scan()).map(nameOf)).difference(live) };

describe.each(['test', 'live'] as const)('routes called with a %s key', (mode) => {
  let theirs: Item[];
  let secrets: string[];
  let ids: Record<'ours' | 'theirs', Map<string, string[]>>;
  let cursors: string[];
  beforeAll(async () => {
    // The previous run removed this contact.
    await makeContact(otherOf(mode));
    cursors = await cursorsOf(otherOf(mode));
    world.clock.nowMs += 3_661_000;
    const rows = await world.scan();
    theirs = rows.filter((row) => rowsOf[otherOf(mode)].has(nameOf(row)));
    const ours = rows.filter((row) => rowsOf[mode].has(nameOf(row)));
    // Words in the API reference are not secret.
    const known = withoutSeparators(JSON.stringify([ours, ours.flatMap(wordsOf), referenceDocument]));
    secrets = [...new Set(theirs.flatMap(wordsOf))].filter((word) => !known.includes(word));
    ids = { ours: idsOf(ours), theirs: idsOf(theirs) };
  });

  test('are tested against data of the other mode', () => {
    expect([...ids.theirs.keys()].toSorted()).toEqual(ID_FIELDS.toSorted());
    expect([...ids.ours.keys()].toSorted()).toEqual(ID_FIELDS.toSorted());
    expect([...ids.theirs.values()].flat().filter((id) => secrets.includes(id)).length).toBeGreaterThan(10);
  });

  // Reads objects before changing them, and changes them before removing them.
  const routes = ['GET', 'PUT', 'POST', 'DELETE'].flatMap((method) =>
    httpRoutes().filter(({ row }) => row.method === method),
  );
  test('do not read or change data of the other mode', async () => {
    let rows = await rowsByName();
    await checkEach(routes, async (route) => {
      const before = rows;
      await expectOwnMode(route);
      rows = await rowsByName();
      for (const one of rowsOf[otherOf(mode)]) expect(rows.get(one), `changed ${one}`).toEqual(before.get(one));
      const made = [...rows].flatMap(([one, row]) => (before.has(one) ? [] : [row]));
      expect(made.filter((one) => modeOf(one) === otherOf(mode))).toEqual([]);
      const changed = [...rows].filter(([one, row]) => JSON.stringify(before.get(one)) !== JSON.stringify(row));
      for (const [one] of changed) kinds[mode].add(one.split('#')[0] ?? '');
    });
  });

  async function expectOwnMode({ name, row }: (typeof routes)[number]): Promise<void> {
    let wentWell = false;
    for (const request of requestsTo(name, row)) {
      const { status, text, json } = await call(world, await loadRoute(name), request);
      // A response may repeat an id from the request.
      const sent = JSON.stringify(request);
      const told = secrets.filter((secret) => isRevealed(text, secret) && !sent.includes(secret));
      expect(told, `${row.method} ${request.path} tells of the other mode`).toEqual([]);
      expect(text).not.toContain(`"livemode":${mode === 'test'}`);
      // Both modes have the same bundles.
      const said = name === 'sms/buy-credits' ? {} : { ...json.data, bundles: [] };
      const costs = leavesOf(said).filter(({ field }) => field === 'credits');
      if (mode === 'test' && row.key) expect(costs, 'tests cost nothing').toEqual([]);
      wentWell ||= status < 400;
    }
    expect(wentWell, `${name} needs a body in goodBodies, or something of its kind in makeLive and makeTests`).toBe(
      !(name in refusals[mode]),
    );
    expect(world.fetched.splice(0), 'a route asks no phone').toEqual([]);
  }

  /** Builds requests for each key, with ids of both modes. */
  function requestsTo(name: string, row: HttpRow): Call[] {
    const body = goodBodies[name] ?? publicBodies[name];
    const keys = row.key ? keysFor(row, modes[mode]) : [undefined];
    const queries = queriesOf(name);
    const requests = pathsOf(row).flatMap((path) =>
      queries.flatMap((query) =>
        bodiesLike(body).map((one) => ({ method: row.method, ...path, query, ...(one && { body: one }) })),
      ),
    );
    return keys.flatMap((key) => requests.map((request) => ({ ...request, ...(key && { key }) })));
  }

  /** Checkout pages are public, so only those of the tested mode are opened. */
  function pathsOf({ path, key }: HttpRow): Pick<Call, 'path' | 'parameters'>[] {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, one = '']) => one);
    const known = key ? [ids.ours, ids.theirs] : [ids.ours];
    let choices: Record<string, string>[] = [{}];
    for (const name of names) {
      const values = known.flatMap((of) => of.get(name) ?? [...of.values()].flat());
      choices = choices.flatMap((begun) => values.map((value) => ({ ...begun, [name]: value })));
    }
    return choices.map((parameters) => ({
      path: path.replace(/\{(\w+)\}/g, (_, name) => parameters[name] ?? ''),
      ...(names.length > 0 && { parameters }),
    }));
  }

  function bodiesLike(body: object | undefined): (object | undefined)[] {
    const fields = Object.keys(body ?? {});
    const values = (field: string) => [ids.ours, ids.theirs].flatMap((of) => of.get(field) ?? []);
    return [body, ...fields.flatMap((field) => values(field).map((value) => ({ ...body, [field]: value })))];
  }

  /** Returns no query, queries that match objects of the other mode, and the other mode's cursors. */
  function queriesOf(name: string): Record<string, string>[] {
    const parameters = parametersOf(name);
    const found = parameters.flatMap((parameter) =>
      leavesOf(theirs).flatMap(({ field, value }) =>
        SEARCHED[parameter]?.includes(field) ? [{ [parameter]: shown(field, value) }] : [],
      ),
    );
    return [{}, ...found, ...(parameters.includes('cursor') ? cursors.map((cursor) => ({ cursor })) : [])];
  }
});

test('both modes create the same kinds of rows with few exceptions', () => {
  // Either mode may record a request's money, depending on whether a held payment is left to assign.
  for (const written of Object.values(kinds)) written.add('REQUEST_MONEY');
  expect([...kinds.live.difference(kinds.test)].toSorted()).toEqual(['AUDIT', 'CODE_TEXT', 'CREDITS', 'CREDIT_ENTRY']);
  expect([...kinds.test.difference(kinds.live)].toSorted()).toEqual(['CONVERSATION', 'INBOX', 'STRANGERS', 'TEST_USE']);
});

test('a request with a test key has only test-mode side effects', async () => {
  const asked: string[] = [];
  const probe = merchantRoute(manifest['sms/list'], {}, async ({ merchant: { merchant_id } }, outside) => {
    await outside.fetch('https://gateway.example.com').then(
      () => asked.push(merchant_id),
      () => undefined,
    );
    throw new PublicError('invalid_request', 'It is a probe.');
  });
  for (const { smsKey } of Object.values(modes)) expect((await call(world, probe, { key: smsKey })).status).toBe(400);
  expect(asked).toEqual([merchant.id]);
});

function parametersOf(name: string): string[] {
  const operation = documentedRoutes.find((one) => one.name === name)?.operation;
  return operation && 'query' in operation ? Object.keys(operation.query ?? {}) : [];
}

/** Returns a cursor of each list in a mode. */
async function cursorsOf(mode: Mode): Promise<string[]> {
  const cursors: string[] = [];
  for (const { name, row } of httpRoutes().filter(({ name }) => parametersOf(name).includes('cursor'))) {
    for (const key of keysFor(row, modes[mode])) {
      const { json } = await call(world, await loadRoute(name), { key, query: { per_page: '1' } });
      if (json.meta.next) cursors.push(json.meta.next);
    }
  }
  return cursors;
}

async function makeLive(): Promise<void> {
  const open = await merchant.charge({ amount: 36.17, customer_name: 'Kofi Mensah' });
  await merchant.charge({ amount: 4_021.55, customer_name: 'Esi Livemode', email: 'esi@live.example.com' });
  const paid = await merchant.charge({ amount: 58.31, customer_phone: '0247390002', merchant_reference: 'LIVE-1007' });
  const shop = { number: NUMBER };
  await pay(world, shop, mtn({ reference: paid, amount: '58.31', from: 'ABENA LIVEMODE' }));
  await pay(world, shop, mtn({ reference: open, amount: '11.43', from: 'YAW LIVEMODE' }));
  await pay(world, shop, mtn({ amount: '36.17', from: 'ADJOA LIVEMODE' }));
  await pay(world, shop, mtn({ amount: '36.17', from: 'KOFI MENSAH' }));
  await arrive(world, shop, { sender: 'MobileMoney', text: 'A text to a live wallet that nobody can read' });
  await makeMore('live', paid);
}

async function makeTests(): Promise<void> {
  const paid = await modes.test.charge({
    amount: 71.29,
    customer_phone: '0247390003',
    merchant_reference: 'TEST-1007',
  });
  const held = await modes.test.charge({ amount: 83.41, customer_name: 'Kofi Mensah' });
  await modes.test.charge({ amount: 5_033.67, customer_name: 'Akua Testmode', email: 'akua@test.example.com' });
  const happens = (reference: string, outcome: string) =>
    modes.test.call('test/simulate', { parameters: { reference }, body: { outcome } });
  await happens(paid, 'paid');
  await happens(held, 'held');
  await makeMore('test', paid);
}

/** Creates the objects that both modes share. */
async function makeMore(mode: Mode, paid: string): Promise<void> {
  const by = modes[mode];
  await by.call('transaction/refund', { parameters: { reference: paid }, body: { amount: 1.09 } });
  // Failed requests are recorded too.
  await by.call('transaction/initialize', { body: { amount: -1 } });
  const link = {
    title: `A link of the ${mode} shop`,
    min_amount: 1,
    note_label: `The ${mode} room`,
    metadata: { [`${mode}-7`]: 1 },
  };
  const { slug } = (await by.call('link/create', { body: link })).json.data;
  const typed = { amount: mode === 'test' ? '17.83' : '19.37', note: `Room of the ${mode} shop` };
  await world.call('pay/open', { parameters: { slug }, body: typed });
  const asked = {
    title: `What the ${mode} shop asks`,
    lines: [{ description: `A line of the ${mode} shop`, amount: mode === 'test' ? 317.83 : 319.37 }],
    customer_name: `Customer of the ${mode} shop`,
    metadata: { [`${mode}-8`]: 1 },
  };
  await world.openPart(await by.request(asked), mode === 'test' ? '117.83' : '119.37');
  for (const key of [by.liveKey, by.smsKey]) {
    await world.call('webhook/set', { key, body: { url: `https://${mode}.example.com/webhook` } });
    await world.call('webhook/test', { key });
  }
  const message = `A text of the ${mode} shop`;
  for (const to of [['0247390004', '0247390005'], ['0247390006']]) {
    const { json } = await by.call('sms/send', { body: { to, message } });
    const sent = { send_id: json.data.id, merchant_id: by.id };
    await failMessage(world.outside, sent, 0, { reason: `A ${mode} failure` });
  }
  await makeContact(mode);
  const words = { to: '0247390007', name: `Somebody of the ${mode} shop` };
  const recipients = [words, { ...words, name: `Else of the ${mode} shop` }];
  const many = await by.call('sms/bulk', { body: { message: 'Hello {name}', recipients } });
  const failed = { send_id: many.json.data.id, merchant_id: by.id };
  await failMessage(world.outside, failed, 0, { reason: `A ${mode} failure of many` });
  for (const after of await world.rows('TRANSACTION')) await world.relayChanges({ after });
}

async function makeContact(mode: Mode): Promise<void> {
  const number = mode === 'test' ? '0247390011' : '0247390012';
  const contacts = [{ number, name: `A contact of the ${mode} shop` }];
  await modes[mode].call('contact/store', { body: { contacts } });
}

function modeOf(row: Item): Mode | undefined {
  const text = JSON.stringify(row);
  return text.includes(modes.test.id) ? 'test' : text.includes(merchant.id) ? 'live' : undefined;
}

async function rowsByName(): Promise<Map<string, Item>> {
  return new Map((await world.scan()).map((row) => [nameOf(row), row]));
}

function nameOf({ pk, sk }: Item): string {
  return `${pk} / ${sk}`;
}

interface Leaf {
  readonly field: string;
  readonly value: string | number;
}

/** Returns every string and number in a value with its field name. */
function leavesOf(value: unknown, field = ''): Leaf[] {
  if (typeof value === 'string' || typeof value === 'number') return [{ field, value }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) => leavesOf(one, Array.isArray(value) ? field : key));
}

/**
 * Returns the values of a row as a response would show them. Lower-case words are omitted: they may occur by chance.
 */
function wordsOf(row: Item): string[] {
  return leavesOf(row)
    .flatMap(({ field, value }) => (/^(pk|sk|gsi)/.test(field) ? String(value).split('#') : [shown(field, value)]))
    .filter((word) => word.length > 4 && /[^a-z_]/.test(word));
}

function shown(field: string, value: string | number): string {
  return field.endsWith('_pesewas') ? shownAmount(Number(value)).replaceAll(',', '') : String(value);
}

/** Returns whether a text contains a secret. Numbers must match as a whole: random ids contain any six digits. */
function isRevealed(text: string, secret: string): boolean {
  if (!/^\d+(\.\d+)?$/.test(secret)) return text.includes(secret);
  const number = secret.replace(/(\.\d)0$|\.00$/, '$1').replace('.', '\\.');
  return new RegExp(`(?<![\\w.])${number}0?(?!\\w)`).test(withoutSeparators(text));
}

/** Rewrites amounts such as 1,000.00 as 1000.00. */
function withoutSeparators(text: string): string {
  return text.replace(/(\d),(?=\d{3})/g, '$1');
}

/** Returns the ids in rows, by field name. */
function idsOf(rows: readonly Item[]): Map<string, string[]> {
  const found = new Map<string, Set<string>>();
  for (const { field, value } of leavesOf(rows)) {
    if (!ID_FIELDS.includes(field)) continue;
    const values = found.get(field) ?? new Set();
    values.add(String(value));
    if (field === 'send_id') values.add(messageId(String(value), 0));
    found.set(field, values);
  }
  return new Map([...found].map(([field, values]) => [field, [...values]]));
}
