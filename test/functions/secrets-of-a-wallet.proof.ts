import { describe, expect, test } from 'vitest';
import { readWalletText } from '../../shared/ghana/wallet-text/read-wallet-text.ts';
import { scopesOfKind } from '../../shared/merchants/merchant/api-key.ts';
import { addApiKey } from '../../shared/merchants/merchant/manage-keys.ts';
import { may, merchantRoles, type Permission } from '../../shared/merchants/user/permissions.ts';
import { chargeRows } from '../../shared/money/charge/charge.table.ts';
import { withoutBalanceWords, withoutIds } from '../../shared/money/receipt/shown-receipt.ts';
import { settleRequest } from '../../shared/money/request/settle-request.ts';
import { assignReceipt } from '../../shared/money/settling/assign-receipt.ts';
import { changeItem } from '../../shared/runtime/table/table.ts';
import { type HttpRow, type KeyKind, type KeyPermission, keyKindsOf } from '../../shared/runtime/triggers/row.ts';
import { keepNearlyFull, keepUnclearBalance } from '../../shared/wallets/wallet/wallet-notice.table.ts';
import { createWebhookEvent } from '../../shared/webhook/event.table.ts';
import { newWebhookEvent } from '../../shared/webhook/event.ts';
import { expectWords } from '../support/answers.ts';
import { openBusyDashboard } from '../support/busy-dashboard.ts';
import { checkEach } from '../support/check-each.ts';
import { areas, type Person } from '../support/dashboard.ts';
import { everyPage } from '../support/dashboard-pages.ts';
import { liveHolder } from '../support/holders.ts';
import { arrive, charge, fixtures, mtn, paymentId } from '../support/receipts.ts';
import { httpRoutes, loadRoute, pathWith } from '../support/routes.ts';
import { asScene } from '../support/scene.ts';
import { isWhole } from '../support/slice.ts';
import { WALLET } from '../support/wallet-chains.ts';
import { type Call, call } from '../support/world.ts';

/*
 * A wallet's balance and the ids of held payments are secret. This file stores both in every possible place and checks
 * that no page, response or event shows them without permission.
 */

const HELD = 7654.32;
const BALANCE = /7,?654\.32|765432/;

const busy = await openBusyDashboard();
const { people, examples } = busy;
const world = asScene(busy.world);
const merchantId = String(people.owner.user.merchant_id);
const liveKey = await addApiKey(world.outside, merchantId, 'live');
const shop = { id: merchantId, liveKey, number: WALLET.momo_number, network: 'MTN' } as const;

/** One payment without a charge, and one for a charge that is already paid. */
const secretIds = await plant();
const partId = await plantPart();
secretIds.push(...(await plantRequest()));
await plantEvents();

describe.each([...merchantRoles, 'operator'] as const)('the dashboard for the %s role', (role) => {
  test('shows balances and full payment ids only with permission', async () => {
    const by = role === 'operator' ? people.operator : await world.signIn(role, merchantId);
    const seen = await readEverything(by);
    expect(seen.pages).toBeGreaterThan(5);
    const sees = (permission: Permission) => may(by.user, permission);
    // The operator sees only unassigned payments here.
    if (role === 'operator') return expect(seen.ids).toEqual([]);
    expect(seen.balance.length > 0).toBe(sees('balances:read'));
    expect(seen.ids.length > 0).toBe(sees('receipts:assign'));
    // A failure prints the pages that show the secret.
    if (!sees('balances:read')) expect(seen.balance).toEqual([]);
    if (!sees('receipts:assign')) expect(seen.ids).toEqual([]);
  });
});

