import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { listAudit } from '../../../shared/merchants/audit/audit.table.ts';
import type { Deployment } from '../../../shared/runtime/stage/deployment.ts';
import { MINUTE_MS } from '../../../shared/runtime/values/calendar.ts';
import { createChain, listSettledTexts } from '../../../shared/wallets/chain/chain.table.ts';
import type { Movement } from '../../../shared/wallets/chain/chain.ts';
import { checkText } from '../../../shared/wallets/chain/check-text.ts';
import { nameBalance } from '../../../shared/wallets/chain/name-balance.ts';
import { hearingOf } from '../../../shared/wallets/wallet/hearing.table.ts';
import { runAdmin } from '../../support/admin-commands.ts';
import { deploymentOf, healthyAws } from '../../support/deployment.ts';
import { at, BEGUN_MINUTE, begin, idsOf, known, link, run, text, WALLET } from '../../support/wallet-chains.ts';
import { createMerchant, createWorld, type World } from '../../support/world.ts';

const Listed = z.object({ wallets: z.array(z.unknown()), more: z.optional(z.string()) });
const FIRST = BEGUN_MINUTE + 1;
/** Enough texts for their ids to count. They end at GHS 1,000. */
const FIRST_TEXTS = Array.from({ length: 8 }, (_, n) => text(BEGUN_MINUTE - 0.9 + n / 10, 964_00 + n * 4_50, 4_50));
const LOST = text(BEGUN_MINUTE, 1_000_00, 36_00);
const AFTER_LOST = run(FIRST, 1_036_00, 5_00, 6_00);

let world: World;
let deployment: Deployment;
let merchantId: string;
beforeEach(async () => {
  world = await createWorld({ inMemory: true });
  at(world, 0);
  deployment = deploymentOf(world);
  merchantId = (await createMerchant(world)).id;
  await begin(world, 964_00);
  await link(world, ...FIRST_TEXTS);
});

test('`wallet list` prints the documented fields', async () => {
  expect(await admin('list')).toEqual({
    wallets: [
      {
        number: '+233241234567',
        network: 'MTN',
        anchored_at: '2026-11-20T10:25:00.000Z',
        verifies: true,
        young: false,
        looked_at: '2026-11-20T10:25:00.000Z',
        links: 8,
        gaps: 0,
        unbroken_since: '2026-11-20T10:25:00.000Z',
        paused_until: null,
      },
    ],
  });
});

test('`wallet list` prints more than a hundred wallets', async () => {
  const { chain } = await known(world);
  for (let n = 100; n < 220; n++)
    await world.outside.table.write([createChain({ ...chain, momo_number: `+233241235${n}` })]);
  const first = Listed.parse(await admin('list'));
  const rest = Listed.parse(await admin('list', ...String(first.more).split(' ').slice(2)));
  expect({ first: first.wallets.length, rest: rest.wallets.length, more: rest.more }).toEqual({
    first: 100,
    rest: 21,
    more: undefined,
  });
});

test('`wallet show` lists gaps in the balance chain', async () => {
  await link(world, ...AFTER_LOST);
  expect(await admin('show', '--number', '0241234567')).toMatchObject({
    number: '+233241234567',
    gaps: 1,
    gap_list: [
      { difference: 36, from: '2026-11-20T10:25:48.000Z', to: '2026-11-20T10:27:00.000Z', explained_by: null },
    ],
  });
});

test('`wallet set` turns the reception test off', async () => {
  await admin('set', '--number', '0241234567', '--canary', 'off');
  expect(await hearingOf(world.outside, [WALLET.momo_number])).toMatchObject([{ canary: false }]);
  const entry = { action: 'wallet set', by: 'command line', about: 'MTN …4567', after: { canary: 'off' } };
  expect(await auditOf()).toMatchObject([entry]);
});

