import type { Clock, RetryOutside } from '../../runtime/outside/outside.ts';
import { DAY_MS } from '../../runtime/values/calendar.ts';
import type { Gap } from './branches.ts';
import { addSettled, listGaps, listWaiting, removeWaiting, type Wallet } from './chain.table.ts';
import { type Chain, headOf, knowsIds, type Movement } from './chain.ts';
import { changeTexts } from './change-texts.ts';
import { withFailed } from './guesses.ts';
import { isAhead } from './network-clock.ts';

/** A text that is missing for this long counts as lost. Phones may forward texts hours late, but never a whole day. */
const WAITING_ENDS_MS = DAY_MS;
/** Time for which a text within a known gap may wait. */
const IN_GAP_ENDS_MS = 3 * DAY_MS;
/**
 * Removes waiting texts that can no longer be linked. Records a text within a known gap as unsure, one from before the
 * anchor as such, and any other text as false.
 */
export async function endWaiting(outside: RetryOutside, wallet: Wallet): Promise<void> {
  await changeTexts(outside, wallet, {
    find: async (chain) => {
      if (chain.waiting === 0) return [];
      const waiting = await listWaiting(outside, wallet);
      const gaps = chain.gaps > 0 ? await listGaps(outside, wallet) : [];
      return waiting.flatMap((text) => endOf(outside, chain, gaps, text) ?? []);
    },
    change: ({ state, ...text }) => [removeWaiting(wallet, text), addSettled(outside, wallet, { ...text, state })],
    chainAfter: (chain, ended) => {
      const falseOnes = ended.filter(({ state }) => state === 'false');
      return withFailed({ ...chain, waiting: chain.waiting - ended.length }, falseOnes.length, outside.now());
    },
  });
}

type Ended = Movement & { readonly state: 'false' | 'unsure' | 'before' };

function endOf({ now }: Clock, chain: Chain, gaps: readonly Gap[], text: Movement): Ended | undefined {
  const waitedMs = now() - text.arrived_ms;
  const isEarly = text.at_ms < chain.anchor.at_ms;
  if (!isPassed(chain, text) && !isEarly) return undefined;
  // Within a known gap, the text may be genuine even if the texts around it are missing.
  const isWithin = gaps.some(({ from, to }) => text.id > from.id && text.id <= to.id);
  const hasEnded = waitedMs >= (isWithin ? IN_GAP_ENDS_MS : WAITING_ENDS_MS);
  if (!hasEnded) return undefined;
  return { ...text, state: isEarly ? 'before' : isWithin ? 'unsure' : 'false' };
}

/**
 * True if the chain has moved past a text. Also true for a text whose id is too high for its time, once a later text
 * has been linked.
 */
function isPassed(chain: Chain, text: Movement): boolean {
  const { clock, network, recent } = chain;
  const head = headOf(chain);
  const isLaterLinked = head.at_ms > text.arrived_ms;
  // A text with a lower id but a later time than the chain's head is not necessarily false.
  const isBefore = text.id < head.id && text.at_ms <= head.at_ms;
  return knowsIds(chain) && (isBefore || (isLaterLinked && isAhead(clock, network, recent, text)));
}
