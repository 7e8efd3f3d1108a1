import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { messageId } from '../../../shared/texts/sms/message-id.ts';
import { expectBadFields } from '../../support/envelope.ts';
import { pagesOf } from '../../support/list-pages.ts';
import { type Merchant, scene } from '../../support/scene.ts';

const MTN = '+233241234567';
const SENDS = 24;
const STATES = ['pending', 'sending', 'sent', 'delivered', 'failed'] as const;

const world = await scene();
await world.createSender(MTN);
const merchant = await world.createMerchant({ credits: 1_000 });
const other = await world.createMerchant({ credits: 1_000 });
const startMs = world.clock.nowMs;
/** The merchant's sends, oldest first, with the state of each first text. Two were created in the same millisecond. */
const made: { id: string; atMs: number; state: (typeof STATES)[number] }[] = [];

beforeAll(async () => {
  for (let n = 0; n < SENDS; n++) {
    if (n !== 7) world.clock.nowMs += 60_000;
    const state = STATES[n % STATES.length] ?? 'pending';
    const id = await sent(merchant, 2, { message: `Text ${n}`, metadata: { n } });
    if (state !== 'pending') await world.writeMessageState(id, state);
    made.push({ id, atMs: world.clock.nowMs, state });
    await sent(other, 1);
  }
});

test('sends are listed newest first with the states of their texts', async () => {
  const { status, json } = await list();
  expect(status).toBe(200);
  expect(json).toMatchObject({ status: true, message: expect.any(String), meta: { next: null, per_page: 50 } });
  expect(idsOf(json)).toEqual(newestFirst());
  const newest = made.at(-1);
  expect(json.data.sends[0]).toEqual({
    id: newest?.id,
    livemode: true,
    from: MTN,
    to: ['+233551112210', '+233551112211'],
    message: `Text ${SENDS - 1}`,
    purpose: 'transactional',
    metadata: { n: SENDS - 1 },
    segments: 1,
    encoding: 'GSM-7',
    count: 2,
    created_at: new Date(newest?.atMs ?? 0).toISOString(),
    send_at: null,
    expires_at: null,
    messages: [
      { id: newest?.id, to: '+233551112210', status: newest?.state },
      { id: messageId(newest?.id ?? '', 1), to: '+233551112211', status: 'pending' },
    ],
  });
});

test('every send is listed once for any page size and filter', async () => {
  const filter = fc.record(
    {
      status: fc.constantFrom(...STATES),
      from: fc.integer({ min: -1, max: SENDS }),
      to: fc.integer({ min: -1, max: SENDS }),
    },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 30 }), filter, async (perPage, { status, from = -1, to = SENDS }) => {
      const [fromMs, toMs] = [Math.min(from, to), Math.max(from, to)].map((n) => startMs + n * 60_000);
      const query = {
        from: new Date(fromMs ?? 0).toISOString(),
        to: new Date(toMs ?? 0).toISOString(),
        ...(status && { status }),
      };
      const wanted = newestFirst(
        ({ atMs, state }) =>
          atMs >= (fromMs ?? 0) && atMs <= (toMs ?? 0) && [state, 'pending', undefined].includes(status),
      );
      expect(await allPages({ ...query, per_page: String(perPage) })).toEqual(wanted);
    }),
    { numRuns: 20 },
  );
});

test('every send is listed once if a page takes several reads', async () => {
  const bulk = await world.createMerchant({ credits: 300 });
  const ids: string[] = [];
  for (let n = 0; n < 4; n++) {
    world.clock.nowMs += 1_000;
    const id = await sent(bulk, 50);
    await world.writeMessageState(id, 'delivered', 49);
    ids.unshift(id);
  }
  const { json } = await list({}, bulk);
  expect(idsOf(json)).toEqual(ids);
  for (const { messages } of json.data.sends) {
    expect(messages).toHaveLength(50);
    expect(messages[49].status).toBe('delivered');
  }
});

test.each(STATES)('the filter status=%s lists sends with at least one text in that state', async (status) => {
  // The second text of each send is pending.
  expect(idsOf((await list({ status })).json)).toEqual(
    newestFirst(({ state }) => status === 'pending' || state === status),
  );
});

describe('a list request', () => {
  // More sends than fit on a page, all of which the index returns.
  const BULK = 120;
  let bulk: Merchant;
  const failed: string[] = [];

  beforeAll(async () => {
    bulk = await world.createMerchant({ credits: 50 * BULK });
    for (let n = 0; n < BULK; n++) {
      world.clock.nowMs += 1_000;
      const id = await sent(bulk, 50);
      if (n % 20 > 0) continue;
      for (const index of [3, 49]) await world.writeMessageState(id, 'failed', index);
      failed.unshift(id);
    }
  });

  test.each<Record<string, string>>([{ status: 'delivered' }, { status: 'sent', per_page: '1' }, { per_page: '100' }])(
    'reads at most a thousand rows for %j',
    async (query) => {
      const { rows, requests } = await readsOf(() => list(query, bulk));
      expect(rows).toBeLessThanOrEqual(1000);
      // Reads are split into parts as small as if every send had the longest texts.
      expect(requests).toBeLessThanOrEqual(35);
    },
  );

  test('reads only sends with failed texts if the filter is failed', async () => {
    for (const per_page of ['1', '2', '100']) {
      expect(await allPages({ status: 'failed', per_page }, bulk)).toEqual(failed);
    }
    const { rows } = await readsOf(() => list({ status: 'failed' }, bulk));
    // A page of index entries, and each send with its texts.
    expect(rows).toBeLessThanOrEqual(50 + failed.length * (1 + 50));
  });

  test('continues where the previous page ended early', async () => {
    expect(await allPages({ per_page: '100' }, bulk)).toHaveLength(BULK);
  });
});

