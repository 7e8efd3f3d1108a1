import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { itemBytes } from '../../../shared/runtime/table/item-bytes.ts';
import { HOUR_MS } from '../../../shared/runtime/values/calendar.ts';
import {
  addGap,
  addSettled,
  createChain,
  getTexts,
  listGaps,
  listSettledTexts,
  listWaiting,
  replaceChain,
  textsAfter,
} from '../../../shared/wallets/chain/chain.table.ts';
import { type Chain, headOf, type Movement, SEVERAL_TEXTS } from '../../../shared/wallets/chain/chain.ts';
import { changeChain, requireChain } from '../../../shared/wallets/chain/change-chain.ts';
import { checkText } from '../../../shared/wallets/chain/check-text.ts';
import { linkTexts } from '../../../shared/wallets/chain/link-texts.ts';
import { nameBalance } from '../../../shared/wallets/chain/name-balance.ts';
import { FEW_WAITING } from '../../../shared/wallets/chain/plan-links.ts';
import { meter } from '../../bench/meter.ts';
import { VirtualTime } from '../../support/virtual-time.ts';
import { createWorld, type World } from '../../support/world.ts';
import { at, chainAt, idOf, text, WALLET } from './texts.ts';

const CHAIN = chainAt(0, 100);

const placeAt = (minute: number, balance: number) => ({ id: idOf(minute), balance, at_ms: at(minute) });
const UNSURE = { state: 'unproven', why: 'balance_unsure' };
const GAP = { from: placeAt(-20, 10), to: placeAt(-10, 70) };

/** A world in which `CHAIN` is stored and no text is waiting. */
let world: World;
beforeEach(async () => {
  world = await worldWith([]);
});

test('the texts after a position are found although the network’s count began again', async () => {
  const before = placeAt(0, 100);
  const again = { id: 17, at_ms: at(1), balance: 150 };
  const linked = text(1, 100, 150, { id: again.id });
  await world.outside.table.write([addSettled(world.outside, WALLET, { ...linked, state: 'linked' })]);
  const chain = { ...CHAIN, recent: [before, again] };
  expect(await textsAfter(world.outside, WALLET, chain, before)).toEqual([linked]);
});

describe('linkTexts with one text', () => {
  test('links a waiting text that continues from the linked text', async () => {
    await linkTexts(world.outside, WALLET, [text(2, 150, 90)]);
    expect(await stateOf(world)).toMatchObject({ head: 100, waiting: [90] });
    await linkTexts(world.outside, WALLET, [text(1, 100, 150)]);
    expect(await stateOf(world)).toEqual({ head: 90, links: 102, linked: [150, 90], waiting: [] });
  });

  test('stores a repeated text once', async () => {
    const texts = [text(1, 100, 150), text(5, 7000, 8000)];
    await linkTexts(world.outside, WALLET, [...texts, ...texts]);
    const before = await stateOf(world);
    await linkTexts(world.outside, WALLET, texts);
    expect(await stateOf(world)).toEqual(before);
    expect(before).toEqual({ head: 150, links: 101, linked: [150], waiting: [8000] });
  });

  test('does not replace a text with a different text that has the same id', async () => {
    const genuine = text(1, 100, 150);
    await linkTexts(world.outside, WALLET, [{ ...genuine, before: 900, after: 950 }, genuine]);
    expect(await stateOf(world)).toMatchObject({ head: 150, waiting: [950] });
  });

  test('fills a whole gap together with waiting texts', async () => {
    await world.outside.table.write([replaceChain(CHAIN, { ...CHAIN, gaps: 1 }), addGap(WALLET, GAP)]);
    await linkTexts(world.outside, WALLET, [text(-12, 30, 50)]);
    await linkTexts(world.outside, WALLET, [text(-15, 10, 30)]);
    expect((await stateOf(world)).waiting).toEqual([30, 50]);
    await linkTexts(world.outside, WALLET, [text(-11, 50, 70)]);
    expect(await listGaps(world.outside, WALLET)).toEqual([]);
    expect(await requireChain(world.outside, WALLET)).toMatchObject({ gaps: 0, waiting: 0, links: 103 });
  });

  test('links two late texts before a later text', async () => {
    await linkTexts(world.outside, WALLET, [text(3, 100, 170)]);
    await linkTexts(world.outside, WALLET, [text(1, 100, 150), text(2, 150, 100)]);
    expect(await stateOf(world)).toEqual({ head: 170, links: 103, linked: [150, 100, 170], waiting: [] });
  });
});

