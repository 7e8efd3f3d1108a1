import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { ApiError, type List, MomoKiosk, testNumbers, type WebhookEvent, webhooks } from 'momo-kiosk-client';
import { facts } from './support/stack.ts';

const baseUrl = facts.base_url;
const momo = new MomoKiosk({ baseUrl, secretKey: facts.test_secret_key, smsSecretKey: facts.test_sms_secret_key });

test('has one method for every operation that needs a key', async () => {
  const document: Reference = await (await fetch(`${baseUrl}/openapi.json`)).json();
  const wanted = Object.values(document.paths)
    .flatMap((operations) => Object.values(operations))
    .filter(({ security }) => security.length > 0)
    .map(({ operationId }) => operationId.toLowerCase());
  const methods = Object.entries(momo).flatMap(([noun, operations]) =>
    Object.getOwnPropertyNames(Object.getPrototypeOf(operations))
      .filter((name) => name !== 'constructor')
      .map((name) => (noun + name).toLowerCase()),
  );
  assert.ok(wanted.length > 20);
  assert.deepEqual(methods.toSorted(), wanted.toSorted());
});

test('creates a charge and verifies its payment', async () => {
  const created = await momo.transaction.initialize({
    amount: 36.5,
    customer_name: 'Kofi Mensah',
    metadata: { order: 7 },
  });
  assert.match(created.authorization_url, /\/checkout\//);
  assert.equal((await momo.transaction.verify(created.reference)).status, 'pending');
  await momo.test.simulate(created.reference, { outcome: 'paid' });
  const { status, amount, metadata, payment } = await momo.transaction.verify(created.reference);
  assert.deepEqual({ status, amount, metadata }, { status: 'success', amount: 36.5, metadata: { order: 7 } });
  assert.equal(payment?.amount, 36.5);
});

test('iterates over a list by entry, by page and from a cursor', async () => {
  const merchant_reference = `list-${crypto.randomUUID()}`;
  const references: string[] = [];
  for (let made = 0; made < 5; made += 1)
    references.unshift((await momo.transaction.initialize({ amount: 1, merchant_reference })).reference);
  const query = { merchant_reference, per_page: 2 };
  const listed = async () => (await Array.fromAsync(momo.transaction.list(query))).map(({ reference }) => reference);
  // New charges become searchable after a second or two.
  for (let tries = 0; tries < 50 && (await listed()).length < 5; tries += 1)
    await new Promise((done) => setTimeout(done, 200));
  assert.deepEqual((await listed()).toSorted(), references.toSorted());
  const first = await momo.transaction.list(query).page();
  assert.ok(first.items.length <= 2 && first.next);
  assert.deepEqual(first.data.transactions, first.items);
  const rest = await Array.fromAsync(momo.transaction.list({ ...query, cursor: first.next }));
  assert.equal(first.items.length + rest.length, 5);
  assert.ok((await Array.fromAsync(momo.transaction.list(query).pages())).length >= 3);
});

test('uses the sms key for texts, codes and credits', async () => {
  const sent = await momo.sms.send({ to: [testNumbers.delivered, testNumbers.failed], message: 'Your order is ready' });
  assert.equal(sent.count, 2);
  assert.equal((await momo.sms.show(sent.id)).to, testNumbers.delivered);
  assert.equal((await momo.sms.credits().page()).data.balance, 1000);
  const { senders } = await momo.sms.from();
  assert.ok(senders.length > 0);
  await assert.rejects(momo.sms.send({ to: testNumbers.noCredits, message: 'Hello' }), {
    code: 'insufficient_credits',
  });
  const { id } = await momo.verify.start({ to: testNumbers.delivered });
  assert.equal((await momo.verify.check({ id, code: '0000000' })).verified, false);
});

test('throws errors with the code, fields and request id', async () => {
  await assert.rejects(momo.transaction.initialize({ amount: 0 }), (error) => {
    assert.ok(error instanceof ApiError);
    assert.equal(error.status, 400);
    assert.equal(error.code, 'invalid_request');
    assert.equal(error.errors[0]?.field, 'amount');
    assert.match(error.doc_url ?? '', /\/docs#/);
    assert.ok(error.request_id && error.idempotencyKey);
    return true;
  });
});

test('verifies an event and returns its charge', async () => {
  const received: { body: Uint8Array; headers: Record<string, string | string[] | undefined> }[] = [];
  const server = createServer(async (request, response) => {
    received.push({ body: Buffer.concat(await request.toArray()), headers: request.headers });
    response.writeHead(204).end();
  }).listen(0);
  try {
    const { port } = server.address() as AddressInfo;
    const { secret } = await momo.webhook.set({ url: `http://localhost:${port}/`, events: ['charge.success'] });
    const { reference } = await momo.transaction.initialize({ amount: 12 });
    await momo.test.simulate(reference, { outcome: 'paid' });
    const events: WebhookEvent[] = [];
    const isThere = () => events.some(({ type, data }) => type === 'charge.success' && data.reference === reference);
    for (let tries = 0; tries < 150 && !isThere(); tries += 1) {
      await new Promise((done) => setTimeout(done, 100));
      for (const { body, headers } of received.splice(0)) events.push(await webhooks.verify(body, headers, secret));
    }
    assert.ok(isThere());
    const { items } = await momo.webhook.listEvents().page();
    assert.ok(items.length > 0);
    const [{ id = '' } = {}] = items;
    assert.equal((await momo.webhook.showEvent(id)).id, id);
    await momo.webhook.remove();
    await assert.rejects(momo.webhook.show(), { code: 'not_found' });
  } finally {
    server.close();
  }
});

test('sets a webhook with the sms key', async () => {
  await momo.webhook.set({ url: 'http://localhost:9/' }, { webhookOf: 'sms' });
  assert.equal((await momo.webhook.show({ webhookOf: 'sms' })).url, 'http://localhost:9/');
  await assert.rejects(momo.webhook.show(), { code: 'not_found' });
  await momo.webhook.remove({ webhookOf: 'sms' });
});

test('reads every list to the end', async () => {
  const id = crypto.randomUUID();
  const lines = [{ description: 'Tuition', amount: 850 }];
  const numbers = ['0240000011', '0240000012'];
  // Uses a live key, because test texts are free.
  const live = new MomoKiosk({ baseUrl, smsSecretKey: facts.sms_secret_key });
  for (const number of numbers) {
    const { reference } = await momo.transaction.initialize({ amount: 7 });
    await momo.test.simulate(reference, { outcome: 'held' });
    await momo.link.create({ title: `Tea ${id}` });
    await momo.request.create({ title: `School fees ${id}`, lines });
    await momo.sms.send({ to: number, message: id });
    await live.sms.send({ to: number, message: id });
    await momo.contact.store({ contacts: [{ number, name: id }] });
    await momo.test.receive({ from: number, message: 'Is it still there?' });
  }
  await momo.webhook.set({ url: 'http://localhost:9/' });
  for (const _ of numbers) await momo.webhook.test();
  const page = { per_page: 1 };
  const lists: Readonly<Record<string, () => List<unknown>>> = {
    transactionList: () => momo.transaction.list(page),
    linkList: () => momo.link.list(page),
    requestList: () => momo.request.list(page),
    smsList: () => momo.sms.list(page),
    smsCredits: () => live.sms.credits(page),
    smsInbox: () => momo.sms.inbox(page),
    contactList: () => momo.contact.list(page),
    receiptList: () => momo.receipt.list(page),
    webhookListEvents: () => momo.webhook.listEvents(page),
  };
  assert.deepEqual(
    Object.keys(lists).toSorted(),
    (await operationsWithPages()).toSorted(),
    'a new list needs its line',
  );
  for (const [name, list] of Object.entries(lists)) {
    let entries: unknown[] = [];
    // Some lists are updated after a second or two.
    for (const end = Date.now() + 60_000; entries.length < 2 && Date.now() < end; ) entries = await firstOf(list(), 3);
    assert.ok(entries.length >= 2, name);
    assert.equal(new Set(entries.map((entry) => JSON.stringify(entry))).size, entries.length, name);
  }
  await momo.webhook.remove();
});

async function firstOf(list: List<unknown>, most: number): Promise<unknown[]> {
  const entries: unknown[] = [];
  for await (const { items } of list.pages()) {
    assert.ok(items.length <= 1);
    entries.push(...items);
    if (entries.length === most) break;
  }
  return entries;
}

async function operationsWithPages(): Promise<string[]> {
  const document: Reference = await (await fetch(`${baseUrl}/openapi.json`)).json();
  return Object.values(document.paths)
    .flatMap((operations) => Object.values(operations))
    .filter(({ security, parameters }) => security.length > 0 && parameters?.some(({ name }) => name === 'cursor'))
    .map(({ operationId }) => operationId);
}

interface Reference {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

interface Operation {
  readonly operationId: string;
  readonly security: readonly object[];
  readonly parameters?: readonly { readonly name: string }[];
}
