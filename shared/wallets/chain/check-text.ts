import type { TimedOutside } from '../../runtime/outside/outside.ts';
import { chainRows, getTexts, type Wallet } from './chain.table.ts';
import { type Chain, isEstablished, type Movement, OVERTAKEN_MS, oddityOf, type ProveMode } from './chain.ts';
import { isUnsure } from './guesses.ts';
import type { Proof, Unproven } from './proof.ts';

/** What the chain of its wallet says about a text, and whether that decides anything. */
export interface Checked {
  readonly proof: Proof;
  readonly mode: ProveMode;
  /** The owner, or the time that has passed, says that it is not true. */
  readonly isFalse: boolean;
  /** It was proven, and another text says that the chain went on without it. */
  readonly isContested: boolean;
  /** It does not link yet, or no longer. */
  readonly isWaiting: boolean;
}

/** Looks up what the chain says about a text; an undefined movement where it states none, and `why`. */
export async function checkText(
  outside: TimedOutside,
  wallet: Wallet,
  movement: Movement | undefined,
  why: Unproven = 'no_balance',
): Promise<Checked> {
  const [chain, found] = await Promise.all([
    chainRows.find(outside, wallet),
    movement ? getTexts(outside, wallet, [movement]) : [],
  ]);
  // Anyone who has read one text can repeat its id and balances as a payment of another kind, id or amount: that is not the one that linked.
  const own = found.filter(({ receipt_id }) => receipt_id === movement?.receipt_id);
  const known = own.find(({ state }) => state !== 'waiting') ?? own[0];
  const mode = chain?.mode ?? 'observe';
  const state = known?.state;
  const isWaiting = own.some((one) => one.state === 'waiting');
  const seen = { mode, isFalse: state === 'false', isContested: state === 'contested', isWaiting };
  const unproven = (why: Unproven): Checked => ({ ...seen, proof: { state: 'unproven', why } });
  if (!movement) return unproven(why);
  if (!chain || !isEstablished(chain)) return unproven('not_established');
  if (known?.state === 'linked') {
    return isOfNewWallet(chain, known) ? unproven('not_established') : { ...seen, proof: { state: 'proven' } };
  }
  if (state === 'unsure') return unproven('balance_unsure');
  const odd = whyNot(chain, movement, outside.now());
  const mayStillLink = known?.state === 'waiting' && outside.now() - known.arrived_ms < OVERTAKEN_MS;
  if (mayStillLink && odd === 'balance_gap') return { ...seen, proof: { state: 'checking' } };
  return unproven(odd);
}

/** True if a text came while its wallet was new: the first to text, or an owner's yes, may have linked forged ones. */
function isOfNewWallet({ proves_since_ms, established_ms = 0 }: Chain, { arrived_ms }: Movement): boolean {
  return arrived_ms < (proves_since_ms ?? established_ms);
}

function whyNot(chain: Chain, movement: Movement, nowMs: number): Unproven {
  return oddityOf(chain, movement) ?? (isUnsure(chain, nowMs) ? 'balance_unsure' : 'balance_gap');
}
