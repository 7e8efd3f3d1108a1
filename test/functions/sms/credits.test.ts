import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { newUlid } from '../../../shared/runtime/values/ids.ts';
import { bookCredits, setLowBelow } from '../../../shared/texts/credits/credits.table.ts';
import { messageId } from '../../../shared/texts/sms/message-id.ts';
import { failMessage } from '../../../shared/texts/sms/text-outcome.ts';
import { expectBadFields } from '../../support/envelope.ts';
import { pagesOf } from '../../support/list-pages.ts';
import { type Merchant, type Scene, scene } from '../../support/scene.ts';

let world: Scene;
let merchant: Merchant;
beforeEach(async () => {
  world = await scene();
  await world.createSender('+233241234567');
  merchant = await world.createMerchant();
});

test('top-ups, sends and refunds are listed newest first', async () => {
  await merchant.topUp(100);
  world.clock.nowMs += 60_000;
  const sendId = await text(3);
  world.clock.nowMs += 60_000;
  await failMessage(world.outside, { send_id: sendId, merchant_id: merchant.id }, 1, { reason: 'It failed' });

  const { status, json } = await list();
  expect(status).toBe(200);
  expect(json).toMatchObject({ status: true, message: 'SMS credits', meta: { next: null, per_page: 50 } });
  const [refund, debit, added] = [0, 60_000, 120_000].map((ms) => world.iso(-ms));
  const none = { send_id: null, message_id: null, reference: null };
  const ofRefund = { id: expect.any(String), message_id: messageId(sendId, 1) };
  expect(json.data).toEqual({
    balance: 98,
    owed: 0,
    low_below: 50,
    bundles: [],
    entries: [
      { ...none, ...ofRefund, type: 'refund', credits: 1, send_id: sendId, created_at: refund },
      { id: sendId, type: 'send', credits: -3, ...none, send_id: sendId, created_at: debit },
      { id: expect.any(String), type: 'top_up', credits: 100, ...none, created_at: added },
    ],
  });
});

test('a merchant without credits has a balance of 0 and no entries', async () => {
  await setLowBelow(world.outside, merchant.id, 7);
  const { json } = await list();
  const data = { balance: 0, owed: 0, low_below: 7, bundles: [], entries: [] };
  expect({ data: json.data, meta: json.meta }).toEqual({ data, meta: { next: null, per_page: 50 } });
});

test('the ledger entries add up to the balance', async () => {
  await history(60);
  const entries = (await pages('7')).flat();
  expect(entries.reduce((total, { credits }) => total + credits, 0)).toBe(await merchant.balance());
});

test('a merchant sees only its own entries for any cursor', async () => {
  await history(20);
  const other = await world.createMerchant({ credits: 10 });
  const { next } = (await list({ per_page: '5' })).json.meta;
  const queries: Record<string, string>[] = [{}, { cursor: next }];
  for (const query of queries) {
    const { json } = await list(query, other.smsKey);
    expect(json.data.balance).toBe(10);
    expect(json.data.entries.filter(({ credits }: Entry) => credits !== 10)).toEqual([]);
  }
});