test('a cashier sees only the last four digits of a held payment’s id', async () => {
  const by = await world.signIn('cashier', merchantId);
  const [id = ''] = secretIds;
  const short = id.slice(-4);
  const list = (await by.visit('/dashboard/held')).text;
  const links = [...list.matchAll(/href="(\/dashboard\/held\/[^"?]+)"/g)].map(([, link = '']) => link);
  const pages = await Promise.all(links.map(async (link) => (await by.visit(link)).text));
  const page = pages.find((one) => one.includes(`…${short}</span>`)) ?? '';
  expectWords(page, [`Transaction ID: …${short}.`, 'Current Balance: GHS …']);
  const search = async (q: string) => (await by.visit('/dashboard/charges', { query: { q } })).text;
  expect(await search(short)).toContain(`-${short}"`);
  // A search by full id would let users guess the id digit by digit.
  expect(await search(id)).not.toContain(`-${short}"`);
  const real = `/dashboard/held/MTN-${shop.number.slice(1)}-${id}`;
  expect((await by.visit(real)).status).toBe(404);
  expect((await world.visit(real, { by: people.owner })).status).toBe(200);
});

test('the pagination cursor hides the last held payment’s id', async () => {
  const by = await world.signIn('viewer', merchantId);
  const ids: string[] = [];
  for (let n = 0; n < 25; n++) {
    const receipt = mtn({ amount: '3.21' });
    await arrive(world, shop, receipt);
    ids.push(receipt.id.slice(-4));
    world.clock.nowMs += 1_000;
  }
  let path: string | undefined = '/dashboard/held';
  let all = '';
  for (let pages = 0; path && pages < 5; pages++) {
    const { pathname, searchParams }: URL = new URL(path, 'https://x.example.com');
    const { text } = await by.visit(pathname, { query: Object.fromEntries(searchParams) });
    all += text;
    const [, next]: string[] = /href="([^"]*cursor=[^"]*)"/.exec(text) ?? [];
    path = next?.replaceAll('&amp;', '&');
    const cursor = path && new URL(path, 'https://x.example.com').searchParams.get('cursor');
    if (cursor) expect(Buffer.from(cursor, 'base64url').toString()).not.toContain(shop.number.slice(1));
  }
  for (const id of ids) expect(all.split(`-${id}"`)).toHaveLength(2);
});

const routes = httpRoutes().flatMap(({ name, row }) => keyKindsOf(row).map((kind) => ({ name, row, kind })));
/** The two widest scopes. The long proofs take each permission alone, too. */
const scopesOf = (kind: KeyKind): { scope?: readonly KeyPermission[] }[] => [
  {},
  { scope: scopesOfKind[kind].filter((one) => one !== 'receipts:assign') },
  ...(isWhole ? scopesOfKind[kind].map((one) => ({ scope: [one] })) : []),
];

test('no route shows balances or, without permission, full ids', () => {
  const reads = routes.filter(({ row }) => row.method === 'GET');
  const cases = reads.flatMap(({ name: route, row, kind }) =>
    scopesOf(kind).map((options) => ({
      name: `${route} with a ${kind} key for ${options.scope ?? 'everything'}`,
      ...{ route, row, kind, options },
    })),
  );
  return checkEach(cases, async ({ route, row, kind, options }) => {
    const key = await addApiKey(world.outside, merchantId, kind, options);
    const handler = await loadRoute(route);
    const seesIds = options.scope === undefined || options.scope.includes('receipts:assign');
    for (const request of await requestsTo(row)) {
      world.clock.nowMs += 200;
      const { text } = await call(world, handler, { method: 'GET', ...request, key });
      const cursor = /"next":"([^"]+)"/.exec(text)?.[1] ?? '';
      // The random request id may contain any digits.
      const said = text.replace(/"request_id":"[^"]*"/, '') + Buffer.from(cursor, 'base64url').toString();
      expect(said).not.toMatch(BALANCE);
      if (!seesIds) for (const secret of secretIds) expect(said).not.toContain(secret);
    }
  });
});

/** Returns requests for forty events, or for each view of a list. */
async function requestsTo(row: HttpRow): Promise<Pick<Call, 'path' | 'parameters' | 'query'>[]> {
  const views: Record<string, string>[] = [{}, { status: 'unread' }, { status: 'set_aside' }, { per_page: '1' }];
  if (!row.path.includes('{')) return views.map((query) => ({ ...pathWith(row), query }));
  const events = (await world.rows('EVENT')).slice(0, 40);
  return events.map(({ event_id }) => pathWith(row, String(event_id)));
}

