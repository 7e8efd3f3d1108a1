import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, test } from 'vitest';
import { expectWords } from '../../support/answers.ts';
import { type Person, type Scene, type Shop, scene } from '../../support/scene.ts';

// A list of requests that is made half, or twice.

const LIST = '/dashboard/requests/list';

let world: Scene;
let shop: Shop;
beforeEach(async () => {
  world = await scene({ inMemory: true });
  shop = await world.createShop();
});

const csvOf = (count: number, from = 1) =>
  `title,amount,name\n${Array.from({ length: count }, (_, n) => `Fees,${n + from},Kofi ${n + from}`).join('\n')}\n`;

function ask(csv: string, { key = shop.liveKey, once }: { key?: string; once?: string } = {}) {
  return world.call('request/create-many', { key, body: { csv }, headers: once ? { 'idempotency-key': once } : {} });
}

describe('all of a list is made, or none', () => {
  test('where a test key has made as much as it may on a day', async () => {
    const key = await shop.addKey('live', { mode: 'test' });
    expect([(await ask(csvOf(1_000), { key })).status, (await ask(csvOf(990), { key })).status]).toEqual([200, 200]);
    const made = (await world.rows('REQUEST')).length;
    const refused = await ask(csvOf(1_000), { key });
    expect([refused.status, refused.json.message]).toEqual([429, expect.stringContaining('Nothing was done')]);
    expect((await world.rows('REQUEST')).length).toBe(made);
  });

  test('where another list comes under the same key at the same moment', async () => {
    world.rightBefore('TransactWriteItems', () => ask(csvOf(60), { once: 'term-2' }));
    const { json } = await ask(csvOf(60, 1_000), { once: 'term-2' });
    expect(json.code).toBe('idempotency_key_reused');
    const refused = (await world.rows('REQUEST')).filter(({ total_pesewas }) => Number(total_pesewas) >= 100_000);
    expect(refused.length).toBe(0);
  });

  test.each([
    ['60', 60, 40],
    ['40', 40, 60],
  ])('where another list comes under the key of one of %s that is half-way', async (_, count, others) => {
    const isBegun = count > 50;
    throttleAfter(isBegun ? 1 : 0);
    const { status, json } = await ask(csvOf(count), { once: 'term-2' });
    expect([status, json.message.includes('Only 50 of the 60')]).toEqual([503, isBegun]);
    world.dynamoDb = (_, go) => go();
    const other = await ask(csvOf(others, 1_000), { once: 'term-2' });
    expect(other.json.code).toBe(isBegun ? 'idempotency_key_reused' : undefined);
    const again = await ask(csvOf(count), { once: 'term-2' });
    expect(again.json.code).toBe(isBegun ? undefined : 'idempotency_key_reused');
    expect((await world.rows('REQUEST')).length).toBe(60);
  });

  test('where fifty come, and the table takes one transaction in this second', async () => {
    throttleAfter(1);
    expect((await ask(csvOf(50))).status).toBe(200);
    expect((await world.rows('REQUEST')).length).toBe(50);
  });

  test('where it came without a key, which the answer names', async () => {
    throttleAfter(1);
    const { status, json } = await ask(csvOf(60));
    world.dynamoDb = (_, go) => go();
    expect([status, json.message]).toEqual([503, expect.stringContaining('Only 50 of the 60 requests are created')]);
    const [, once = ''] = /Idempotency-Key: (\S+):/.exec(json.message) ?? [];
    expect((await ask(csvOf(60), { once })).json.data.count).toBe(60);
    expect((await world.rows('REQUEST')).length).toBe(60);
  });

  test.each([
    [59, 200, 60],
    [61, 422, 50],
  ])('where it is finished after %i minutes, for an hour', async (minutes, expected, made) => {
    throttleAfter(1);
    expect((await ask(csvOf(60), { once: 'term-2' })).status).toBe(503);
    world.dynamoDb = (_, go) => go();
    world.clock.nowMs += minutes * 60_000;
    const { status, json } = await ask(csvOf(60), { once: 'term-2' });
    const left = 'The first 50 of these 60 requests were created more than an hour ago';
    expect([status, json.message.includes(left)]).toEqual([expected, expected === 422]);
    expect((await world.rows('REQUEST')).length).toBe(made);
  });

  test('where a repeat finishes it when its test key may make no more: it was counted', async () => {
    const key = await shop.addKey('live', { mode: 'test' });
    throttleAfter(1);
    expect((await ask(csvOf(60), { key, once: 'term-2' })).status).toBe(503);
    world.dynamoDb = (_, go) => go();
    for (const count of [1_000, 940]) expect((await ask(csvOf(count), { key })).status).toBe(200);
    expect((await ask(csvOf(1), { key })).status).toBe(429);
    expect((await ask(csvOf(60), { key, once: 'term-2' })).json.data.count).toBe(60);
    expect((await world.rows('REQUEST')).length).toBe(2_000);
  });

  test('where the table takes no more in this second, and the person at the dashboard presses what the page then offers', async () => {
    const owner: Person = await shop.signIn('owner');
    const send = (form: Record<string, string>) => owner.visit(LIST, { form });
    const previewed = await send({ csv: csvOf(60) });
    throttleAfter(1);
    const refused = await send(hiddenIn(previewed.text));
    world.dynamoDb = (_, go) => go();
    expect(refused.text).toContain('Only 50 of the 60 requests are created so far. Press “Create what is missing”');
    expect(refused.text).toContain('Create what is missing</button>');
    // Another preview would make them all again.
    expect(refused.text).not.toContain('Preview</button>');
    expect([refused.status, (await world.rows('REQUEST')).length]).toEqual([503, 50]);
    // What the page offers: Create again, or else Preview, and then Create.
    const offered = hiddenIn(refused.text);
    const form = 'preview' in offered ? offered : hiddenIn((await send({ csv: csvOf(60) })).text);
    await send(form);
    expect((await world.rows('REQUEST')).length).toBe(60);
  });

  test('where the person comes back after an hour, whose page says how many are left, and takes another list', async () => {
    const owner: Person = await shop.signIn('owner');
    const send = (form: Record<string, string>) => owner.visit(LIST, { form });
    const previewed = await send({ csv: csvOf(60) });
    throttleAfter(1);
    await send(hiddenIn(previewed.text));
    world.dynamoDb = (_, go) => go();
    world.clock.nowMs += 61 * 60_000;
    const { text } = await send(hiddenIn(previewed.text));
    expectWords(text, ['Send the other 10 as a list of their own', 'Preview</button>']);
  });
});

