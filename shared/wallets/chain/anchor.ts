import { networks } from '../../ghana/network.ts';
import { HOUR_MS } from '../../runtime/values/calendar.ts';
import type { Anchor, Chain, Movement } from './chain.ts';
import { hasManyGuesses, isPaused } from './guesses.ts';

/** Least time between the beginning of proof and the second look. */
export const SECOND_LOOK_AFTER_MS = 12 * HOUR_MS;
/** Maximum money that a young anchor verifies in any 24 hours, in pesewas. */
export const YOUNG_PESEWAS = 1000_00;
const SUM_HOURS = 24;

const LEAST_PESEWAS = 5_00;

/** True for a balance that anybody would try: whole cedis, or less than GHS 5. */
export function isGuessable(pesewas: number): boolean {
  return pesewas < LEAST_PESEWAS || pesewas % 100 === 0;
}

/** Returns the anchor of a balance that the owner named. After a pause, it verifies nothing until the next look. */
export function anchorAt(balance: number, at_ms: number, { endsPause = false } = {}): Anchor {
  return { balance, at_ms, ...(!endsPause && !isGuessable(balance) && { proves_since_ms: at_ms }) };
}

/** True if texts are verified once the owner names this balance. The anchor's own balance says nothing new. */
export function mayProve(anchor: Pick<Anchor, 'balance'>, balance: number): boolean {
  return !isGuessable(balance) && balance !== anchor.balance;
}

/**
 * Returns the anchor after a look at the head's balance. Proof begins with it, unless anybody would try the balance. It
 * is the second look if the chain has proved texts for twelve hours.
 */
export function agreedAnchor(anchor: Anchor, balance: number, nowMs: number): Anchor {
  const { proves_since_ms: since } = anchor;
  if (since === undefined) return mayProve(anchor, balance) ? { ...anchor, proves_since_ms: nowMs } : anchor;
  const isSecond = nowMs - since >= SECOND_LOOK_AFTER_MS;
  return { ...anchor, agreed_ms: anchor.agreed_ms ?? (isSecond ? nowMs : undefined) };
}

/** Time since when texts of this chain are verified, or undefined if none are (ms since 1970). */
export function provesSinceMs({ anchor, known_since_ms }: Pick<Chain, 'anchor' | 'known_since_ms'>) {
  const since = anchor.proves_since_ms;
  return since === undefined || known_since_ms === undefined ? undefined : Math.max(since, known_since_ms);
}

/** True if linking a text verifies it. */
export function provesLink(chain: Pick<Chain, 'anchor' | 'known_since_ms'>, { arrived_ms }: Movement): boolean {
  return arrived_ms >= (provesSinceMs(chain) ?? Number.POSITIVE_INFINITY);
}

/** Returns the chain, from now on able to verify texts if its network needs no more links for that. */
export function knownIfDue(chain: Chain, nowMs: number): Chain {
  const { provesAfterLinks } = networks[chain.network];
  const isDue = chain.known_since_ms === undefined && provesAfterLinks !== undefined && chain.links >= provesAfterLinks;
  return isDue ? { ...chain, known_since_ms: nowMs } : chain;
}

/** True if the next link proves nothing, because somebody could know or guess the balance. */
export function isUnsure(chain: Chain, nowMs: number): boolean {
  return provesSinceMs(chain) === undefined || isPaused(chain, nowMs);
}

export function isYoung(chain: Pick<Chain, 'anchor' | 'failed_ms'>, nowMs: number): boolean {
  return chain.anchor.agreed_ms === undefined || hasManyGuesses(chain, nowMs);
}

/** True if the next look that agrees ends the anchor's youth. */
export function isSecondLookDue(chain: Pick<Chain, 'anchor' | 'failed_ms'>, nowMs: number): boolean {
  const { proves_since_ms = nowMs, agreed_ms } = chain.anchor;
  return agreed_ms === undefined && nowMs - proves_since_ms >= SECOND_LOOK_AFTER_MS && !hasManyGuesses(chain, nowMs);
}

/**
 * Adds payments that were just linked to the sum of a young anchor. `beyond`: the payments above the sum, which the
 * chain does not verify before the second look. `isNamed`: the payments led to a balance that the owner named.
 */
export function withinSum(
  chain: Chain,
  linked: readonly Movement[],
  nowMs: number,
  isNamed = false,
): { readonly chain: Chain; readonly beyond: ReadonlySet<Movement> } {
  const beyond = new Set<Movement>();
  if (!isYoung(chain, nowMs)) return { chain, beyond };
  const hour = Math.floor(nowMs / HOUR_MS);
  const earlier = (chain.confirmed ?? []).filter((one) => one.hour >= hour - SUM_HOURS);
  let left = YOUNG_PESEWAS - earlier.reduce((sum, { pesewas }) => sum + pesewas, 0);
  let pesewas = 0;
  for (const text of linked) {
    const amount = text.amount ?? text.after - text.before;
    if (text.receipt_id === undefined || !(isNamed || provesLink(chain, text))) continue;
    if (amount > left) {
      beyond.add(text);
      continue;
    }
    left -= amount;
    pesewas += amount;
  }
  const above = Math.min(...[...beyond].map(({ id }) => id), chain.beyond_since_id ?? Number.POSITIVE_INFINITY);
  const noted = beyond.size > 0 ? { ...chain, beyond_since_id: above } : chain;
  if (pesewas === 0) return { chain: noted, beyond };
  const current = earlier.find((one) => one.hour === hour)?.pesewas ?? 0;
  const confirmed = [...earlier.filter((one) => one.hour !== hour), { hour, pesewas: current + pesewas }];
  return { chain: { ...noted, confirmed }, beyond };
}
