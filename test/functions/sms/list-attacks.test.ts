import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { type Merchant, scene } from '../../support/scene.ts';
import { databaseOf } from '../../support/world.ts';

const MTN = '+233241234567';
const STATES = ['pending', 'sending', 'sent', 'delivered', 'failed'] as const;
const world = await scene({ inMemory: true });
await world.createSender(MTN);

test('sends of which all 50 texts failed: a request still reads at most a thousand rows', async () => {
  const bulk = await world.createMerchant({ credits: 2_000 });
  for (let n = 0; n < 30; n++) {
    const id = await sent(bulk, 50);
    for (let index = 0; index < 50; index++) await world.writeMessageState(id, 'failed', index);
  }
  const rowsOfPages = [];
  for (const per_page of ['1', '50', '100'])
    rowsOfPages.push(await rowsOf(() => list(bulk, { status: 'failed', per_page })));
  expect(Math.max(...rowsOfPages)).toBeLessThanOrEqual(1000);
});

test('pages of any size hold each send exactly once, in order, whichever and however many of its texts failed', async () => {
  const recipients = fc.integer({ min: 1, max: 5 });
  const states = fc.array(fc.constantFrom(...STATES), { minLength: 5, maxLength: 5 });
  const sends = fc.array(fc.record({ recipients, states, sameMoment: fc.boolean() }), { minLength: 0, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(sends, async (plan) => {
      const merchant = await world.createMerchant({ credits: 100 });
      const made: { id: string; states: string[] }[] = [];
      for (const one of plan) {
        if (!one.sameMoment) world.clock.nowMs += 1_000;
        const id = await sent(merchant, one.recipients);
        const texts = one.states.slice(0, one.recipients);
        for (const [index, state] of texts.entries())
          if (state !== 'pending') await world.writeMessageState(id, state, index);
        made.push({ id, states: texts });
      }
      for (const status of [undefined, ...STATES]) {
        const wanted = made
          .filter(({ states: texts }) => status === undefined || texts.includes(status))
          .map(({ id }) => id)
          .toSorted()
          .toReversed();
        for (const per_page of ['1', '2', '3', '5', '100'])
          expect(await allPages(merchant, { per_page, ...(status && { status }) })).toEqual(wanted);
      }
    }),
    { numRuns: 12 },
  );
});

test('large sends of which few are so: pages end early and go on, for every status', async () => {
  const merchant = await world.createMerchant({ credits: 4_000 });
  const ids: string[] = [];
  for (let n = 0; n < 60; n++) {
    world.clock.nowMs += 1_000;
    const id = await sent(merchant, n % 2 ? 50 : 1);
    if (n % 13 === 0) await world.writeMessageState(id, 'delivered', 0);
    if (n % 7 === 0) await world.writeMessageState(id, 'failed', n % 2 ? 49 : 0);
    ids.unshift(id);
  }
  for (const per_page of ['1', '7', '19', '100']) {
    expect(await allPages(merchant, { per_page })).toEqual(ids);
    expect(await allPages(merchant, { per_page, status: 'failed' })).toEqual(ids.filter((_, n) => (59 - n) % 7 === 0));
  }
});

test('a page of failed texts whose sends are gone does not end the list', async () => {
  const merchant = await world.createMerchant({ credits: 100 });
  const old = await sent(merchant, 1);
  await world.writeMessageState(old, 'failed');
  world.clock.nowMs += 1_000;
  const gone = await sent(merchant, 1);
  await world.writeMessageState(gone, 'failed');
  const { client, tableName } = databaseOf(world);
  await client.send(new DeleteCommand({ TableName: tableName, Key: { pk: `SEND#${gone}`, sk: 'SEND' } }));
  expect(await allPages(merchant, { per_page: '1', status: 'failed' })).toEqual([old]);
});

test('another merchant’s cursor, in any form and list, shows nothing of theirs', async () => {
  const [one, two] = [await world.createMerchant({ credits: 100 }), await world.createMerchant({ credits: 100 })];
  const theirs = new Set<string>();
  for (let n = 0; n < 6; n++) {
    world.clock.nowMs += 1_000;
    const id = await sent(one, 2);
    await world.writeMessageState(id, 'failed', 1);
    theirs.add(id);
    await sent(two, 1);
  }
  for (const status of [undefined, ...STATES])
    for (const cursorStatus of [undefined, 'failed']) {
      const { json } = await list(one, { per_page: '2', ...(cursorStatus && { status: cursorStatus }) });
      const answer = await list(two, { cursor: json.meta.next, ...(status && { status }) });
      expect([200, 400]).toContain(answer.status);
      expect((answer.json.data?.sends ?? []).filter(({ id }: { id: string }) => theirs.has(id))).toEqual([]);
    }
});

async function sent(merchant: Merchant, recipients: number): Promise<string> {
  const to = Array.from({ length: recipients }, (_, n) => `05511122${n + 10}`);
  const { json } = await merchant.call('sms/send', { body: { to, message: 'To all', from: MTN } });
  return z.parse(z.string(), json.data?.id);
}

function list(merchant: Merchant, query: Record<string, string>) {
  return merchant.call('sms/list', { query });
}

async function allPages(merchant: Merchant, query: Record<string, string>): Promise<string[]> {
  const seen: string[] = [];
  let cursor: string | undefined;
  let pages = 0;
  do {
    const { json } = await list(merchant, { ...query, ...(cursor && { cursor }) });
    seen.push(...json.data.sends.map(({ id }: { id: string }) => id));
    cursor = json.meta.next ?? undefined;
    if (++pages > 200) throw new Error('The list has no end');
  } while (cursor);
  return seen;
}

/** How many rows and index entries a call reads: what answers hold, not what was asked for. */
async function rowsOf(happens: () => Promise<unknown>): Promise<number> {
  const usual = world.dynamoDb;
  let rows = 0;
  world.dynamoDb = async ({ input }, sendOn) => {
    const { Limit, RequestItems } = Asked.parse(input);
    rows += Limit ?? 0;
    for (const { Keys } of Object.values(RequestItems ?? {}))
      rows += Keys.filter(({ pk }) => pk.S.startsWith('SEND#')).length;
    await sendOn();
  };
  await happens();
  world.dynamoDb = usual;
  return rows;
}

const Asked = z.object({
  Limit: z.optional(z.number()),
  RequestItems: z.optional(
    z.record(z.string(), z.object({ Keys: z.array(z.object({ pk: z.object({ S: z.string() }) })) })),
  ),
});
