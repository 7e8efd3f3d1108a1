import type { Clock, RetryOutside } from '../../runtime/outside/outside.ts';
import { DAY_MS } from '../../runtime/values/calendar.ts';
import type { Gap } from './branches.ts';
import {
  addSettled,
  chainRows,
  listGaps,
  listWaiting,
  removeWaiting,
  replaceChain,
  type Wallet,
} from './chain.table.ts';
import { type Chain, headOf, isEstablished, type Movement } from './chain.ts';
import { sinceEstablished, withFailed } from './guesses.ts';
import { retryIfChainChanged } from './link-texts.ts';
import { isAhead } from './network-clock.ts';

/** A text that is missing for this long counts as lost. Phones may forward texts hours late, but never a whole day. */
const WAITING_ENDS_MS = DAY_MS;
/** Time for which a text within a known gap may wait. */
const IN_GAP_ENDS_MS = 3 * DAY_MS;
/** Texts per transaction. Each takes two writes (DynamoDB allows 100). */
const ENDED_AT_ONCE = 40;

/**
 * Removes waiting texts that can no longer be linked. Records a text within a known gap as unsure, and any other text
 * as false.
 * @returns the number of removed texts.
 */
export async function endWaiting(outside: RetryOutside, wallet: Wallet): Promise<number> {
  let ended = 0;
  for (let n = ENDED_AT_ONCE; n === ENDED_AT_ONCE; ended += n) {
    n = await retryIfChainChanged(outside, () => endSome(outside, wallet));
  }
  return ended;
}

async function endSome(outside: RetryOutside, wallet: Wallet): Promise<number> {
  const chain = await chainRows.find(outside, wallet);
  if (!chain || chain.waiting === 0) return 0;
  const waiting = await listWaiting(outside, wallet);
  const gaps = chain.gaps > 0 ? await listGaps(outside, wallet) : [];
  const ends = waiting.flatMap((text) => endOf(outside, chain, gaps, text) ?? []).slice(0, ENDED_AT_ONCE);
  if (ends.length === 0) return 0;
  const falseOnes = ends.flatMap(({ text, state }) => (state === 'false' ? [text] : []));
  const failed = (isEstablished(chain) ? sinceEstablished(chain, falseOnes) : falseOnes).length;
  await outside.table.write([
    replaceChain(chain, withFailed({ ...chain, waiting: waiting.length - ends.length }, failed, outside.now())),
    ...ends.flatMap(({ text, state }) => [removeWaiting(wallet, text), addSettled(outside, wallet, text, state)]),
  ]);
  return ends.length;
}

interface Ended {
  readonly text: Movement;
  readonly state: 'false' | 'unsure';
}

function endOf({ now }: Clock, chain: Chain, gaps: readonly Gap[], text: Movement): Ended | undefined {
  const waitedMs = now() - text.arrived_ms;
  if (!isPassed(chain, text)) return undefined;
  // Within a known gap, the text may be genuine even if the texts around it are missing.
  const isWithin = gaps.some(({ from, to }) => text.id > from.id && text.id <= to.id);
  const hasEnded = waitedMs >= (isWithin ? IN_GAP_ENDS_MS : WAITING_ENDS_MS);
  return hasEnded ? { text, state: isWithin ? 'unsure' : 'false' } : undefined;
}

/**
 * True if the chain has moved past a text. Also true for a text whose id is too high for its time, once a later text
 * has been linked.
 */
function isPassed(chain: Chain, text: Movement): boolean {
  const { clock, network, recent } = chain;
  const head = headOf(chain);
  const isLaterLinked = isEstablished(chain) && head.at_ms > text.arrived_ms;
  // A text with a lower id but a later time than the chain's head is not necessarily false.
  const isBefore = text.id < head.id && text.at_ms <= head.at_ms;
  return isBefore || (isLaterLinked && isAhead(clock, network, recent, text));
}
