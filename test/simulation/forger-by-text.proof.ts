import { expect, test } from 'vitest';
import { changeRole } from '../../shared/merchants/user/user.table.ts';
import { confirmByOwner, denyByOwner } from '../../shared/money/wallet/confirm-by-owner.ts';
import { MINUTE_MS } from '../../shared/runtime/values/calendar.ts';
import { questionRows } from '../../shared/texts/question/question.table.ts';
import { chainRows } from '../../shared/wallets/chain/chain.table.ts';
import { signIn } from '../support/dashboard.ts';
import { reportFigure } from '../support/figures.ts';
import {
  type Asked,
  answered,
  arrives,
  askedShop,
  createLine,
  lastQuestion,
  pass,
  questions,
  run,
  write,
} from '../support/owner-by-text.ts';
import { arrive, placeNumber } from '../support/receipts.ts';
import { createWorld, type World } from '../support/world.ts';
import { chanceFrom } from './random.ts';

/**
 * A forger replies to a question under an owner's number. The forger sees when a question is open and knows everything
 * except the current code. A correct guess is allowed only after the maximum number of wrong guesses.
 */

const LINE = '+233247770001';
const OTHER_LINE = '+233247770002';
const OWNER = '+233551112223';
const FORGER = '+233551112224';

const MOVES = [
  'guesses, one after another',
  'guesses, all at once',
  'an old code',
  'the code, from another number',
  'the code, to another number',
  'the code, after ten minutes',
  'the code, after the owner’s answer',
  'the code of their own shop’s question',
] as const;
/** Must be the last move, because it removes the owner's role. */
const LAST_MOVE = 'the code, after the owner has lost that role';
type Move = (typeof MOVES)[number] | typeof LAST_MOVE;

test.each([1, 2, 3])('replies that spoof an owner’s number are rejected (seed %i)', async (seed) => {
  const { world, victim, forger } = await play();
  const chance = chanceFrom(seed);
  const moves: Move[] = [...chance.shuffled([...MOVES, ...MOVES]), LAST_MOVE];
  let forged = 0;
  const known: string[] = [];
  for (const [n, move] of moves.entries()) {
    // Each move is on a different day, with a new limit on guesses.
    world.clock.nowMs += 24 * 60 * MINUTE_MS;
    const isGenuine = chance.happens(0.5);
    await arrive(
      world,
      victim.shop,
      isGenuine ? victim.book.sentToBank(chance.between(1, 9)) : victim.book.bankText(777.77 + n),
    );
    await pass(world, 0);
    const { code, text } = await lastQuestion(world, victim.shop);
    const balance = isGenuine ? victim.book.pesewas : Math.round((777.77 + n) * 100);
    const asksBalance = text.includes('Reply with its balance');
    const before = await said(world, victim);
    forged += await attempt(world, { victim, forger, move, code, known, isGenuine, balance, asksBalance });
    // Only the owner's answers were accepted.
    expect({ move, said: await said(world, victim) }).toEqual({ move, said: [...before, ...owners.splice(0)] });
    known.push(code);
    world.clock.nowMs += 11 * MINUTE_MS;
    // The next question is about the next text.
    await settleQuestion(world, victim);
  }
  expect(forged).toBeGreaterThan(40);
  reportFigure(`an owner’s number that is spoofed, seed ${seed}: ${forged} forged answers, 0 taken`);
});

/** The owner's accepted answers. */
const owners: string[] = [];

interface Attempt {
  readonly victim: Asked;
  readonly forger: Asked;
  readonly move: Move;
  readonly code: string;
  readonly known: readonly string[];
  readonly isGenuine: boolean;
  /** Balance in the questioned text, in pesewas. */
  readonly balance: number;
  /** True if the owner must enter the balance. */
  readonly asksBalance: boolean;
}

