import { expect, test } from 'vitest';
import type { Receipt } from '../../shared/money/receipt/receipt.ts';
import { MINUTE_MS } from '../../shared/runtime/values/calendar.ts';
import { addNumber } from '../support/receipts.ts';
import { type Scene, type Shop, scene } from '../support/scene.ts';
import { seedsOf } from '../support/slice.ts';
import { type BookedText, provenBook } from '../support/wallet-book.ts';
import { type Chance, chanceFrom } from './random.ts';

// Forged texts with the id of a genuine payment arrive in any order, and a person removes each of them. In the end, the
// genuine payment must be where it is without the forged texts.

const GENUINE = 'KOFI MENSAH BOATENG';
const FORGERS = ['AMA SERWAA', 'EVE ANKRAH'];
const NO_SIM = { recipient: null, simNumber: null };
const STEP_MS = 3 * MINUTE_MS;

const WAYS = ['with its SIM', 'without its SIM', 'to the other number'] as const;
type Way = (typeof WAYS)[number];

interface Step {
  readonly what: 'genuine' | 'forged' | 'remove' | 'missing' | 'reversed';
  readonly by?: number;
  readonly way?: Way;
}

interface Story {
  readonly names: 'the bill' | 'no bill';
  readonly steps: readonly Step[];
}

function storyOf(chance: Chance): Story {
  const isLate = chance.happens(0.3);
  const lanes: Step[][] = [genuineLane(chance), ...(isLate ? [[{ what: 'missing' as const }]] : [])];
  for (const by of FORGERS.slice(0, chance.between(1, 2)).keys()) lanes.push(forgedLane(chance, by));
  const steps: Step[] = [];
  while (lanes.some((lane) => lane.length > 0)) {
    const step = chance.pick(lanes.filter((lane) => lane.length > 0)).shift();
    if (step) steps.push(step);
  }
  // A person removes what came after the removal, too.
  steps.push(...FORGERS.map((_, by) => ({ what: 'remove' as const, by })));
  return {
    names: chance.pick(['the bill', 'the bill', 'no bill']),
    steps: chance.happens(0.3) ? [...steps, { what: 'reversed' }] : steps,
  };
}

function genuineLane(chance: Chance): Step[] {
  const ways: Way[] = chance.pick([['with its SIM'], ['with its SIM'], ['without its SIM', 'with its SIM']]);
  return ways.map((way) => ({ what: 'genuine', way }));
}

function forgedLane(chance: Chance, by: number): Step[] {
  const ways = chance.pick([[chance.pick(WAYS)], [chance.pick(WAYS)], ['with its SIM', 'without its SIM']] as const);
  const forged = ways.map((way): Step => ({ what: 'forged', by, way }));
  return chance.happens(0.5) ? [...forged, { what: 'remove', by }] : [...forged.slice(0, 1), { what: 'remove', by }];
}

/** Plays a story and returns where the genuine payment and the bills end. */
async function play({ names, steps }: Story, isForged: boolean) {
  const world = await scene({ inMemory: true });
  world.goToNoon();
  const shop = await world.createShop();
  const book = await provenBook(world, shop, 6);
  const second: Shop = { ...shop, number: await addNumber(world, shop) };
  const [bill, other] = [await shop.charge({ amount: 36 }), await shop.charge({ amount: 36 })];
  const missing = book.spent(5);
  if (!steps.some(({ what }) => what === 'missing')) await shop.arrive(missing);
  const genuine = book.paid(36, { from: GENUINE, reference: names === 'the bill' ? bill : 'rent' });
  const forged = FORGERS.map((from, n) =>
    book.receipt(36, { from, reference: n === 0 ? other : bill, id: genuine.id, balance: 7_000_00 + n * 777 }),
  );
  const send = (text: BookedText | undefined, way: Way = 'with its SIM') => {
    if (!text) throw new Error('The story names no such text');
    if (way === 'to the other number') return second.pay(text);
    return shop.arrive({ ...text, ...(way === 'without its SIM' && NO_SIM) });
  };
  for (const { what, by = 0, way } of steps) {
    if (what === 'genuine') await send(genuine, way);
    if (what === 'missing') await send(missing);
    if (what === 'reversed') await send(book.reversed(genuine, 36));
    if (what === 'forged' && isForged) await send(forged[by], way);
    if (what === 'remove' && isForged) await remove(world, shop, [genuine.id, FORGERS[by]]);
    await pass(world, genuine.id, [shop, second]);
  }
  const receipts: Partial<Receipt>[] = await world.rows('RECEIPT');
  const stored = receipts.find(
    (one) => one.transaction_id === genuine.id && one.payer_name === GENUINE && one.momo_number === shop.number,
  );
  const bills = await Promise.all([bill, other].map((reference) => shop.verified(reference)));
  return {
    payment: [stored?.state, stored?.reason, stored?.proof?.state, stored?.reversal_doubt_at !== undefined],
    bills: bills.map(({ status, amount_paid, disputed, second_payments }) => {
      return [status, amount_paid, disputed, second_payments.length];
    }),
  };
}

/** Lets the checks of all texts end. */
async function pass(world: Scene, id: string, shops: readonly Shop[]) {
  world.clock.nowMs += STEP_MS;
  for (let n = 0; n < 3; n++) {
    await world.followChanges();
    const queued = world.queued.splice(0).filter(({ queue }) => queue === 'settle-receipt');
    const own = shops.map((shop) => ({ receipt_id: shop.paymentId({ network: 'MTN', id }) }));
    for (const body of [...queued.map(({ job }) => job.body), ...own]) await world.work('settle-receipt', [body]);
  }
}

/** Removes all of a forger's texts that a person can see. */
async function remove(world: Scene, shop: Shop, [id, from]: readonly [string, string | undefined]) {
  const manager = await shop.signIn('manager');
  const receipts = await world.rows('RECEIPT');
  const isSeen = (one: (typeof receipts)[number]) => one.merchant_id === shop.id && one.set_aside === undefined;
  for (const one of receipts.filter((text) => text.transaction_id === id && text.payer_name === from && isSeen(text))) {
    const [path, form] =
      one.state === 'matched'
        ? [`charges/${one.reference}/not-there`, { receipt: String(one.receipt_id) }]
        : [`held/${one.receipt_id}/set-aside`, { why: 'The money is not in the wallet.' }];
    await manager.visit(`/dashboard/${path}`, { form });
  }
}

test.each(seedsOf(600, 50))('removed forged texts leave no trace: seed %i', async (seed) => {
  const story = storyOf(chanceFrom(seed));
  const [without, after] = [await play(story, false), await play(story, true)];
  expect(after, JSON.stringify(story)).toEqual(without);
});
