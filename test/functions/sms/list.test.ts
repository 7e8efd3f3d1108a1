import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { messageId } from '../../../shared/texts/sms/message-id.ts';
import { expectBadFields } from '../../support/envelope.ts';
import { type Merchant, scene } from '../../support/scene.ts';

const MTN = '+233241234567';
const SENDS = 24;
const STATES = ['pending', 'sending', 'sent', 'delivered', 'failed'] as const;

const world = await scene();
await world.createSender(MTN);
const merchant = await world.createMerchant({ credits: 1_000 });
const other = await world.createMerchant({ credits: 1_000 });
const startMs = world.clock.nowMs;
/** The merchant's sends, oldest first, each with what its first text has become. Two were made in the same millisecond. */
const made: { id: string; atMs: number; state: (typeof STATES)[number] }[] = [];

beforeAll(async () => {
  for (let n = 0; n < SENDS; n++) {
    if (n !== 7) world.clock.nowMs += 60_000;
    const state = STATES[n % STATES.length] ?? 'pending';
    const { json } = await merchant.call('sms/send', {
      body: { to: ['0551112223', '0551112224'], message: `Text ${n}`, metadata: { n }, from: MTN },
    });
    if (state !== 'pending') await world.writeMessageState(json.data.id, state);
    made.push({ id: json.data.id, atMs: world.clock.nowMs, state });
    await other.call('sms/send', { body: { to: '0551112225', message: 'Another’s', from: MTN } });
  }
});

test('newest first, each with the state of each of its texts', async () => {
  const { status, json } = await list();
  expect(status).toBe(200);
  expect(json).toMatchObject({ status: true, message: expect.any(String), meta: { next: null, per_page: 50 } });
  expect(idsOf(json)).toEqual(newestFirst());
  const newest = made.at(-1);
  expect(json.data.sends[0]).toEqual({
    id: newest?.id,
    livemode: true,
    from: MTN,
    to: ['+233551112223', '+233551112224'],
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
      { id: newest?.id, to: '+233551112223', status: newest?.state },
      { id: messageId(newest?.id ?? '', 1), to: '+233551112224', status: 'pending' },
    ],
  });
});

