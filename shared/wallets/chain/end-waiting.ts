import type { Outside } from '../../runtime/outside/outside.ts';
import type { Gap } from './branches.ts';
import {
  addSettled,
  getChain,
  listGaps,
  listWaiting,
  removeWaiting,
  replaceChain,
  type Wallet,
} from './chain.table.ts';
import { type Chain, headOf, type Movement } from './chain.ts';
import { withFailed } from './guesses.ts';
import { whileChainChanges } from './link-texts.ts';
import { isAhead } from './network-clock.ts';

type Needs = Pick<Outside, 'table' | 'now' | 'sleep' | 'randomBytes'>;

/** Phones post what they could not post for hours; what comes later than this does not come. */
const WAITING_ENDS_MS = 24 * 60 * 60 * 1000;
/** In a known break, which is filled whole by then, or not at all, where the chain decides. */
const IN_BREAK_ENDS_MS = 3 * WAITING_ENDS_MS;
/** Each has two writes, and a transaction may have a hundred. */
const ENDED_AT_ONCE = 40;

/**
 * Ends the waiting of texts that will never link: they have waited for a day, and the chain went on past them. They are recorded as
 * false; those in a known break, which may well be genuine, as never proven. Gives how many.
 */
export async function endWaiting(outside: Needs, wallet: Wallet): Promise<number> {
  let ended = 0;
  for (let n = ENDED_AT_ONCE; n === ENDED_AT_ONCE; ended += n) {
    n = await whileChainChanges(outside, () => endSome(outside, wallet));
  }
  return ended;
}

async function endSome(outside: Needs, wallet: Wallet): Promise<number> {
  const chain = await getChain(outside, wallet);
  if (!chain || chain.waiting === 0) return 0;
  const waiting = await listWaiting(outside, wallet);
  const gaps = chain.gaps > 0 ? await listGaps(outside, wallet) : [];
  const ends = waiting.flatMap((text) => endOf(outside, chain, gaps, text) ?? []).slice(0, ENDED_AT_ONCE);
  if (ends.length === 0) return 0;
  const failed = ends.filter(({ state }) => state === 'false').length;
  await outside.table.write([
    replaceChain(chain, withFailed({ ...chain, waiting: waiting.length - ends.length }, failed, outside.now())),
    ...ends.flatMap(({ text, state }) => [removeWaiting(wallet, text), addSettled(outside, wallet, text, state)]),
  ]);
  return ends.length;
}

/** A text that waits no longer, and what it is then. */
interface Ended {
  readonly text: Movement;
  readonly state: 'false' | 'unsure';
}

function endOf({ now }: Pick<Outside, 'now'>, chain: Chain, gaps: readonly Gap[], text: Movement): Ended | undefined {
  const waitedMs = now() - text.arrived_ms;
  if (!isPassed(chain, text)) return undefined;
  // Within a known break it may be genuine, with the texts on both of its sides missing.
  const isWithin = gaps.some(({ from, to }) => text.id > from.id && text.id <= to.id);
  if (!isWithin) return waitedMs >= WAITING_ENDS_MS ? { text, state: 'false' } : undefined;
  const hasEnded = chain.mode === 'enforce' && waitedMs >= IN_BREAK_ENDS_MS;
  return hasEnded ? { text, state: 'unsure' } : undefined;
}

/** Where the chain decides and a text linked that came later, an id from a time that has not come yet is no network's, which may have begun to count anew. */
function isPassed(chain: Chain, text: Movement): boolean {
  const { mode, clock, network, recent } = chain;
  const head = headOf(chain);
  const isLaterLinked = mode === 'enforce' && head.at_ms > text.arrived_ms;
  return text.id < head.id || (isLaterLinked && isAhead(clock, network, recent, text));
}
