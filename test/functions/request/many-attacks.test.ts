import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, test } from 'vitest';
import { handler as page } from '../../../functions/dashboard/requests.ts';
import { handler } from '../../../functions/request/create-many.ts';
import { addApiKey } from '../../../shared/merchants/merchant/manage-keys.ts';
import { type Person, signIn, visit } from '../../support/dashboard.ts';
import { createShop, rightBefore, rows, type Shop } from '../../support/receipts.ts';
import { call, createWorld, type World } from '../../support/world.ts';

// A list of requests that is made half, or twice.

const LIST = '/dashboard/requests/list';

let world: World;
let shop: Shop;
beforeEach(async () => {
  world = await createWorld({ inMemory: true });
  shop = await createShop(world);
});

const csvOf = (count: number, from = 1) =>
  `title,amount,name\n${Array.from({ length: count }, (_, n) => `Fees,${n + from},Kofi ${n + from}`).join('\n')}\n`;

function ask(csv: string, { key = shop.liveKey, once }: { key?: string; once?: string } = {}) {
  return call(world, handler, { method: 'POST', key, body: { csv }, headers: once ? { 'idempotency-key': once } : {} });
}

describe('all of a list is made, or none', () => {
  test('where a test key has made as much as it may on a day', async () => {
    const key = await addApiKey(world.outside, shop.id, 'live', { mode: 'test' });
    expect([(await ask(csvOf(1_000), { key })).status, (await ask(csvOf(990), { key })).status]).toEqual([200, 200]);
    const made = (await rows(world, 'REQUEST')).length;
    const refused = await ask(csvOf(1_000), { key });
    expect([refused.status, refused.json.message]).toEqual([429, expect.stringContaining('Nothing was done')]);
    expect((await rows(world, 'REQUEST')).length).toBe(made);
  });

  test('where another list comes under the same key at the same moment', async () => {
    rightBefore(world, 'TransactWriteItems', () => ask(csvOf(60), { once: 'term-2' }));
    const { json } = await ask(csvOf(60, 1_000), { once: 'term-2' });
    expect(json.code).toBe('idempotency_key_reused');
    const refused = (await rows(world, 'REQUEST')).filter(({ total_pesewas }) => Number(total_pesewas) >= 100_000);
    expect(refused.length).toBe(0);
  });

  test('where the table takes no more in this second, and the person at the dashboard presses what the page then offers', async () => {
    const owner: Person = await signIn(world, 'owner', shop.id);
    const send = (form: Record<string, string>) => visit(world, page, LIST, { by: owner, form });
    const previewed = await send({ csv: csvOf(60) });
    let writes = 0;
    world.dynamoDb = async ({ command }, go) => {
      if (command.startsWith('TransactWrite') && ++writes > 1)
        throw new TransactionCanceledException({
          message: 'Throttled',
          $metadata: {},
          CancellationReasons: [{ Code: 'ThrottlingError' }],
        });
      await go();
    };
    const refused = await send(hiddenIn(previewed.text));
    world.dynamoDb = (_, go) => go();
    expect([refused.status, (await rows(world, 'REQUEST')).length]).toEqual([503, 50]);
    // What the page offers: Create again, or else Preview, and then Create.
    const offered = hiddenIn(refused.text);
    const form = 'preview' in offered ? offered : hiddenIn((await send({ csv: csvOf(60) })).text);
    await send(form);
    expect((await rows(world, 'REQUEST')).length).toBe(60);
  });
});

/** What the second step sends. */
function hiddenIn(text: string): Record<string, string> {
  const [, form = ''] =
    /<form method="post"[^>]*>((?:(?!<\/form>).)*name="preview"(?:(?!<\/form>).)*)<\/form>/s.exec(text) ?? [];
  const fields = [...form.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)];
  return Object.fromEntries(fields.map(([, name = '', value = '']) => [name, value]));
}