describe('two different texts about one outgoing payment', () => {
  const one = { ...text(1, 100, 60), facts_hash: 'one' };
  const other = { ...one, facts_hash: 'other' };
  const waiting = { ...text(5, 8000, 7000), facts_hash: 'one' };

  test.each([
    ['together', [[one, other]]],
    ['one after another', [[one], [other]]],
    ['one after another, the first one twice', [[one], [other], [one]]],
  ])('are marked if they arrive %s', async (_, batches) => {
    for (const texts of batches) await linkTexts(world.outside, WALLET, texts);
    expect(await getTexts(world.outside, WALLET, [one])).toMatchObject([
      { state: 'linked', facts_hash: SEVERAL_TEXTS },
    ]);
    expect(await stateOf(world)).toMatchObject({ head: 60, linked: [60] });
  });

  test('are marked if the first is still waiting', async () => {
    for (const texts of [[waiting], [{ ...waiting, facts_hash: 'other' }]])
      await linkTexts(world.outside, WALLET, texts);
    const [stored] = await getTexts(world.outside, WALLET, [waiting]);
    expect(stored).toMatchObject({ state: 'waiting', facts_hash: SEVERAL_TEXTS });
  });
});

test('a waiting text is linked after two minutes without a new text', async () => {
  await linkTexts(world.outside, WALLET, [text(2, 150, 100), text(3, 100, 170)]);
  expect((await stateOf(world)).waiting).toEqual([100, 170]);
  world.clock.nowMs = at(6);
  await linkTexts(world.outside, WALLET, []);
  expect(await stateOf(world)).toMatchObject({ head: 170, waiting: [100] });
});

test('a hundred waiting texts are linked within DynamoDB’s transaction limits', async () => {
  const world = await worldWith(Array.from({ length: 100 }, (_, n) => text(2 + n, 150 + n, 151 + n)));
  await linkTexts(world.outside, WALLET, [text(1, 100, 150)]);
  expect(await stateOf(world)).toMatchObject({ head: 250, links: 201, waiting: [] });
});

test('no text is lost if several workers link simultaneously', async () => {
  const texts = Array.from({ length: 6 }, (_, n) => text(1 + n, 100 + n, 101 + n));
  await Promise.all(texts.toReversed().map((one) => linkTexts(world.outside, WALLET, [one])));
  await linkTexts(world.outside, WALLET, []);
  expect(await stateOf(world)).toMatchObject({ head: 106, links: 106, waiting: [] });
});

describe('linkTexts with several texts', () => {
  const first = text(1, 100, 150);

  test('stores texts once if their previous text is missing', async () => {
    await linkTexts(world.outside, WALLET, [first, text(3, 170, 180), text(4, 180, 190)]);
    expect(await stateOf(world)).toMatchObject({ head: 150, waiting: [180, 190] });
    expect(await requireChain(world.outside, WALLET)).toMatchObject({ version: 1, waiting: 2 });
  });

  test('does not count a text that arrives early as a guess', async () => {
    await linkTexts(world.outside, WALLET, [first, text(3, 170, 180), text(4, 180, 190)]);
    expect((await requireChain(world.outside, WALLET)).failed_ms).toBeUndefined();
  });

  test('does not verify a correct guess among wrong ones', async () => {
    const time = new VirtualTime(world.clock, () => world.requests.length);
    world.outside.sleep = (ms) => time.sleep(ms);
    const wrong = Array.from({ length: 40 }, (_, n) => text(1 + n / 100, 7000 + 13 * n, 490_000 + 13 * n));
    const others = [0, 10, 20, 30].map((n) => linkTexts(world.outside, WALLET, wrong.slice(n, n + 10)));
    const right = text(2, 100, 490_100);
    time.after(125, () => others.push(linkTexts(world.outside, WALLET, [right])));
    await time.run(HOUR_MS);
    await Promise.allSettled(others);
    expect(await getTexts(world.outside, WALLET, [right])).toMatchObject([{ state: 'waiting' }]);
  });

  test('links texts that return to an earlier balance', async () => {
    world.clock.nowMs = at(2);
    await linkTexts(world.outside, WALLET, [text(1.5, 150, 100)]);
    await linkTexts(world.outside, WALLET, [text(2, 100, 170)]);
    await linkTexts(world.outside, WALLET, [text(1, 100, 150)]);
    world.clock.nowMs = at(6);
    await linkTexts(world.outside, WALLET, []);
    expect(await stateOf(world)).toMatchObject({ head: 170, waiting: [] });
  });

  test('retries after a transaction conflict', async () => {
    let tries = 0;
    const usual = world.dynamoDb;
    world.dynamoDb = async (request, send) => {
      if (request.command !== 'TransactWriteItems' || ++tries > 1) return usual(request, send);
      throw new TransactionCanceledException({
        message: 'Transaction cancelled',
        $metadata: {},
        CancellationReasons: [{ Code: 'TransactionConflict' }, { Code: 'None' }],
      });
    };
    world.requests.length = 0;
    await linkTexts(world.outside, WALLET, [first]);
    expect(world.requests).toEqual([
      ...['GetItem', 'BatchGetItem', 'TransactWriteItems'],
      ...['GetItem', 'BatchGetItem', 'TransactWriteItems'],
    ]);
  });
});