test('a key that may assign payments sees the full id', async () => {
  const { json } = await world.call('receipt/list', { key: liveKey, query: { per_page: '100' } });
  expect(JSON.stringify(json)).toContain(secretIds[0]);
});

test.each([
  [{ transaction_id: '62841953770', matched_by: 'till', receipt_id: 'MTN-1-62841953770' }, false],
  [{ transaction_id: '62841953770', matched_by: 'hand' }, false],
  [{ transaction_id: '62841953770', matched_by: 'claim' }, false],
  [{ transaction_id: '62841953770', matched_by: null, status: 'held' }, false],
  [{ transaction_id: '62841953770', matched_by: 'reference' }, true],
  [{ transaction_id: '62841953770', refund_id: 'x', status: 'sent' }, true],
])('a key without receipts:assign gets the event %j with the full id: %s', (payment, isShown) => {
  const shown = withoutIds({ seesIds: false }, JSON.stringify({ data: { payments: [payment] } }));
  expect(shown.includes('62841953770')).toBe(isShown);
  expect(shown).toContain('3770');
});

test('a merchant’s own metadata is never hidden', () => {
  const body = JSON.stringify({ status: true, data: { metadata: { transaction_id: 't' } } });
  expect(withoutIds({ seesIds: false }, body)).toBe(body);
});

test('no event contains a wallet’s balance', async () => {
  const posted = await world.rows('EVENT');
  const types = new Set(posted.map(({ type }) => type));
  for (const type of ['receipt.held', 'wallet.near_limit', 'wallet.balance_unclear']) expect(types).toContain(type);
  for (const { body } of posted) expect(String(body)).not.toMatch(BALANCE);
});

test('the balance in a text is hidden', () => {
  const payments = fixtures.filter(({ reads }) => reads.kind === 'payment');
  return checkEach(payments, ({ sender, text }) => {
    const read = readWalletText(sender, text);
    if (read?.kind !== 'payment' || !read.balancePesewas) return;
    const whole = String(Math.trunc(read.balancePesewas / 100));
    const shown = withoutBalanceWords(text);
    const said = [...shown.matchAll(/\d[\d,]*\.\d\d/g)].map(([one]) => one.replaceAll(',', '').split('.')[0]);
    const amount = String(Math.trunc(read.amountPesewas / 100));
    expect(said.filter((one) => one === whole && one !== amount)).toEqual([]);
  });
});

