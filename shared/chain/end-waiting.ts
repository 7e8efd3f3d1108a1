import type { Outside } from '../runtime/outside/outside.ts';
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
/** In a known break, which is filled whole or not at all by then where the chain decides. */
const IN_BREAK_ENDS_MS = 3 * WAITING_ENDS_MS;
/** Each has two writes, and a transaction may have a hundred. */
const ENDED_AT_ONCE = 40;

/**
 * Ends the waiting of texts that will never link: they have waited for a day, and the chain went on past them. They are recorded as
 * false. Gives how many.
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
  const ends = waiting.filter((text) => isEnded(outside, chain, gaps, text)).slice(0, ENDED_AT_ONCE);
  if (ends.length === 0) return 0;
  await outside.table.write([
    replaceChain(chain, withFailed({ ...chain, waiting: waiting.length - ends.length }, ends.length, outside.now())),
    ...ends.flatMap((text) => [removeWaiting(wallet, text), addSettled(outside, wallet, text, 'false')]),
  ]);
  return ends.length;
}

function isEnded({ now }: Pick<Outside, 'now'>, chain: Chain, gaps: readonly Gap[], text: Movement) {
  const { id, arrived_ms } = text;
  // Within a known break it may well be genuine, with the texts on both of its sides missing.
  const isWithin = gaps.some(({ from, to }) => id > from.id && id <= to.id);
  const waitedMs = now() - arrived_ms;
  const hasEnded = isWithin ? chain.mode === 'enforce' && waitedMs >= IN_BREAK_ENDS_MS : waitedMs >= WAITING_ENDS_MS;
  return hasEnded && isPassed(chain, text);
}

/** Where the chain decides and a text linked that came later, an id from a time that has not come yet is no network's, which may have begun to count anew. */
function isPassed(chain: Chain, text: Movement): boolean {
  const { mode, clock, network, recent } = chain;
  const head = headOf(chain);
  const isLaterLinked = mode === 'enforce' && head.at_ms > text.arrived_ms;
  return text.id < head.id || (isLaterLinked && isAhead(clock, network, recent, text));
}