describe('`wallet balance`', () => {
  const told = (written: string, minutesAgo = 1) => {
    const at = new Date(world.clock.nowMs - minutesAgo * MINUTE_MS).toISOString();
    const who = ['--told-by', 'Ama', '--told-at', at];
    return admin('balance', '--number', '0241234567', '--network', 'mtn', '--balance', written, ...who);
  };

  test('accepts balances in any common format, and records who read it and when', async () => {
    await link(world, ...AFTER_LOST);
    const naming = { number: '+233241234567', outcome: 'leads there', linked: 2, disproved: 0 };
    expect(await told('GHS 1,047.00')).toMatchObject(naming);
    expect(await known(world)).toMatchObject({ balance: 1_047_00, gaps: [36_00] });
    const after = { told_by: 'Ama', told_at: '2026-11-20T10:27:00.000Z' };
    expect(await auditOf(merchantId)).toMatchObject([
      { action: 'wallet balance', by: 'command line', about: 'MTN …4567', after },
    ]);
  });

  test.each([11, -11])('rejects a balance that was read %d minutes ago', async (minutes) => {
    await expect(told('1000', minutes)).rejects.toThrow(/not read in the last ten minutes.*Ask for it again/);
    expect(await auditOf(merchantId)).toEqual([]);
  });

  test('accepts only the balance of a shared number on a deployed stage', async () => {
    deployment = deploymentOf(world, { aws: healthyAws() });
    await expect(told('1000')).rejects.toThrow(/Only one shop uses \+233241234567\. Its owner enters the balance/);
    await createMerchant(world);
    expect(await told('1000')).toMatchObject({ outcome: 'agrees' });
    expect(await auditOf()).toMatchObject([{ action: 'wallet balance', by: 'command line' }]);
  });
});

test.each([
  [['set', '--number', '0241234567'], /--canary/],
  [['set', '--number', '0240000000', '--canary', 'off'], /Nobody has named the balance .* See: wallet list/],
  [['balance', '--number', '0241234567', '--balance', 'much'], /It must be the balance shown in the wallet, in cedis/],
  [['reconcile', '--number', '0241234567', '--file', '/nowhere.csv'], /The file \/nowhere\.csv cannot be read/],
])('`wallet` with the options %j fails with one sentence', async (words, message) => {
  await expect(admin(...words)).rejects.toThrow(message);
});

