import type { TimedOutside } from '../../runtime/outside/outside.ts';
import { isUnsure, isYoung } from './anchor.ts';
import { chainRows, getTexts, type Wallet } from './chain.table.ts';
import { type Chain, type Movement, OVERTAKEN_MS, oddityOf } from './chain.ts';

import type { Proof, Unproven } from './proof.ts';

export interface Checked {
  readonly proof: Proof;
  /** True if larger payments to the wallet need a proof, because its owner has named its balance. */
  readonly isAnchored: boolean;
  readonly isFalse: boolean;
  readonly isContested: boolean;
  readonly isWaiting: boolean;
  /** True until a second look agrees with the wallet's first balance. */
  readonly isYoung: boolean;
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
  const state = known?.state;
  const isWaiting = own.some((one) => one.state === 'waiting');
  const isAnchored = chain !== undefined && requiresProof(chain);
  const isYoungChain = chain !== undefined && isYoung(chain, outside.now());
  const seen = {
    isAnchored,
    isFalse: state === 'false',
    isContested: state === 'contested',
    isWaiting,
    isYoung: isYoungChain,
  };
  const unproven = (reason: Unproven): Checked => ({ ...seen, proof: { state: 'unproven', why: reason } });
  if (!movement) return unproven(reason);
  if (!chain || !isAnchored || state === 'before') return unproven('not_anchored');
  if (known?.state === 'linked') {
    return known.beyond_sum
      ? unproven('anchor_young')
      : { ...seen, proof: { state: 'proven' }, linkedAtMs: known.at_ms };
  }
  if (state === 'unsure') return unproven('balance_unsure');
  const odd = unprovenReason(chain, movement, outside.now());
  const mayStillLink = known?.state === 'waiting' && outside.now() - known.arrived_ms < OVERTAKEN_MS;
  if (mayStillLink && odd === 'balance_gap') return { ...seen, proof: { state: 'checking' } };
  return unproven(odd);
}

/** True if larger payments to the wallet need a proof. A Telecel wallet first shows that its texts form a chain. */
function requiresProof({ known_since_ms }: Chain): boolean {
  return known_since_ms !== undefined;
}

function unprovenReason(chain: Chain, movement: Movement, nowMs: number): Unproven {
  return oddityOf(chain, movement) ?? (isUnsure(chain, nowMs) ? 'balance_unsure' : 'balance_gap');
}