test('pages of any size hold every send exactly once, with any filter', async () => {
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

test('of 50 texts each, which is more than one read of the table returns', async () => {
  const bulk = await world.createMerchant({ credits: 300 });
  const to = Array.from({ length: 50 }, (_, n) => `05511122${n + 10}`);
  const ids: string[] = [];
  for (let n = 0; n < 4; n++) {
    world.clock.nowMs += 1_000;
    const { json } = await bulk.call('sms/send', { body: { to, message: 'To all', from: MTN } });
    await world.writeMessageState(json.data.id, 'delivered', 49);
    ids.unshift(json.data.id);
  }
  const { json } = await list({}, bulk.smsKey);
  expect(idsOf(json)).toEqual(ids);
  for (const { messages } of json.data.sends) {
    expect(messages).toHaveLength(50);
    expect(messages[49].status).toBe('delivered');
  }
});

describe('narrowed by status', () => {
  test.each(STATES)('%s: the sends with at least one text in that state', async (status) => {
    // The second text of each is pending.
    expect(idsOf((await list({ status })).json)).toEqual(
      newestFirst(({ state }) => status === 'pending' || state === status),
    );
  });
});

describe('what a request reads', () => {
  // More than a page: what is asked of the index is there.
  const BULK = 120;
  let bulk: Merchant;
  const failed: string[] = [];

  beforeAll(async () => {
    bulk = await world.createMerchant({ credits: 50 * BULK });
    const to = Array.from({ length: 50 }, (_, n) => `05511122${n + 10}`);
    for (let n = 0; n < BULK; n++) {
      world.clock.nowMs += 1_000;
      const { json } = await bulk.call('sms/send', { body: { to, message: 'To all', from: MTN } });
      if (n % 20 > 0) continue;
      for (const index of [3, 49]) await world.writeMessageState(json.data.id, 'failed', index);
      failed.unshift(json.data.id);
    }
  });

  test.each<Record<string, string>>([{ status: 'delivered' }, { status: 'sent', per_page: '1' }, { per_page: '100' }])(
    'is at most a thousand rows, whatever it looks for: %j',
    async (query) => {
      const { rows, requests } = await readsOf(() => list(query, bulk.smsKey));
      expect(rows).toBeLessThanOrEqual(1000);
      expect(requests).toBeLessThanOrEqual(25);
    },
  );

  test('of failed texts is their sends alone, each once, page after page', async () => {
    for (const per_page of ['1', '2', '100']) {
      expect(await allPages({ status: 'failed', per_page }, bulk.smsKey)).toEqual(failed);
    }
    const { rows } = await readsOf(() => list({ status: 'failed' }, bulk.smsKey));
    // A page of index entries, and each send with its texts.
    expect(rows).toBeLessThanOrEqual(50 + failed.length * (1 + 50));
  });

  test('a page that ends early is continued where it ended', async () => {
    expect(await allPages({ per_page: '100' }, bulk.smsKey)).toHaveLength(BULK);
  });
});

describe('narrowed by time', () => {
  test('from and to are both included, to the millisecond', async () => {
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

  test('a period with nothing in it is an empty list', async () => {
    const { json } = await list({ from: '2001-01-01', to: '2001-01-02' });
    expect([json.data.sends, json.meta.next]).toEqual([[], null]);
  });

  test.each([
    ['the wrong way round', { from: '2026-12-02', to: '2026-12-01' }],
    ['before our era', { to: '0000-01-01' }],
    ['to the end of time', { from: '9999-12-31', to: '9999-12-30' }],
  ])('%s: an empty list, or a 400, and no accident', async (_, query) => {
    const { status, json } = await list(query);
    expect([200, 400]).toContain(status);
    if (status === 200) expect(json.data.sends).toEqual([]);
  });
});

describe('a bad parameter is a 400 that names it', () => {
  test.each(['0', '101', '-1', 'ten', ''])('per_page=%j', async (per_page) => {
    expectBadFields(await list({ per_page }), 'per_page');
  });

  test.each(['queued', 'Sent', '', 'success'])('status=%j', async (status) => {
    expectBadFields(await list({ status }), 'status');
  });

  test.each(['yesterday', '', '2026-13-01', '1763625600'])('from=%j, to=%j', async (time) => {
    expectBadFields(await list({ from: time }), 'from');
    expectBadFields(await list({ to: time }), 'to');
  });

  test.each(['', 'nonsense', 'e30'])('cursor=%j', async (cursor) => {
    expectBadFields(await list({ cursor }), 'cursor');
  });
});

describe('a cursor that this list never returned is a 400 or continues the list from somewhere, never a 5xx', () => {
  test.each([
    ['of a place outside', { pk: 'SEND#x', sk: 'SEND', sort: 'z' }],
    ['of no place', { pk: '', sk: '', sort: '' }],
    ['of a very long place', { pk: 'x'.repeat(3_000), sk: 'SEND', sort: 'x'.repeat(2_000) }],
    ['of another list', { pk: 'EVENT#x', sk: 'EVENT', sort: '2026-11-20T08:30:00.000Z#evt' }],
  ])('%s', async (_, place) => {
    expectNoAccident(await list({ cursor: Buffer.from(JSON.stringify(place)).toString('base64url') }));
  });

  test('of a page with another time', async () => {
    const { next } = (await list({ per_page: '3' })).json.meta;
    const to = new Date(made[3]?.atMs ?? 0).toISOString();
    expectNoAccident(await list({ cursor: next, to }));
  });

  function expectNoAccident(answer: Awaited<ReturnType<typeof list>>): void {
    if (answer.status !== 200) expectBadFields(answer, 'cursor');
    const mine = new Set(made.map(({ id }) => id));
    expect(idsOf(answer.json).filter((id) => !mine.has(id))).toEqual([]);
  }
});

test('another merchant’s sends are never shown, even with their cursor', async () => {
  const { next } = (await list({ per_page: '5' })).json.meta;
  const mine = new Set(made.map(({ id }) => id));
  const queries: Record<string, string>[] = [{}, { cursor: next }, { status: 'pending' }];
  for (const query of queries) {
    const { json } = await list(query, other.smsKey);
    expect(idsOf(json).filter((id) => mine.has(id))).toEqual([]);
  }
  expect(idsOf((await list({}, other.smsKey)).json)).toHaveLength(SENDS);
});

test('a merchant who has sent nothing gets an empty list', async () => {
  const { smsKey } = await world.createMerchant();
  const { json } = await list({}, smsKey);
  expect([json.data, json.meta]).toEqual([{ sends: [] }, { next: null, per_page: 50 }]);
});

function list(query: Record<string, string> = {}, key = merchant.smsKey) {
  return world.call('sms/list', { key, query });
}

function idsOf(json: { data?: { sends: { id: string }[] } }): string[] {
  return (json.data?.sends ?? []).map(({ id }) => id);
}

/** The ids of the merchant's sends that pass; those of one millisecond in the order of their ids. */
function newestFirst(passes: (one: (typeof made)[number]) => boolean = () => true): string[] {
  return made
    .filter(passes)
    .map(({ id }) => id)
    .toSorted()
    .toReversed();
}

async function allPages(query: Record<string, string>, key?: string): Promise<string[]> {
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const { json } = await list({ ...query, ...(cursor && { cursor }) }, key);
    seen.push(...idsOf(json));
    cursor = json.meta.next ?? undefined;
  } while (cursor);
  return seen;
}

/** How many rows a call asks the table for, and in how many requests. */
async function readsOf(happens: () => Promise<{ status: number }>): Promise<{ rows: number; requests: number }> {
  const usual = world.dynamoDb;
  let [rows, requests] = [0, 0];
  world.dynamoDb = async ({ input }, sendOn) => {
    requests += 1;
    const { Limit, RequestItems } = Asked.parse(input);
    rows += Limit ?? 0;
    // Without those of the key and its merchant.
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