describe('a requested period', () => {
  test('includes its start and end, to the millisecond', async () => {
    const [third, fifth] = [made[2], made[4]];
    const [from, to] = [third, fifth].map((one) => new Date(one?.atMs ?? 0).toISOString());
    expect(idsOf((await list({ from: from ?? '', to: to ?? '' })).json)).toEqual(
      newestFirst(({ atMs }) => atMs >= (third?.atMs ?? 0) && atMs <= (fifth?.atMs ?? 0)),
    );
    expect(idsOf((await list({ from: from ?? '' })).json)).toHaveLength(SENDS - 2);
    expect(idsOf((await list({ to: to ?? '' })).json)).toHaveLength(5);
    const justAfter = new Date((third?.atMs ?? 0) + 1).toISOString();
    expect(idsOf((await list({ from: justAfter })).json)).toHaveLength(SENDS - 3);
  });

  test('returns an empty list if no send is within it', async () => {
    const { json } = await list({ from: '2001-01-01', to: '2001-01-02' });
    expect({ sends: json.data.sends, next: json.meta.next }).toEqual({ sends: [], next: null });
  });

  test.each([
    ['with its ends swapped', { from: '2026-12-02', to: '2026-12-01' }],
    ['in year 0', { to: '0000-01-01' }],
    ['in year 9999', { from: '9999-12-31', to: '9999-12-30' }],
  ])('%s never causes a server error', async (_, query) => {
    const { status, json } = await list(query);
    expect([200, 400]).toContain(status);
    if (status === 200) expect(json.data.sends).toEqual([]);
  });
});

test.each(['queued', 'Sent', '', 'success'])('status=%j is rejected', async (status) => {
  expectBadFields(await list({ status }), 'status');
});

describe('an invalid cursor', () => {
  test.each([
    ['outside the list', { pk: 'SEND#x', sk: 'SEND', sort: 'z' }],
    ['without a position', { pk: '', sk: '', sort: '' }],
    ['with a very long position', { pk: 'x'.repeat(3_000), sk: 'SEND', sort: 'x'.repeat(2_000) }],
    ['from another list', { pk: 'EVENT#x', sk: 'EVENT', sort: '2026-11-20T08:30:00.000Z#evt' }],
  ])('%s never causes a server error', async (_, place) => {
    expectNoAccident(await list({ cursor: Buffer.from(JSON.stringify(place)).toString('base64url') }));
  });

  test('with a different end time never causes a server error', async () => {
    const { next } = (await list({ per_page: '3' })).json.meta;
    expectNoAccident(await list({ cursor: next, to: new Date(made[3]?.atMs ?? 0).toISOString() }));
  });

  function expectNoAccident(answer: Awaited<ReturnType<typeof list>>): void {
    if (answer.status !== 200) expectBadFields(answer, 'cursor');
    const mine = new Set(made.map(({ id }) => id));
    expect(idsOf(answer.json).filter((id) => !mine.has(id))).toEqual([]);
  }
});

test('a cursor from another merchant reveals none of that merchant’s sends', async () => {
  const { next } = (await list({ per_page: '5' })).json.meta;
  const mine = new Set(made.map(({ id }) => id));
  const queries: Record<string, string>[] = [{}, { cursor: next }, { status: 'pending' }];
  for (const query of queries) {
    const { json } = await list(query, other);
    expect(idsOf(json).filter((id) => mine.has(id))).toEqual([]);
  }
  expect(idsOf((await list({}, other)).json)).toHaveLength(SENDS);
});

test('a merchant without sends gets an empty list', async () => {
  const { json } = await list({}, await world.createMerchant());
  expect({ data: json.data, meta: json.meta }).toEqual({ data: { sends: [] }, meta: { next: null, per_page: 50 } });
});

test('a request reads at most a thousand rows', async () => {
  const bulk = await world.createMerchant({ credits: 2_000 });
  for (let n = 0; n < 30; n++) {
    const id = await sent(bulk, 50);
    for (let index = 0; index < 50; index++) await world.writeMessageState(id, 'failed', index);
  }
  for (const per_page of ['1', '50', '100']) {
    const { rows } = await readsOf(() => list({ status: 'failed', per_page }, bulk));
    expect(rows).toBeLessThanOrEqual(1000);
  }
});