/** Searches every page and file that a user can open for the secrets, following links. */
async function readEverything(by: Person): Promise<{ pages: number; balance: string[]; ids: string[] }> {
  const open = (await everyPage(examples)).map(({ address }) => address);
  const queue = [...open, '/dashboard/today/reports/files/charges', '/dashboard/today/reports/files/payments'];
  const known = new Set(queue);
  const found = { pages: 0, balance: [] as string[], ids: [] as string[] };
  for (let address = queue.shift(); address !== undefined; address = queue.shift()) {
    const { pathname, searchParams } = new URL(address, 'https://x.example.com');
    const isOfArea = areas().some(({ row }) => pathname === row.path || pathname.startsWith(`${row.path}/`));
    if (!isOfArea || /sign-out|asset/.test(pathname)) continue;
    const { status, text } = await world.visit(pathname, { by, query: Object.fromEntries(searchParams) });
    if (status !== 200) continue;
    found.pages++;
    // A page may contain its own URL.
    const said = text.replaceAll(address, '');
    if (BALANCE.test(said)) found.balance.push(address);
    if ([...secretIds, partId].some((id) => said.includes(id))) found.ids.push(address);
    for (const [, link = ''] of text.matchAll(/href="(\/dashboard\/[^"#]*)"/g)) {
      const to = link.replaceAll('&amp;', '&');
      if (!known.has(to) && known.size < 400) queue.push(to);
      known.add(to);
    }
  }
  return found;
}

async function plant(): Promise<string[]> {
  const withBalance = (text: string) => text.replaceAll('1,136.50', '7,654.32');
  const paid = await charge(world, shop, { amount: 36 });
  await arrive(world, shop, mtn({ reference: paid }));
  const held = [mtn({ amount: '41.41' }), mtn({ reference: paid })];
  for (const receipt of held) await arrive(world, shop, { ...receipt, text: withBalance(receipt.text) });
  const strange = 'In the purse of your phone there are now GHS 7,654.32. Be well.';
  await arrive(world, shop, { sender: 'MobileMoney', text: strange });
  const ofWallet = { network: 'MTN', momo_number: shop.number, merchant_id: merchantId } as const;
  const received_at = world.iso();
  await world.outside.table.write([
    keepUnclearBalance(world.outside, {
      kind: 'balance_unclear',
      ...ofWallet,
      received_at,
      texts: 2,
    }),
    keepNearlyFull(world.outside, {
      kind: 'near_limit',
      ...ofWallet,
      received_at,
      assumed: false,
      balance_pesewas: HELD * 100,
      limit_pesewas: 40_000_00,
    }),
  ]);
  const notices = ['near_limit', 'balance_unclear'].map((kind) => world.rows(`NOTICE#${kind}`));
  for (const after of [...(await world.rows('RECEIPT')), ...(await Promise.all(notices)).flat()])
    if (after.merchant_id === merchantId) await world.relayChanges({ after });
  return held.map(({ id }) => id);
}

/** Creates a part payment that is held again when its charge ends. */
async function plantPart(): Promise<string> {
  const reference = await charge(world, shop, { amount: 60 });
  const part = mtn({ amount: '21.50', from: 'ESI ADDO' });
  await arrive(world, shop, part);
  const receiptId = paymentId(shop, part);
  const { writes } = await assignReceipt(world.outside, { merchantId, receiptId }, { reference, as_part: true });
  await world.outside.table.write(writes);
  return part.id;
}

/** Creates a payment request with a second, a late and a waiting payment. */
async function plantRequest(): Promise<string[]> {
  const body = { title: 'Fees', lines: [{ description: 'Tuition', amount: 90 }] };
  const { slug } = (await world.call('request/create', { key: liveKey, body })).json.data;
  const [paid, expired, waiting] = [
    await world.openPart(slug, '20'),
    await world.openPart(slug, '30'),
    await world.openPart(slug, '40'),
  ];
  await world.outside.table.write([changeItem(chargeRows.key({ reference: expired }), { state: 'expired' })]);
  const first = mtn({ reference: paid, amount: '20.00' });
  const others = [
    mtn({ reference: paid, amount: '20.00' }),
    mtn({ reference: expired, amount: '30.00' }),
    mtn({ reference: waiting, amount: '39.00' }),
  ];
  for (const receipt of [first, ...others]) await arrive(world, shop, receipt);
  for (const reference of [paid, expired, waiting]) await settleRequest(world.outside, reference);
  return others.map(({ id }) => id);
}

/** Creates events of every type with secret payment ids. */
async function plantEvents(): Promise<void> {
  const at = world.iso();
  const [id = '', tapped = ''] = secretIds;
  const taken = { transaction_id: tapped, matched_by: 'till', receipt_id: `MTN-233-${tapped}` };
  const told = [
    ['charge.success', { payment: taken, parts: [{ transaction_id: id, matched_by: 'hand' }] }],
    ['receipt.held', { id: `MTN-233-${id}`, transaction_id: id, text: `Current Balance: GHS …. ID: ${id}` }],
  ] as const;
  const events = told.map(([type, data]) => newWebhookEvent(liveHolder(merchantId), type, { cause: 'x', at, data }));
  await world.outside.table.write(events.map(createWebhookEvent));
}