/** Attacks an open question. Returns the number of forged texts. */
async function attempt(world: World, given: Attempt): Promise<number> {
  const { victim, forger, move, code, known, isGenuine, balance, asksBalance } = given;
  // A false answer, or the balance that would be accepted.
  const wanted = asksBalance ? String(balance / 100) : isGenuine ? 'NO' : 'YES';
  const texts = (codes: readonly string[]) => codes.map((one) => `${wanted} ${one}`);
  const wrong = ['AAAAAA22', 'AAAAAA23', 'AAAAAA24', 'AAAAAA25'];
  switch (move) {
    case 'guesses, one after another':
      for (const text of texts([...wrong, code, code])) await write(world, victim, text);
      return 6;
    case 'guesses, all at once':
      await Promise.all(texts(wrong).map((text) => arrives(world, victim, text)));
      await write(world, victim, `${wanted} ${code}`);
      return 5;
    case 'an old code':
      for (const text of texts(known.slice(-2))) await write(world, victim, text);
      await ownerAnswers(world, given);
      return known.slice(-2).length;
    case 'the code, from another number':
      await write(world, { ...victim, number: FORGER }, `${wanted} ${code}`);
      await ownerAnswers(world, given);
      return 1;
    case 'the code, to another number':
      await write(world, { ...victim, line: OTHER_LINE }, `${wanted} ${code}`, { device: 'device-1' });
      await write(world, { ...victim, line: victim.shop.number }, `${wanted} ${code}`, { device: 'device-1' });
      await ownerAnswers(world, given);
      return 2;
    case 'the code, after ten minutes':
      world.clock.nowMs += 10 * MINUTE_MS;
      for (const text of texts([code, code])) await write(world, victim, text);
      return 2;
    case 'the code, after the owner’s answer':
      // The owner does not answer, so the code stays unused.
      if (asksBalance && !isGenuine) return 0;
      await ownerAnswers(world, given, arrives);
      // Sends the code again, before and after the answer is processed.
      await Promise.all(texts([code, code]).map((text) => arrives(world, victim, text)));
      await run(world);
      for (const text of [...texts([code]), `${777.77} ${code}`]) await write(world, victim, text);
      return 4;
    case 'the code of their own shop’s question': {
      await arrive(world, forger.shop, forger.book.sentToBank(5));
      await pass(world, 0);
      const own = (await lastQuestion(world, forger.shop)).code;
      await write(world, victim, `${wanted} ${own}`);
      // The forger's own code is valid only for their own wallet.
      await write(world, forger, `YES ${own}`);
      await ownerAnswers(world, given);
      return 2;
    }
    case LAST_MOVE: {
      await signIn(world, 'owner', victim.shop.id);
      await world.outside.table.write(changeRole(victim.owner.user, 'manager'));
      await write(world, victim, `${wanted} ${code}`);
      return 1;
    }
  }
}

/** Answers truthfully as the owner and expects the answer to be accepted. */
async function ownerAnswers(world: World, given: Attempt, how: typeof write = write): Promise<void> {
  const { victim, code, isGenuine, balance, asksBalance } = given;
  if (asksBalance && !isGenuine) return;
  await how(world, victim, `${asksBalance ? balance / 100 : isGenuine ? 'yes' : 'no'} ${code}`);
  owners.push(isGenuine ? 'wallet confirm' : 'wallet deny');
}

/** Returns the answers accepted by text so far. */
async function said(world: World, { shop }: Asked): Promise<string[]> {
  return (await answered(world, shop)).map(({ action }) => String(action));
}

/** Answers the open question in the dashboard. */
async function settleQuestion(world: World, { shop, book }: Asked): Promise<void> {
  const wallet = { network: shop.network, momo_number: shop.number };
  for (const { balance } of (await chainRows.find(world.outside, wallet))?.pushes ?? []) {
    if (balance !== book.pesewas) await denyByOwner(world.outside, wallet, balance, { by: 'owner' });
  }
  await confirmByOwner(world.outside, wallet, book.pesewas, { by: 'owner' }).catch(() => undefined);
}

async function play() {
  const world = await createWorld({ inMemory: true });
  world.clock.nowMs = Date.parse('2027-01-04T10:00:00.000Z');
  await createLine(world, LINE);
  await placeNumber(world.outside, OTHER_LINE);
  const victim = await askedShop(world, { line: LINE, number: OWNER });
  const forger = await askedShop(world, { line: LINE, number: FORGER });
  expect(await questions(world, victim.shop)).toHaveLength(1);
  expect(await questionRows.list(world.outside, { line: LINE, number: OWNER })).toHaveLength(1);
  return { world, victim, forger };
}
