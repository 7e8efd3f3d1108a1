import { describe, expect, test } from 'vitest';
import { eraseCustomer } from '../../infra/admin/erase-customer.ts';
import { kindOf } from '../../infra/admin/migrate-rows.ts';
import { chargeRows } from '../../shared/money/charge/charge.table.ts';
import { statusOf } from '../../shared/money/charge/charge.ts';
import { chargeStatuses } from '../../shared/money/charge/states.ts';
import { receiptLists } from '../../shared/money/receipt/receipt.ts';
import { untilQuiet } from '../simulation/crash-matrix.ts';
import type { Kiosk } from '../simulation/kiosk.ts';
import { callOf, signIn } from '../support/dashboard.ts';
import { areaAt } from '../support/functions.ts';
import { memoryClient } from '../support/memory-dynamodb/client.ts';
import type { CalledByHttp } from '../support/routes.ts';
import { sliceOf } from '../support/slice.ts';
import { atMoment, type Moment, newestFixture } from './fixture.ts';
import { older, pretendedShapes } from './pretended-change.ts';
import { upgradeStories } from './stories.ts';

const fixture = newestFixture();

/** Each story's last moment has the most rows. */
const moments = [...new Map(fixture.moments.map((moment) => [moment.story, moment])).values()].map((moment) => ({
  name: moment.story,
  moment,
}));

const ways = [
  { way: 'as they are', how: {} },
  { way: 'as an earlier release wrote them', how: { shapes: pretendedShapes, stored: older } },
];

describe.each(ways)('rows of the previous release $way', ({ how }) => {
  const open = (moment: Moment) => atMoment(fixture, moment, STILL, how);

  test.each(sliceOf(moments, 4))('are included in lists and on pages: $name', async ({ moment }) => {
    const kiosk = await open(moment);
    const suspended = new Set(kiosk.items().flatMap((row) => (row.suspended_at ? row.merchant_id : [])));
    // Keys of suspended merchants do not work.
    for (const { id, liveKey, smsKey } of kiosk.shops.filter((shop) => !suspended.has(shop.id))) {
      const ofShop = kiosk.items().filter(({ merchant_id }) => merchant_id === id);
      const charges = ofShop.filter(({ gsi1pk }) => gsi1pk === `MERCHANT#${id}#TRANSACTION`).map(chargeRows.parse);
      const receipts = ofShop.filter(({ sk, set_aside }) => sk === 'RECEIPT' && set_aside === undefined);
      const sends = ofShop.filter(({ sk }) => sk === 'SEND');
      const events = ofShop.filter(({ sk, key_kind }) => sk === 'EVENT' && key_kind === 'live');
      const count = (name: CalledByHttp, list: string, key: string, query = {}) =>
        listed(kiosk, name, list, { key, query: { per_page: String(PER_PAGE), ...query } });
      expect(await count('transaction/list', 'transactions', liveKey)).toBe(onPage(charges));
      for (const status of chargeStatuses) {
        const those = charges.filter((charge) => statusOf(kiosk.outside, charge) === status);
        expect(await count('transaction/list', 'transactions', liveKey, { status })).toBe(onPage(those));
      }
      for (const status of receiptLists.filter((list) => list !== 'set_aside' && list !== 'decided')) {
        const those = receipts.filter(({ state }) => state === status);
        expect(await count('receipt/list', 'receipts', liveKey, { status })).toBe(those.length);
      }
      expect(await count('sms/list', 'sends', smsKey)).toBe(sends.length);
      expect(await count('webhook/list-events', 'events', liveKey)).toBe(events.length);
      const by = await signIn(kiosk, 'owner', id);
      const pages: Readonly<Record<string, readonly string[]>> = {
        today: ['', '/reports'],
        held: [''],
        charges: ['', ...charges.map(({ reference }) => `/${reference}`)],
        texts: ['', ...sends.map(({ send_id }) => `/${send_id}`)],
        developers: ['', '/events', ...events.map(({ event_id }) => `/events/${event_id}`)],
        settings: ['', '/team', '/wallets'],
      };
      for (const [area, paths] of Object.entries(pages)) {
        for (const path of paths.slice(0, 8)) {
          const answer = await kiosk.request(areaAt(`/dashboard/${area}`), callOf(`/dashboard/${area}${path}`, { by }));
          expect(answer?.statusCode, path).toBe(200);
        }
      }
    }
    expect([...kiosk.denied]).toEqual([]);
  });

  test('include a charge that can be found and erased', async () => {
    const name = 'a charge with all that it can say';
    const [moment] = fixture.moments.filter(({ story }) => story === name);
    const story = upgradeStories[name];
    if (!moment || !story) throw new Error('The fixture has no such charge');
    const kiosk = await open(moment);
    await story.happens(kiosk);
    await untilQuiet(kiosk, () => kiosk.goOn());
    const [shop] = kiosk.shops;
    const [row] = kiosk.items().filter(({ sk }) => sk === 'TRANSACTION');
    await kiosk.wait(1_000);
    for (const [term, value] of Object.entries({
      email: 'kofi@example.com',
      phone: '0241112222',
      merchant_reference: 'A-1007',
    })) {
      const query = { [term]: value };
      expect(await listed(kiosk, 'transaction/list', 'transactions', { key: shop?.liveKey ?? '', query })).toBe(1);
    }
    expect(row?.state).toBe('success');
    const table = { client: memoryClient(kiosk.memory), name: kiosk.memory.tableName, keepsData: true };
    const { counts, leftOut } = await eraseCustomer(
      { outside: kiosk.outside, table },
      { email: 'kofi@example.com' },
      { isForReal: true },
    );
    expect({ counts, leftOut }).toMatchObject({ counts: { charges: 1 }, leftOut: [] });
    const [erased] = kiosk.items().filter(({ sk }) => sk === 'TRANSACTION');
    expect(JSON.stringify(erased)).not.toMatch(/kofi/i);
    expect(erased?.amount_pesewas).toBe(12_00);
  });
});

/** Kinds of rows that name customers and expire. */
const ENDING = [
  'transaction',
  'receipt',
  'send',
  'message',
  'webhook event',
  'webhook try',
  'code',
  'wallet notice',
  'phone event',
  'lookup',
];

test('rows with customers’ names expire', () => {
  const rows = fixture.rows.filter((row) => ENDING.includes(kindOf(row) ?? ''));
  expect(new Set(rows.map(kindOf))).toEqual(new Set(ENDING));
  expect(rows.filter((row) => typeof row.expires_at_epoch_seconds !== 'number')).toEqual([]);
});

const PER_PAGE = 100;
const onPage = (all: readonly unknown[]) => Math.min(all.length, PER_PAGE);

/** Returns the number of entries in an API list. */
async function listed(
  kiosk: Kiosk,
  name: CalledByHttp,
  list: string,
  call: { key: string; query: Record<string, string> },
): Promise<number> {
  const answer = await kiosk.request(name, call);
  if (answer?.statusCode !== 200) throw new Error(`${name} answered ${answer?.statusCode}: ${answer?.body}`);
  return JSON.parse(answer.body).data[list].length;
}

/** A story in which nothing happens. */
const STILL = { happens: async () => {}, inTheEnd: () => ({}) };