test('the same list under the same key a month later is another one, with addresses that nobody can work out', async () => {
  const [first, repeat] = [await ask(csvOf(60), { once: 'rent' }), await ask(csvOf(60), { once: 'rent' })];
  expect(repeat.json).toEqual(first.json);
  world.clock.nowMs += 30 * 24 * 60 * 60 * 1000;
  const second = await ask(csvOf(60), { once: 'rent' });
  expect(second.json.message).toBe('Created 60 requests');
  const slugs = [first, second].flatMap(({ json }) => json.data.requests.map(({ slug }: { slug: string }) => slug));
  expect(new Set(slugs).size).toBe(120);
  expect((await world.rows('REQUEST')).length).toBe(120);
});

/** The table takes so many transactions, and no more in this second. */
function throttleAfter(count: number): void {
  let writes = 0;
  world.dynamoDb = async ({ command }, go) => {
    if (command.startsWith('TransactWrite') && ++writes > count)
      throw new TransactionCanceledException({
        message: 'Throttled',
        $metadata: {},
        CancellationReasons: [{ Code: 'ThrottlingError' }],
      });
    await go();
  };
}

/** What the second step sends. */
function hiddenIn(text: string): Record<string, string> {
  const [, form = ''] =
    /<form method="post"[^>]*>((?:(?!<\/form>).)*name="preview"(?:(?!<\/form>).)*)<\/form>/s.exec(text) ?? [];
  const fields = [...form.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)];
  return Object.fromEntries(fields.map(([, name = '', value = '']) => [name, value]));
}
