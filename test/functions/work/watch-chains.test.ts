import { beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { handler as housekeeping } from '../../../functions/work/housekeeping.ts';
import { arrivedPesewas } from '../../../shared/ghana/arrived.ts';
import { createReceipt, receiptRows, replaceReceipt } from '../../../shared/money/receipt/receipt.table.ts';
import { nameByOwner } from '../../../shared/money/wallet/name-by-owner.ts';
import { MINUTE_MS } from '../../../shared/runtime/values/calendar.ts';
import { sizeOf } from '../../../shared/texts/sms/segments.ts';
import { listWaiting } from '../../../shared/wallets/chain/chain.table.ts';
import { type Movement, SEVERAL_TEXTS } from '../../../shared/wallets/chain/chain.ts';
import { changeChain } from '../../../shared/wallets/chain/change-chain.ts';
import { linkTexts, notePush } from '../../../shared/wallets/chain/link-texts.ts';
import { balanceQuestion } from '../../../shared/wallets/wallet/ask-owner.ts';
import { meter } from '../../bench/meter.ts';
import { nameMature } from '../../support/name-mature.ts';
import { mtn } from '../../support/receipts.ts';
import { type Merchant, type Scene, scene } from '../../support/scene.ts';
import { at, BEGUN_MINUTE, idsOf, known, link, run, text, WALLET } from '../../support/wallet-chains.ts';
import { noticesOf } from '../../support/wallets.ts';

/** Minute of the first text after the missing one. */
const FIRST = BEGUN_MINUTE + 1;
const AFTER_LOST = 1_036_00;
const CONTACT = '+233551112223';

const Asked = z.object({ since: z.string(), until: z.string(), deviceId: z.string() });

let world: Scene;
let merchant: Merchant;
/** Requests to resend past texts. */
let asked: z.infer<typeof Asked>[];

beforeEach(async () => {
  world = await scene({ inMemory: true });
  at(world, 0);
  await world.createSender(WALLET.momo_number);
  merchant = await world.createMerchant();
  asked = [];
  world.gateway = async (request) => {
    if (request.url.endsWith('/devices')) {
      return Response.json([{ id: 'device-1', name: 'Desk', lastSeen: world.iso() }]);
    }
    if (request.url.endsWith('/inbox/refresh')) asked.push(z.parse(Asked, await request.json()));
    return Response.json({}, { status: 202 });
  };
  at(world, BEGUN_MINUTE - 10);
  await nameMature(world.outside, WALLET, 1_000_00);
  // Eight texts show how the network's ids grow.
  const few = run(BEGUN_MINUTE - 9, 1_000_00, 1_00, -1_00, 1_00, -1_00, 1_00, -1_00, 1_00, -1_00);
  world.clock.nowMs = few.at(-1)?.arrived_ms ?? 0;
  await linkTexts(world.outside, WALLET, few);
});

describe('texts that wait for a missing text', () => {
  test('are linked by housekeeping after the missing text arrives', async () => {
    // The second text waits because it starts where the late first text ends.
    const overtaken = text(FIRST, 990_00, 10_00);
    const next = text(FIRST + 1, 1_000_00, 5_00);
    await link(world, overtaken, next);
    expect(await known(world)).toMatchObject({ balance: 1_000_00 });
    await housekeepAt(FIRST + 4);
    expect(await known(world)).toMatchObject({ balance: 1_005_00, waiting: [overtaken.id] });
  });

  test('stop waiting after a day if later texts were linked', async () => {
    const forged = text(FIRST, 500_00, 250_00);
    await link(world, forged, text(FIRST + 1, 1_000_00, 5_00));
    await housekeepAt(FIRST + 24 * 60);
    expect(await known(world)).toMatchObject({ waiting: [], false: [forged.id] });
  });
});

describe('the phone for a wallet with a missing text', () => {
  test('is asked once to resend recent texts', async () => {
    const [first] = await lose(run(FIRST, AFTER_LOST, 5_00));
    await housekeepAt(FIRST + 1);
    expect(asked).toEqual([]);
    await housekeepAt(FIRST + 2);
    expect(asked).toMatchObject([{ deviceId: 'device-1' }]);
    expect(Date.parse(asked[0]?.since ?? '')).toBeLessThan(Number(first?.at_ms) - MINUTE_MS);
    expect(Date.parse(asked[0]?.until ?? '')).toBeGreaterThan(world.clock.nowMs);
    for (const minute of [3, 13, 23]) await housekeepAt(FIRST + minute);
    expect(asked).toHaveLength(1);
  });

  test('is asked about a second missing text after ten minutes', async () => {
    await lose(run(FIRST, AFTER_LOST, 5_00));
    await housekeepAt(FIRST + 2);
    await lose(run(FIRST + 3, 2_000_00, 5_00));
    await housekeepAt(FIRST + 6);
    expect(asked).toHaveLength(1);
    await housekeepAt(FIRST + 13);
    expect(asked).toHaveLength(2);
  });

  test('is not marked as asked if its gateway does not support resending', async () => {
    const { gateway } = world;
    world.gateway = async (request) =>
      request.url.endsWith('/inbox/refresh') ? Response.json({}, { status: 501 }) : gateway(request);
    await lose(run(FIRST, AFTER_LOST, 5_00));
    await housekeepAt(FIRST + 2);
    expect((await known(world)).chain.inbox_asked_ms).toBeUndefined();
    expect(world.logged.filter(({ level }) => level === 'error')).toEqual([]);
  });

  test('resends the missing text and links the waiting texts', async () => {
    await lose(run(FIRST, AFTER_LOST, 5_00, 6_00));
    await link(world, text(BEGUN_MINUTE, 1_000_00, 36_00, { arrived_ms: world.clock.nowMs + 3 * MINUTE_MS }));
    expect(await known(world)).toMatchObject({ balance: 1_047_00, waiting: [], gaps: [] });
  });
});

describe('the owner of a wallet with unlinked texts', () => {
  beforeEach(() => merchant.change({ contact: CONTACT }));

  test('is asked for the balance after ten minutes', async () => {
    await lose(run(FIRST, AFTER_LOST, 5_00, 1_976_27));
    await housekeepAt(FIRST + 9);
    expect(await questions()).toEqual([]);
    await housekeepAt(FIRST + 10);
    expect(await questions()).toEqual([
      'MoMo 0241234567: a message is missing or forged. Check its balance in the wallet and enter it under Wallets in the dashboard, or tell the operator.',
    ]);
    expect(await world.rows('SEND')).toMatchObject([{ to: [CONTACT], purpose: 'balance_question' }]);
    const unclear = { texts: 2 };
    expect(await notices()).toMatchObject([{ kind: 'balance_unclear', merchant_id: merchant.id, ...unclear }]);
    expect((await known(world)).chain.asked_ms).toBe(world.clock.nowMs);
  });

  test('is not asked again about the same series of texts', async () => {
    await lose(run(FIRST, AFTER_LOST, 5_00, 6_00));
    for (const minute of [10, 11, 45, 90]) await housekeepAt(FIRST + minute);
    expect(await questions()).toHaveLength(1);
  });

  test('is asked even if a second version of a text arrives in the meantime', async () => {
    const lost = await lose(run(FIRST, AFTER_LOST, -5_00).map((one) => ({ ...one, facts_hash: 'one' })));
    const others = lost.map((one) => ({ ...one, facts_hash: 'another' }));
    world.rightBefore('TransactWriteItems', () => linkTexts(world.outside, WALLET, others), 'asked_ms');
    await housekeepAt(FIRST + 10);
    expect(await questions()).toHaveLength(1);
    const [stored] = await listWaiting(world.outside, WALLET);
    expect(stored).toMatchObject({ facts_hash: SEVERAL_TEXTS, asked_ms: world.clock.nowMs });
  });

  test('is asked about a new series after at least half an hour', async () => {
    await lose(run(FIRST, AFTER_LOST, 5_00));
    await housekeepAt(FIRST + 10);
    await lose(run(FIRST + 11, 2_000_00, 5_00, 6_00));
    await housekeepAt(FIRST + 39);
    expect(await questions()).toHaveLength(1);
    await housekeepAt(FIRST + 40);
    expect(await questions()).toHaveLength(2);
  });

  test('is asked about the longest series of texts first', async () => {
    await lose([text(FIRST + 2, 3_000_00, 250_00), ...run(FIRST, AFTER_LOST, 5_00, 6_00)]);
    await housekeepAt(FIRST + 12);
    expect(await notices()).toMatchObject([{ texts: 2 }]);
  });

  test('is asked once about each series of texts', async () => {
    await lose([...run(FIRST, 7_000_00, 1_00, 1_00, 1_00), ...run(FIRST + 3, 9_000_00, 1_00, 1_00, 1_00)]);
    await lose(run(FIRST + 6, AFTER_LOST, 5_00));
    for (let minute = 20; minute < 20 + 6 * 60; minute += 10) await housekeepAt(FIRST + minute);
    expect(await questions()).toHaveLength(3);
  });

  test('is not asked if later texts were linked', async () => {
    await lose([text(FIRST, 500_00, 250_00, { id: text(FIRST + 60, 0, 1).id })]);
    await link(world, text(FIRST + 5, 1_000_00, 2_00));
    await housekeepAt(FIRST + 30);
    expect(await questions()).toEqual([]);
  });

  test('is not asked while a phone is forwarding a backlog of texts', async () => {
    const late = text(FIRST, AFTER_LOST, 5_00);
    await lose([{ ...late, arrived_ms: late.at_ms + 11 * MINUTE_MS }]);
    const second = text(FIRST + 1, 1_041_00, 5_00);
    await lose([{ ...second, arrived_ms: second.at_ms + 20 * MINUTE_MS }]);
    await housekeepAt(FIRST + 22);
    expect(await questions()).toEqual([]);
    await housekeepAt(FIRST + 25);
    expect(await questions()).toHaveLength(1);
  });

  test('is not asked about the current verified balance', async () => {
    await lose(run(FIRST, AFTER_LOST, 5_00, -41_00));
    await housekeepAt(FIRST + 20);
    expect(await questions()).toEqual([]);
  });

  test('gets only the webhook event if the contact is not a mobile number', async () => {
    await merchant.change({ contact: 'ama@example.com' });
    await lose(run(FIRST, AFTER_LOST, 5_00));
    await housekeepAt(FIRST + 10);
    expect(await questions()).toEqual([]);
    expect(await notices()).toMatchObject([{ kind: 'balance_unclear', merchant_id: merchant.id }]);
  });

  test('is not asked about a shared wallet', async () => {
    await world.createMerchant();
    await lose(run(FIRST, AFTER_LOST, 5_00));
    await housekeepAt(FIRST + 10);
    expect(await questions()).toEqual([]);
    const told = (await notices()).map(({ kind, merchant_id }) => [kind, merchant_id]);
    expect(told).toEqual([['balance_unclear', undefined]]);
  });

  test('is asked once if two housekeeping runs overlap', async () => {
    await lose(run(FIRST, AFTER_LOST, 5_00));
    at(world, FIRST + 10);
    await Promise.all([world.housekeeping(), world.housekeeping()]);
    expect(await questions()).toHaveLength(1);
  });

  test('gets a question that fits into one SMS', () => {
    const push = { id: 1, balance: 1, at_ms: 0, arrived_ms: 0 };
    const at_ms = { id: 1, balance: 0, at_ms: 0 };
    const branch = { texts: [], from: at_ms, to: at_ms };
    for (const question of [{ push }, { branch }, { why: 'unproven' }] as const)
      expect(sizeOf(balanceQuestion('+233241234567', question))).toEqual({ segments: 1, encoding: 'GSM-7' });
  });
});

describe('the operator’s view of waiting texts', () => {
  test('is empty if nothing is waiting', async () => {
    const before = world.requests.length;
    await world.housekeeping();
    expect(world.counted.wallets_unread).toBe(0);
    expect(unproven()).toEqual([]);
    expect(world.requests.slice(before)).not.toContain('TransactWriteItems');
  });

  test('shows texts that have waited for ten minutes', async () => {
    await lose(run(FIRST, AFTER_LOST, 5_00));
    await housekeepAt(FIRST + 9);
    expect(unproven()).toEqual([]);
    await housekeepAt(FIRST + 10);
    expect(world.counted.wallets_unread).toBe(1);
    expect(unproven()).toHaveLength(1);
  });

  function unproven() {
    return world.logged.filter(({ event }) => event === 'wallet_unproven').map(({ fields }) => fields?.code);
  }

  test('is still updated if one wallet cannot be read', async () => {
    await lose(run(FIRST, AFTER_LOST, 5_00));
    at(world, FIRST + 10);
    const { outside } = world;
    const list: Scene['outside']['table']['list'] = async (partition, range) => {
      if (partition.startsWith('CHAIN#')) throw new Error('no');
      return outside.table.list(partition, range);
    };
    await housekeeping.with({ ...outside, table: { ...outside.table, list } })();
    expect(world.logged.map(({ event }) => event)).toContain('chain_not_watched');
    expect(world.counted.housekeeping_runs).toBe(1);
  });
});

describe('a balance drop without a text', () => {
  const PAYMENT = text(BEGUN_MINUTE, 1_000_00, 36_00);
  const AFTER = FIRST + 1;
  const suspected = async () => (await notices()).filter(({ kind }) => kind === 'reversal_suspected');

  /** Two texts that start at the balance before the payment. */
  const fall = [text(AFTER, 1_000_00, 5_00), text(AFTER + 1, 1_005_00, 6_00)] as const;

  beforeEach(() => link(world, PAYMENT));

  test('is reported as a suspected reversal after two later texts', async () => {
    const [first, second] = fall;
    await lose([first]);
    await world.housekeeping();
    expect(await suspected()).toEqual([]);
    await lose([second]);
    for (const minute of [2, 3, 4]) await housekeepAt(AFTER + minute);
    const [from, to] = [PAYMENT, first].map(({ at_ms }) => new Date(at_ms).toISOString());
    const payments = [{ transaction_id: String(PAYMENT.id) }];
    const facts = { merchant_id: merchant.id, amount_pesewas: 36_00, from, to, received_at: to, payments };
    expect(await suspected()).toEqual([{ kind: 'reversal_suspected', ...WALLET, ...facts }]);
  });

  test('is reported if the owner enters the lower balance', async () => {
    const [first, second] = fall;
    await lose([first]);
    await nameByOwner(world.outside, WALLET, first.after, { by: 'owner' });
    await link(world, second);
    await world.housekeeping();
    expect(await suspected()).toMatchObject([{ amount_pesewas: 36_00, to: new Date(first.at_ms).toISOString() }]);
  });

  test('is reported after a drop that matches another payment', async () => {
    await link(world, text(FIRST, 1_036_00, 20_00));
    await lose(run(AFTER, 1_020_00, 5_00, 6_00));
    await lose(run(AFTER + 2, 995_00, 5_00, 6_00));
    await world.housekeeping();
    expect(await suspected()).toMatchObject([{ amount_pesewas: 36_00 }, { amount_pesewas: 36_00 }]);
  });

  test('is reported for the second of two drops although a stranger’s texts came between them', async () => {
    await link(world, text(FIRST, 1_036_00, 20_00));
    await lose(run(AFTER, 1_020_00, 5_00, 6_00));
    await lose(run(AFTER + 2, 7_777_00, 5_00, 6_00));
    await lose(run(AFTER + 4, 1_011_00, 5_00, 6_00));
    await world.housekeeping();
    const amounts = (await suspected()).map((notice) => Object(notice).amount_pesewas);
    expect(amounts).toEqual(expect.arrayContaining([36_00, 20_00]));
  });

  test('is reported for the verified payment although strangers sent five texts of its amount', async () => {
    await lose(Array.from({ length: 5 }, (_, n) => text(FIRST + n / 10, 7_000_00 + n * 1_000_00, 36_00)));
    await lose(run(AFTER, 1_000_00, 5_00, 6_00));
    await world.housekeeping();
    const [notice] = await suspected();
    expect(Object(notice).payments).toContainEqual({ transaction_id: String(PAYMENT.id) });
  });

  test('names the payment in the series before it first, although strangers’ newer texts of its amount paid bills', async () => {
    await link(world, text(FIRST, 1_036_00, 20_00));
    await lose([text(FIRST + 0.5, 5_000_00, 1_00)]);
    const before = await lose(run(AFTER, 1_020_00, 50_00, 6_00));
    const strangers = Array.from({ length: 5 }, (_, n) => text(AFTER + 1 + n / 10, 7_000_00 + n * 1_000_00, 50_00));
    await lose(strangers);
    for (const { receipt_id = '', id, at_ms } of [...before.slice(0, 1), ...strangers]) {
      const received_at = new Date(at_ms).toISOString();
      const facts = { network: 'MTN', transaction_id: String(id), amount_pesewas: arrivedPesewas(50_00) } as const;
      await world.outside.table.write([createReceipt({ receipt_id, received_at, ...facts, state: 'matched' })]);
    }
    await lose(run(AFTER + 3, 1_026_00, 5_00, 6_00));
    await world.housekeeping();
    const notice = (await suspected()).find((one) => Object(one).amount_pesewas === 50_00);
    const [first] = idsOf(before);
    const newest = idsOf(strangers).slice(1).toReversed();
    expect(notice).toMatchObject({ payments: [first, ...newest].map((id) => ({ transaction_id: String(id) })) });
  });

  test('is reported without a false text of its amount', async () => {
    const forged = text(FIRST, 7_000_00, 36_00);
    await lose([forged]);
    await link(world, text(FIRST + 1, 1_036_00, 10_00));
    await housekeepAt(FIRST + 24 * 60);
    expect(await known(world)).toMatchObject({ false: [forged.id] });
    await lose(run(FIRST + 24 * 60 + 1, 1_010_00, 5_00, 6_00));
    await world.housekeeping();
    expect(await suspected()).toMatchObject([{ payments: [{ transaction_id: String(PAYMENT.id) }] }]);
  });

  test('is reported with the newest five payments of the amount', async () => {
    const others = run(FIRST, 1_036_00, ...Array.from({ length: 6 }, () => 36_00));
    await link(world, ...others, text(FIRST + 6, 1_252_00, 20_00));
    await lose(run(FIRST + 7, 1_236_00, 5_00, 6_00));
    await world.housekeeping();
    const payments = idsOf(others.slice(1).toReversed()).map((id) => ({ transaction_id: String(id) }));
    expect(await suspected()).toMatchObject([{ payments }]);
  });

  describe('below texts that anybody could have written', () => {
    const last = run(AFTER + 2, 905_00, 5_00, 6_00);
    beforeEach(async () => {
      await lose(run(AFTER, 900_00, 5_00, 36_00));
      await lose(last);
    });

    test('is not reported', async () => {
      await world.housekeeping();
      expect(await suspected()).toEqual([]);
    });

    test('is reported once the owner enters the balance', async () => {
      await nameByOwner(world.outside, WALLET, last.at(-1)?.after ?? 0, { by: 'owner' });
      await world.housekeeping();
      expect(await suspected()).toMatchObject([{ amount_pesewas: 36_00 }]);
    });
  });

  test.each([
    ['is reported without previously reversed payments', FIRST - 1, true],
    ['is not reported if a text reported the reversal', AFTER, false],
  ])('%s', async (_, minute, isTold) => {
    const other = text(FIRST, 1_036_00, 36_00);
    await link(world, other);
    await reverse(PAYMENT, minute);
    await lose(run(AFTER, 1_036_00, 5_00, 6_00));
    await world.housekeeping();
    const payments = [{ transaction_id: String(other.id) }];
    expect(await suspected()).toMatchObject(isTold ? [{ payments }] : []);
    expect(await suspected()).toHaveLength(isTold ? 1 : 0);
  });

  test('is not measured from the end of a single text', async () => {
    await link(world, text(FIRST, 1_036_00, 50_00));
    // The first text shows a drop of GHS 36. The others begin GHS 50 below its end.
    await lose([text(AFTER, 1_050_00, 5_00), ...run(AFTER + 1, 1_005_00, 5_00, 6_00)]);
    await world.housekeeping();
    expect(await suspected()).toEqual([]);
  });

  test('is not reported because of a single text', async () => {
    await lose([text(AFTER + 3, 500_00, 36_00), ...run(AFTER + 4, 500_00, 5_00, 6_00)]);
    await world.housekeeping();
    expect(await suspected()).toEqual([]);
  });

  test.each<[string, () => Promise<unknown>]>([
    ['the drop matches no payment', () => lose(run(AFTER, 999_00, 5_00, 6_00))],
    ['the drop matches a payment over a month old', () => lose(run(AFTER + 31 * 24 * 60, 1_000_00, 5_00, 6_00))],
    ['it is a transfer to the bank', () => sentToBank()],
    ['it was first seen more than twelve minutes ago', () => looksLate()],
  ])('is not reported if %s', async (_, happens) => {
    await happens();
    await world.housekeeping();
    expect(await suspected()).toEqual([]);
  });

  test('is reported although a text reports a transfer to the bank that left another balance', async () => {
    await sentToBank(777_77);
    await world.housekeeping();
    expect(await suspected()).toMatchObject([{ amount_pesewas: 36_00 }]);
  });

  test('is reported after a transfer to the bank once the owner enters the balance', async () => {
    const { id, at_ms } = text(FIRST, 0, 1);
    await notePush(world.outside, WALLET, { id, balance: 936_00, at_ms, arrived_ms: at_ms });
    const last = run(AFTER, 900_00, 5_00, 6_00);
    await lose(last);
    await world.housekeeping();
    // A stranger could have written all of these texts.
    expect(await suspected()).toEqual([]);
    await nameByOwner(world.outside, WALLET, last.at(-1)?.after ?? 0, { by: 'owner' });
    expect(await suspected()).toMatchObject([{ amount_pesewas: 36_00 }]);
  });

  test.each([
    ['before the drop began', BEGUN_MINUTE - 0.5],
    ['after the drop', AFTER + 0.5],
  ])('is not measured from a transfer to the bank %s', async (_, minute) => {
    const { id, at_ms } = text(minute, 0, 1);
    await notePush(world.outside, WALLET, { id, balance: 936_00, at_ms, arrived_ms: at_ms });
    const last = run(AFTER, 900_00, 5_00, 6_00);
    await lose(last);
    await nameByOwner(world.outside, WALLET, last.at(-1)?.after ?? 0, { by: 'owner' });
    expect(await suspected()).toEqual([]);
  });

  test('is not reported for an empty wallet even if the owner enters the balance', async () => {
    await link(world, text(FIRST, 1_036_00, -1_036_00));
    await link(world, text(FIRST + 0.5, 0, 36_00));
    await lose(run(AFTER, 0, 5_00, 6_00));
    await nameByOwner(world.outside, WALLET, 11_00, { by: 'owner' });
    expect(await suspected()).toEqual([]);
  });

  test('is not reported because a third text arrives more than twelve minutes after the first two', async () => {
    const [first, third] = [text(AFTER, 1_000_00, 5_00), text(AFTER + 2, 1_011_00, 7_00)];
    const late = text(AFTER + 1, 1_005_00, 6_00, { arrived_ms: text(AFTER + 14, 0, 1).at_ms });
    await lose([first, third, late]);
    at(world, AFTER + 14.5);
    await world.housekeeping();
    expect(await suspected()).toEqual([]);
  });

  test('is not reported if the wallet is empty, because anybody could have written the text before', async () => {
    await link(world, text(FIRST, 1_036_00, -1_036_00));
    await link(world, text(FIRST + 0.5, 0, 36_00));
    await lose(run(AFTER, 0, 5_00, 6_00));
    await world.housekeeping();
    expect(await suspected()).toEqual([]);
  });

  test('is reported only once the owner enters the balance if the wallet was empty shortly before', async () => {
    await link(world, text(FIRST, 1_036_00, -1_036_00));
    await link(world, text(FIRST + 0.5, 0, 86_00));
    const last = run(AFTER, 50_00, 5_00, 6_00);
    await lose(last);
    await world.housekeeping();
    expect(await suspected()).toEqual([]);
    await nameByOwner(world.outside, WALLET, last.at(-1)?.after ?? 0, { by: 'owner' });
    expect(await suspected()).toMatchObject([{ amount_pesewas: 36_00 }]);
  });

  test('is reported beside many forged texts', async () => {
    for (let n = 0; n < 3; n++) await lose(run(FIRST + n / 10, 7_000_00 + n * 1_000_00, 5_00, 6_00));
    await lose(fall);
    await world.housekeeping();
    expect(await suspected()).toMatchObject([{ amount_pesewas: 36_00 }]);
  });

  test('is reported to no merchant if several merchants share the wallet', async () => {
    await world.createMerchant();
    const { receipt_id = '' } = PAYMENT;
    const paid = { network: 'MTN', transaction_id: String(PAYMENT.id), amount_pesewas: arrivedPesewas(36_00) } as const;
    const arrived = { receipt_id, received_at: new Date(PAYMENT.at_ms).toISOString(), merchant_id: merchant.id };
    await world.outside.table.write([createReceipt({ ...arrived, ...paid, state: 'held', reason: 'no_charge' })]);
    await lose(run(AFTER, 1_000_00, 5_00, 6_00));
    await world.housekeeping();
    const [notice] = await suspected();
    expect(notice).toMatchObject({ amount_pesewas: 36_00, payments: [{ transaction_id: String(PAYMENT.id) }] });
    expect(notice).not.toHaveProperty('merchant_id');
  });

  /** Reverses a payment that had paid a charge. */
  async function reverse({ id, receipt_id = '' }: Movement, minute: number) {
    const reference = await merchant.charge({ amount: 36 });
    const row = (await world.rows('TRANSACTION')).find((one) => one.reference === reference);
    const reversed_at = new Date(text(minute, 0, 1).at_ms).toISOString();
    const facts = {
      network: 'MTN',
      transaction_id: String(id),
      amount_pesewas: arrivedPesewas(36_00),
      reference,
    } as const;
    await world.outside.table.write([
      { put: { Item: { pk: '', sk: '', ...row, state: 'reversed', reversed_at } } },
      createReceipt({ receipt_id, received_at: reversed_at, ...facts, state: 'held', reason: 'reversed' }),
    ]);
  }

  async function sentToBank(balance = 1_000_00) {
    const { id, at_ms } = text(FIRST, 0, 1);
    await notePush(world.outside, WALLET, { id, balance, at_ms, arrived_ms: at_ms });
    await lose(run(AFTER, 1_000_00, 5_00, 6_00));
  }

  async function looksLate() {
    await lose(run(AFTER, 1_000_00, 5_00, 6_00));
    at(world, AFTER + 14);
  }
});

describe('a flood of forged texts', () => {
  const flood = (count: number) =>
    Array.from({ length: count }, (_, n) => text(FIRST + n / 1000, 5_000_00 + n * 7, 1_00));

  test('is fully read only every ten minutes', async () => {
    await lose(flood(120));
    const readOf = async (minute: number) => {
      at(world, FIRST + minute);
      return (await meter(world, world.housekeeping)).requests.filter((request) => request === 'Query').length;
    };
    // The test starts on the hour.
    const toTenth = 10 - (FIRST % 10);
    const [whole, between] = [await readOf(toTenth), await readOf(toTenth + 1)];
    expect(whole - between).toBeGreaterThanOrEqual(2);
  });

  test('causes fewer reads while balances are being guessed', async () => {
    await lose(flood(120));
    const minute = 11 - (FIRST % 10);
    const unitsOf = async () => {
      at(world, FIRST + minute);
      return (await meter(world, world.housekeeping)).readUnits;
    };
    const open = await unitsOf();
    await changeChain(world.outside, WALLET, () => ({ failed_ms: [1, 2, 3].map(() => world.clock.nowMs) }));
    expect(open - (await unitsOf())).toBeGreaterThanOrEqual(2);
    expect(world.counted.wallets_unread).toBe(2);
  });

  test('delays the question to the owner by at most ten minutes', async () => {
    await lose([...flood(120), ...run(FIRST + 1, AFTER_LOST, 5_00, 6_00)]);
    for (let minute = 1; minute <= 22; minute++) await housekeepAt(FIRST + minute);
    expect((await notices()).length).toBeGreaterThan(0);
  });
});

describe('a held payment whose check has ended', () => {
  const waits = text(FIRST, AFTER_LOST, 5_00);
  const receipt_id = String(waits.receipt_id);
  beforeEach(async () => {
    const received_at = new Date(waits.at_ms).toISOString();
    const facts = { network: 'MTN', transaction_id: String(waits.id), amount_pesewas: arrivedPesewas(5_00) } as const;
    const receipt = { receipt_id, state: 'held', reason: 'checking', received_at, ...facts } as const;
    await world.outside.table.write([createReceipt(receipt)]);
    await lose([waits]);
  });

  test('is requeued at most every ten minutes if its job was lost', async () => {
    const queued: number[] = [];
    for (const minute of [2, 3, 4, 12, 13, 14]) {
      at(world, FIRST + minute);
      world.queued.length = 0;
      await world.housekeeping();
      if (jobs().length > 0) queued.push(minute);
      expect(jobs()).toEqual(jobs().length > 0 ? [{ receipt_id }] : []);
    }
    expect(queued).toEqual([3, 13]);
  });

  test('is not requeued after it has been settled', async () => {
    const receipt = await receiptRows.find(world.outside, { receipt_id });
    if (!receipt) throw new Error('There is no receipt');
    await world.outside.table.write([replaceReceipt(receipt, { ...receipt, reason: 'balance_gap' })]);
    await housekeepAt(FIRST + 3);
    expect(jobs()).toEqual([]);
  });

  function jobs() {
    return world.queued.filter(({ queue }) => queue === 'settle-receipt').map(({ job }) => job.body);
  }
});

test('settling an unverified held payment again changes nothing', async () => {
  const shop = await world.createShop();
  const receipt = mtn();
  expect(await shop.pay(receipt)).toMatchObject({ state: 'held', proof: { state: 'unproven' } });
  const before = await shop.receipt(receipt);
  await world.settle({ receipt_id: shop.paymentId(receipt) });
  expect(await shop.receipt(receipt)).toEqual(before);
});

/** Runs housekeeping at this minute. */
async function housekeepAt(minute: number): Promise<void> {
  at(world, minute);
  await world.housekeeping();
}

/** Receives texts that follow a missing one. */
async function lose(texts: readonly Movement[]): Promise<readonly Movement[]> {
  await link(world, ...texts);
  expect((await known(world)).waiting).toEqual(expect.arrayContaining(idsOf(texts)));
  return texts;
}

async function questions(): Promise<unknown[]> {
  return (await world.rows('SEND')).map(({ message }) => message);
}

function notices() {
  return noticesOf(world, { network: 'MTN', number: WALLET.momo_number });
}