test('each send is listed once for any states of its texts', async () => {
  const recipients = fc.integer({ min: 1, max: 5 });
  const states = fc.array(fc.constantFrom(...STATES), { minLength: 5, maxLength: 5 });
  const plans = fc.array(fc.record({ recipients, states, sameMoment: fc.boolean() }), { minLength: 0, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(plans, async (plan) => {
      const planned = await world.createMerchant({ credits: 100 });
      const sends: { id: string; states: string[] }[] = [];
      for (const one of plan) {
        if (!one.sameMoment) world.clock.nowMs += 1_000;
        const id = await sent(planned, one.recipients);
        const texts = one.states.slice(0, one.recipients);
        for (const [index, state] of texts.entries())
          if (state !== 'pending') await world.writeMessageState(id, state, index);
        sends.push({ id, states: texts });
      }
      for (const status of [undefined, ...STATES]) {
        const wanted = sends
          .filter(({ states: texts }) => status === undefined || texts.includes(status))
          .map(({ id }) => id)
          .toSorted()
          .toReversed();
        for (const per_page of ['1', '2', '3', '5', '100'])
          expect(await allPages({ per_page, ...(status && { status }) }, planned)).toEqual(wanted);
      }
    }),
    { numRuns: 12 },
  );
});

test('each send is listed once if few large sends have failed texts', async () => {
  const large = await world.createMerchant({ credits: 4_000 });
  const ids: string[] = [];
  for (let n = 0; n < 60; n++) {
    world.clock.nowMs += 1_000;
    const id = await sent(large, n % 2 ? 50 : 1);
    if (n % 13 === 0) await world.writeMessageState(id, 'delivered', 0);
    if (n % 7 === 0) await world.writeMessageState(id, 'failed', n % 2 ? 49 : 0);
    ids.unshift(id);
  }
  for (const per_page of ['1', '7', '19', '100']) {
    expect(await allPages({ per_page }, large)).toEqual(ids);
    const failed = await allPages({ per_page, status: 'failed' }, large);
    expect(failed).toEqual(ids.filter((_, n) => (59 - n) % 7 === 0));
  }
});

test('the list continues past deleted sends', async () => {
  const loser = await world.createMerchant({ credits: 100 });
  const old = await sent(loser, 1);
  await world.writeMessageState(old, 'failed');
  world.clock.nowMs += 1_000;
  const gone = await sent(loser, 1);
  await world.writeMessageState(gone, 'failed');
  await world.outside.table.remove({ pk: `SEND#${gone}`, sk: 'SEND' });
  expect(await allPages({ per_page: '1', status: 'failed' }, loser)).toEqual([old]);
});

test('a cursor from another merchant reveals none of that merchant’s entries', async () => {
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
      const { json } = await list({ per_page: '2', ...(cursorStatus && { status: cursorStatus }) }, one);
      const answer = await list({ cursor: json.meta.next, ...(status && { status }) }, two);
      expect([200, 400]).toContain(answer.status);
      expect(idsOf(answer.json).filter((id) => theirs.has(id))).toEqual([]);
    }
});

/** Sends a text to this many people. Returns its id. */
async function sent(by: Merchant, recipients: number, more: object = {}): Promise<string> {
  const to = Array.from({ length: recipients }, (_, n) => `05511122${n + 10}`);
  const { json } = await by.call('sms/send', { body: { to, message: 'To all', from: MTN, ...more } });
  return z.parse(z.string(), json.data?.id);
}

function list(query: Record<string, string> = {}, by = merchant) {
  return by.call('sms/list', { query });
}

function idsOf(json: { data?: { sends: { id: string }[] } }): string[] {
  return (json.data?.sends ?? []).map(({ id }) => id);
}

/** Returns the ids of matching sends, ordered by id within a millisecond. */
function newestFirst(passes: (one: (typeof made)[number]) => boolean = () => true): string[] {
  return made
    .filter(passes)
    .map(({ id }) => id)
    .toSorted()
    .toReversed();
}

async function allPages(query: Record<string, string>, by?: Merchant): Promise<string[]> {
  return (await pagesOf((page) => list(page, by), query)).flatMap(idsOf);
}

/** Counts the rows and requests that a call reads from the table. */
async function readsOf(happens: () => Promise<{ status: number }>): Promise<{ rows: number; requests: number }> {
  const usual = world.dynamoDb;
  let [rows, requests] = [0, 0];
  world.dynamoDb = async ({ input }, sendOn) => {
    requests += 1;
    const { Limit, RequestItems } = Asked.parse(input);
    rows += Limit ?? 0;
    // Excludes reads of the key and its merchant.
    for (const { Keys } of Object.values(RequestItems ?? {}))
      rows += Keys.filter(({ pk }) => pk.S.startsWith('SEND#')).length;
    await sendOn();
  };
  const { status } = await happens();
  world.dynamoDb = usual;
  expect(status).toBe(200);
  return { rows, requests };
}

const Asked = z.object({
  Limit: z.optional(z.number()),
  RequestItems: z.optional(
    z.record(z.string(), z.object({ Keys: z.array(z.object({ pk: z.object({ S: z.string() }) })) })),
  ),
});
