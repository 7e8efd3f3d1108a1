import type { TimedOutside } from '../../runtime/outside/outside.ts';
import { chainRows, getTexts, type Wallet } from './chain.table.ts';
import { type Chain, isEstablished, type Movement, OVERTAKEN_MS, oddityOf, type ProveMode } from './chain.ts';
import { isUnsure } from './guesses.ts';
import type { Proof, Unproven } from './proof.ts';

export interface Checked {
  readonly proof: Proof;
  readonly mode: ProveMode;
  readonly isFalse: boolean;
  readonly isContested: boolean;
  readonly isWaiting: boolean;
  /** Time at which the phone received the verified text. Copies of it may arrive later. */
  readonly linkedAtMs?: number;
}

/** Returns the proof of a text. If the text is not a movement, `reason` says why. */
export async function checkText(
  outside: TimedOutside,
  wallet: Wallet,
  movement: Movement | undefined,
  reason: Unproven = 'no_balance',
): Promise<Checked> {
  const [chain, found] = await Promise.all([
    chainRows.find(outside, wallet),
    movement ? getTexts(outside, wallet, [movement]) : [],
  ]);
  // Only the linked text is verified: anybody who has read that text can forge another one with the same id and
  // balances.
  const own = found.filter(
    ({ receipt_id, facts_hash }) => receipt_id === movement?.receipt_id && facts_hash === movement?.facts_hash,
  );
  const known = own.find(({ state }) => state !== 'waiting') ?? own[0];
  const mode = chain?.mode ?? 'observe';
  const state = known?.state;
  const isWaiting = own.some((one) => one.state === 'waiting');
  const seen = { mode, isFalse: state === 'false', isContested: state === 'contested', isWaiting };
  const unproven = (reason: Unproven): Checked => ({ ...seen, proof: { state: 'unproven', why: reason } });
  if (!movement) return unproven(reason);
  if (!chain || !isEstablished(chain)) return unproven('not_established');
  if (known?.state === 'linked') {
    if (isOfNewWallet(chain, known)) return unproven('not_established');
    return { ...seen, proof: { state: 'proven' }, linkedAtMs: known.at_ms };
  }
  if (state === 'unsure') return unproven('balance_unsure');
  const odd = unprovenReason(chain, movement, outside.now());
  const mayStillLink = known?.state === 'waiting' && outside.now() - known.arrived_ms < OVERTAKEN_MS;
  if (mayStillLink && odd === 'balance_gap') return { ...seen, proof: { state: 'checking' } };
  return unproven(odd);
}

/** True if the text arrived before the chain was first established. */
function isOfNewWallet({ proves_since_ms, established_ms = 0 }: Chain, { arrived_ms }: Movement): boolean {
  return arrived_ms < (proves_since_ms ?? established_ms);
}

function unprovenReason(chain: Chain, movement: Movement, nowMs: number): Unproven {
  return oddityOf(chain, movement) ?? (isUnsure(chain, nowMs) ? 'balance_unsure' : 'balance_gap');
}