describe('reconciling a wallet with its statement', () => {
  const all = async () => [...(await everything()), LOST, ...AFTER_LOST];
  const forged = text(FIRST + 0.5, 500_00, 250_00);

  test('changes nothing by default', async () => {
    const rows = await all();
    await link(world, ...AFTER_LOST, forged);
    const before = await known(world);
    expect(await reconcile(rows)).toMatchObject({
      rows: 11,
      matched: 10,
      too_old: 0,
      never_heard: [{ line: 10, transaction_id: String(LOST.id), amount: 36, balance: 1036 }],
      unknown_to_network: [{ transaction_id: String(forged.id), amount: 250, balance: 750, state: 'waiting' }],
      differing: [],
      fills: 1,
      applied: false,
    });
    expect(await known(world)).toEqual(before);
  });

  test('fills the gap in the balance chain on request', async () => {
    const rows = await all();
    await link(world, ...AFTER_LOST, forged);
    expect(await reconcile(rows, '--apply')).toMatchObject({ fills: 1, applied: true });
    expect(await known(world)).toMatchObject({ balance: 1_047_00, waiting: [forged.id], gaps: [] });
  });

  test('allows later payments to be verified', async () => {
    const rows = await all();
    await link(world, ...AFTER_LOST);
    await reconcile(rows, '--apply');
    const late = { ...LOST, arrived_ms: world.clock.nowMs };
    expect(await checkText(world.outside, WALLET, late)).toMatchObject({ proof: { state: 'proven' } });
  });

  test('closes a gap left by the owner’s confirmation', async () => {
    const rows = await all();
    await link(world, ...AFTER_LOST);
    await nameBalance(world.outside, WALLET, 1_047_00);
    expect(await known(world)).toMatchObject({ gaps: [36_00] });
    expect(await reconcile(rows, '--apply')).toMatchObject({ fills: 1 });
    expect(await known(world)).toMatchObject({ balance: 1_047_00, gaps: [], waiting: [] });
  });

  test('links hundreds of transactions without texts', async () => {
    const missing = run(BEGUN_MINUTE, 1_000_00, ...Array.from({ length: 120 }, () => 1_00));
    const rows = [...(await everything()), ...missing];
    await link(world, ...run(BEGUN_MINUTE + 120, 1_120_00, 5_00));
    expect(await reconcile(rows, '--apply')).toMatchObject({ fills: 120 });
    const now = await known(world);
    expect(now).toMatchObject({ balance: 1_125_00, waiting: [], gaps: [] });
    expect(now.linked).toEqual(expect.arrayContaining(idsOf(missing)));
  });

  test('ignores lines that do not fit the balance chain', async () => {
    const stray = text(BEGUN_MINUTE, 7_000_00, 36_00);
    const before = await known(world);
    const reconciled = await reconcile([...(await everything()), stray], '--apply');
    expect(reconciled).toMatchObject({ fills: 0, never_heard: [{ transaction_id: String(stray.id) }] });
    expect(await known(world)).toEqual(before);
  });

  test('lists texts whose balance differs from the statement', async () => {
    const [first, ...others] = await everything();
    if (!first) throw new Error('There is no text');
    expect(await reconcile([{ ...first, after: first.after + 1_00 }, ...others])).toMatchObject({
      matched: 7,
      differing: [{ balance: (first.after + 1_00) / 100, text_balance: first.after / 100, text_state: 'linked' }],
    });
  });

  test('reports a forged text with a genuine text’s id', async () => {
    const rows = await all();
    await link(world, ...AFTER_LOST, { ...forged, id: Number(AFTER_LOST[0]?.id) });
    const differing = [{ amount: 5, text_amount: 250, text_state: 'waiting' }];
    expect(await reconcile(rows)).toMatchObject({ matched: 10, differing, unknown_to_network: [] });
  });

  test('skips lines older than the wallet’s first text', async () => {
    const rows = [text(-10 * 24 * 60, 900_00, 1_00), ...(await everything())];
    expect(await reconcile(rows)).toMatchObject({ too_old: 1, never_heard: [] });
  });

  test('fails if days and months are swapped', async () => {
    const rows = (await all()).map((row) => ({ ...row, at_ms: row.at_ms - 40 * 24 * 60 * 60 * 1000 }));
    await link(world, ...AFTER_LOST);
    await expect(reconcile(rows, '--apply')).rejects.toThrow(
      /Nothing was changed\. Check whether days and months are swapped/,
    );
    expect(await known(world)).toMatchObject({ balance: 1_000_00 });
  });
});

/** Returns the audit entries about a merchant's wallets, or about the operator's settings. */
async function auditOf(merchant?: string) {
  return (await listAudit(world.outside, merchant, '2026-11', { limit: 50, newestFirst: false })).entries;
}

/** Returns the transactions in the wallet’s texts. */
async function everything(): Promise<Movement[]> {
  return (await listSettledTexts(world.outside, WALLET)).filter(({ state }) => state === 'linked');
}

/** Reconciles the wallet with a statement of these transactions. */
function reconcile(rows: readonly Movement[], ...options: string[]) {
  const lines = rows.map(({ id, before, after, at_ms }) =>
    [new Date(at_ms).toISOString(), id, before / 100, after / 100].join(','),
  );
  const file = join(mkdtempSync(join(tmpdir(), 'statement-')), 'statement.csv');
  writeFileSync(file, ['TRANSACTION DATE,F_ID,BAL BEFORE,BAL AFTER', ...lines].join('\n'));
  return admin('reconcile', '--number', '0241234567', '--file', file, ...options);
}

/** Runs a command with JSON output. @throws an error with the command's message. */
async function admin(...words: string[]): Promise<unknown> {
  return JSON.parse(await runAdmin(deployment, ['wallet', ...words, '--json']));
}