describe('linkTexts', () => {
  test('verifies nothing from a balance of 0 until the owner names a balance on the path', async () => {
    const texts = [text(1, 100, 0), text(2, 0, 1050), text(3, 1050, 1170)];
    await linkTexts(world.outside, WALLET, texts.slice(0, 2));
    expect(await stateOf(world)).toMatchObject({ head: 1050, waiting: [] });
    expect((await checkText(world.outside, WALLET, texts[1])).proof).toEqual(UNSURE);
    world.clock.nowMs = at(2.5);
    await nameBalance(world.outside, WALLET, 1050);
    await linkTexts(
      world.outside,
      WALLET,
      texts.slice(2).map((one) => ({ ...one, arrived_ms: at(3) })),
    );
    expect((await checkText(world.outside, WALLET, texts[1])).proof).toEqual(UNSURE);
    expect((await checkText(world.outside, WALLET, texts[2])).proof).toEqual({ state: 'proven' });
  });

  test('links nothing while somebody guesses balances', async () => {
    await changeChain(world.outside, WALLET, () => ({ failed_ms: [at(1), at(1), at(1)] }));
    await linkTexts(world.outside, WALLET, [text(4, 100, 150)]);
    expect(await stateOf(world)).toMatchObject({ head: 100, waiting: [150] });
    world.clock.nowMs = at(1) + 30 * 24 * 60 * 60_000;
    await linkTexts(world.outside, WALLET, []);
    expect(await stateOf(world)).toMatchObject({ head: 150, waiting: [] });
  });

  test('counts three unlinked texts as guesses', async () => {
    const world = await worldWith([7000, 7010, 7020].map((before, n) => text(1 + n / 10, before, 9000 + n)));
    world.clock.nowMs = at(5);
    await linkTexts(world.outside, WALLET, [text(4, 100, 150)]);
    expect(await stateOf(world)).toMatchObject({ head: 100 });
    expect((await requireChain(world.outside, WALLET)).failed_ms).toEqual([at(5), at(5), at(5)]);
  });

  test('goes back to a position from which two texts continue', async () => {
    const [forged, after] = [text(1, 100, 777), text(2, 777, 800)];
    await linkTexts(world.outside, WALLET, [forged, after]);
    await linkTexts(world.outside, WALLET, [text(3, 100, 130)]);
    expect(await stateOf(world)).toMatchObject({ head: 800, waiting: [130] });
    world.clock.nowMs = at(5);
    await linkTexts(world.outside, WALLET, []);
    const chain = await requireChain(world.outside, WALLET);
    expect(chain).toMatchObject({ links: 100, waiting: 3, recent: expect.arrayContaining([headOf(CHAIN)]) });
    expect(headOf(chain)).toEqual(headOf(CHAIN));
    expect((await listWaiting(world.outside, WALLET)).map(({ after: balance }) => balance)).toEqual([777, 800, 130]);
    expect(await listSettledTexts(world.outside, WALLET)).toMatchObject(
      [777, 800].map((balance) => ({ state: 'contested', after: balance })),
    );
  });
});

test('at most 4,000 waiting texts are stored', async () => {
  await changeChain(world.outside, WALLET, () => ({ waiting: 3999 }));
  await linkTexts(world.outside, WALLET, [text(4, 7000, 8000), text(5, 7000, 8000)]);
  expect((await requireChain(world.outside, WALLET)).waiting).toBe(4000);
  expect(await listWaiting(world.outside, WALLET)).toHaveLength(1);
});