describe('a page of the credit ledger', () => {
  test('lists every entry once and in order for any page size', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 12 }), fc.array(step, { maxLength: 25 }), async (perPage, steps) => {
        merchant = await world.createMerchant({ credits: 1_000 });
        for (const one of steps) await act(one);
        const whole = (await list({ per_page: '100' })).json.data.entries;
        expect(whole).toHaveLength(steps.filter(({ kind }) => kind !== 'wait').length + 1);
        const times = whole.map(({ created_at }: Entry) => created_at);
        expect(times).toEqual(times.toSorted().toReversed());
        const some = await pages(String(perPage));
        expect(some.flat()).toEqual(whole);
        for (const page of some.slice(0, -1)) expect(page).toHaveLength(perPage);
      }),
      {
        numRuns: 60,
        examples: [
          [1, stepsOf('top-up', 'top-up', 'top-up')],
          [1, stepsOf('top-up', 'wait', 'refund', 'refund', 'refund', 'refund', 'refund', 'send')],
          [1, stepsOf('top-up', 'send', 'send', 'send', 'refund')],
        ],
      },
    );
  });

  test('skips deleted sends that are still in the index', async () => {
    await merchant.topUp(100);
    const ids: string[] = [];
    for (let n = 0; n < 9; n++) {
      world.clock.nowMs += 1_000;
      ids.push(await text(1));
    }
    world.dynamoDb = async ({ command }, go) => {
      // The index still lists rows that have been deleted.
      if (command === 'BatchGetItem') {
        for (const id of ids.slice(3)) await world.outside.table.remove({ pk: `SEND#${id}`, sk: 'SEND' });
      }
      await go();
    };
    const shown = (await pages('2')).flat().map(({ id, type }) => (type === 'send' ? id : type));
    expect(shown).toEqual([...ids.slice(0, 3).toReversed(), 'top_up']);
  });

  test('lists only changes in the requested period', async () => {
    const startMs = world.clock.nowMs;
    await merchant.topUp(100);
    for (let n = 0; n < 6; n++) {
      world.clock.nowMs += 60_000;
      await (n % 2 === 0 ? text(1) : refund());
    }
    const at = (minutes: number) => new Date(startMs + minutes * 60_000).toISOString();
    const shown = await pages('1', { from: at(2), to: at(5) });
    expect(shown.flat().map(({ created_at }) => created_at)).toEqual([at(5), at(4), at(3), at(2)]);
    expect((await pages('1', { to: at(0) })).flat()).toHaveLength(1);
    // A cursor from a page outside the period.
    const { next } = (await list({ per_page: '1' })).json.meta;
    expect((await list({ cursor: next, to: at(2) })).json.data.entries).toHaveLength(3);
    expect((await list({ cursor: next, from: at(7) })).json.data.entries).toHaveLength(0);
  });
});

test.each([
  ['send', 'nonsense'],
  ['entry', '019a9f6e-4b1c-7d3a-9c52-1f0e8a6b4d00'],
  ['entry', '8ZZZZZZZZZZZZZZZZZZZZZZZZZ'],
  ['SEND', '019a9f6e-4b1c-7d3a-9c52-1f0e8a6b4d00'],
])('the cursor %s %s is rejected', async (sk, sort) => {
  const cursor = Buffer.from(JSON.stringify({ pk: '', sk, sort })).toString('base64url');
  expectBadFields(await list({ cursor }), 'cursor');
});

interface Entry {
  id: string;
  type: string;
  credits: number;
  created_at: string;
}

/** A balance change or a pause. Most changes share a millisecond. */
const step = fc.record({
  kind: fc.constantFrom('send', 'send', 'refund', 'top-up', 'wait'),
  count: fc.integer({ min: 1, max: 3 }),
});
type Step = { kind: 'send' | 'refund' | 'top-up' | 'wait'; count: number };

function stepsOf(...kinds: Step['kind'][]): Step[] {
  return kinds.map((kind) => ({ kind, count: 1 }));
}

async function act({ kind, count }: Step): Promise<unknown> {
  if (kind === 'send') return text(count);
  if (kind === 'refund') return refund();
  if (kind === 'top-up') return merchant.topUp(count);
  world.clock.nowMs += count;
  return undefined;
}

async function history(length: number): Promise<void> {
  await merchant.topUp(1_000);
  for (let n = 0; n < length; n++) {
    await act({ kind: (['send', 'refund', 'wait', 'send', 'top-up'] as const)[n % 5] ?? 'wait', count: 1 + (n % 3) });
  }
}

async function text(count: number): Promise<string> {
  const to = Array.from({ length: count }, () => '0551112223');
  const { status, json } = await merchant.call('sms/send', { body: { to, message: 'Hello' } });
  expect(status).toBe(200);
  return json.data.id;
}

function refund(): Promise<void> {
  const entry = { entry_id: newUlid(world.outside), credits: 1, reason: 'refund' as const };
  return world.outside.table.write(bookCredits(merchant.id, { ...entry, created_at: world.iso() }));
}

async function pages(per_page: string, query: Record<string, string> = {}): Promise<Entry[][]> {
  return (await pagesOf(list, { ...query, per_page })).map(({ data }) => data.entries);
}

function list(query: Record<string, string> = {}, key = merchant.smsKey) {
  return world.call('sms/credits', { key, query });
}