describe('the cost of linking a text', () => {
  test.each([50, 2500])('does not depend on the number of waiting texts: %i', async (count) => {
    const world = await worldWith(
      Array.from({ length: count }, (_, n) => text(2 + n / 1000, 9000 + 7 * n, 9005 + 7 * n)),
    );
    const forged = await meter(world, () => linkTexts(world.outside, WALLET, [text(9, 777, 888)]));
    const again = await meter(world, () => linkTexts(world.outside, WALLET, [], FEW_WAITING));
    expect({ forged: forged.readUnits, again: again.readUnits }).toEqual({ forged: 3, again: 1 });
    // A correct guess costs the same while guesses are being counted.
    await changeChain(world.outside, WALLET, () => ({ failed_ms: [at(1), at(1), at(1)] }));
    const right = await meter(world, () => linkTexts(world.outside, WALLET, [text(10, 100, 888)]));
    expect(right.readUnits).toBe(3);
  });

  test('includes no reads of waiting texts if many are forged', async () => {
    const world = await worldWith(Array.from({ length: 120 }, (_, n) => text(2 + n / 100, 9000 + 7 * n, 9005 + 7 * n)));
    const used = await meter(world, () => linkTexts(world.outside, WALLET, [text(4, 777, 888)]));
    expect(used.requests).toEqual(['GetItem', 'BatchGetItem', 'TransactWriteItems']);
  });

  test('is two written rows if the text can be linked immediately', async () => {
    const used = await meter(world, () => linkTexts(world.outside, WALLET, [text(1, 100, 150, { receipt_id })]));
    // A transactional write of up to 1 KB costs two units.
    expect({ changes: used.changes.length, writeUnits: used.writeUnits }).toEqual({ changes: 2, writeUnits: 4 });
  });

  test('is at most 1 KB for the chain’s row', async () => {
    const places = Array.from({ length: 8 }, (_, n) => ({ id: 123_456_789_012 + n, balance: 7_654_321, at_ms: at(n) }));
    const clock = { anchors: places.slice(4), lately: places.slice(4), fastest: 1.234_567_890_123_456_7 };
    const counts = { links: 98_765, gaps: 123, waiting: 1234, version: 123_456 };
    const old: Chain = { ...CHAIN, recent: places, clock, ...counts, asked_ms: at(9) };
    await world.outside.table.write([replaceChain(CHAIN, old)]);
    const row = await world.outside.table.get({ pk: `CHAIN#MTN#${WALLET.momo_number}`, sk: 'CHAIN' });
    expect(itemBytes(z.parse(z.looseObject({ version: z.number() }), row))).toBeLessThan(1024);
  });

  test('is six written rows if the text has to wait first', async () => {
    const waits = await meter(world, () => linkTexts(world.outside, WALLET, [text(2, 150, 190, { receipt_id })]));
    const links = await meter(world, () => linkTexts(world.outside, WALLET, [text(1, 100, 150, { receipt_id })]));
    expect({ waits: waits.changes.length, links: links.changes.length }).toEqual({ waits: 2, links: 4 });
    expect({ waits: waits.writeUnits, links: links.writeUnits }).toEqual({ waits: 5, links: 9 });
  });
});

const receipt_id = 'MTN-95000046000';

/** Creates a wallet whose chain ends at a balance of 100 at 10:00, a minute after the last of the waiting texts. */
async function worldWith(waiting: readonly Movement[]): Promise<World> {
  const world = await createWorld();
  world.clock.nowMs = at(3);
  await world.outside.table.write([createChain(CHAIN)]);
  for (let n = 0; n < waiting.length; n += 40) await linkTexts(world.outside, WALLET, waiting.slice(n, n + 40));
  return world;
}

/** Returns the chain and its texts, each identified by the balance after it. */
async function stateOf({ outside }: World) {
  const chain = await requireChain(outside, WALLET);
  const waiting = await listWaiting(outside, WALLET);
  expect(chain.waiting).toBe(waiting.length);
  const settled = await listSettledTexts(outside, WALLET);
  expect(await getTexts(outside, WALLET, waiting)).toHaveLength(waiting.length);
  const [linked, left] = [settled, waiting].map((texts) => texts.map(({ after }) => after));
  return { head: headOf(chain).balance, links: chain.links, linked, waiting: left };
}
