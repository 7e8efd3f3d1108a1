import type { Outside } from '../runtime/outside/outside.ts';
import { getChain, getTexts, type Wallet } from './chain.table.ts';
import { type Chain, isEstablished, type Movement, OVERTAKEN_MS, oddityOf, type ProveMode } from './chain.ts';
import type { Proof, Unproven } from './proof.ts';

/** What the chain of its wallet says about a text, and whether that decides anything. */
export interface Checked {
  readonly proof: Proof;
  readonly mode: ProveMode;
  /** The owner, or the time that has passed, says that it is not true. */
  readonly isFalse: boolean;
}

/** Looks up what the chain says about a text; an undefined movement where it tells none, and `why`. */
export async function checkText(
  outside: Pick<Outside, 'table' | 'now'>,
  wallet: Wallet,
  movement: Movement | undefined,
  why: Unproven = 'no_balance',
): Promise<Checked> {
  const [chain, found] = await Promise.all([
    getChain(outside, wallet),
    movement ? getTexts(outside, wallet, [movement]) : [],
  ]);
  // Whoever has read one text can repeat its id and balances as a payment of another kind, id or amount: that is not the one that linked.
  const known = found.find(({ receipt_id }) => receipt_id === movement?.receipt_id);
  const mode = chain?.mode ?? 'observe';
  const unproven = (why: Unproven): Checked => ({
    proof: { state: 'unproven', why },
    mode,
    isFalse: known?.state === 'false',
  });
  if (!movement) return unproven(why);
  if (!chain || !isEstablished(chain)) return unproven('not_established');
  if (known?.state === 'linked') return { proof: { state: 'proven' }, mode, isFalse: false };
  const odd = whyNot(chain, movement);
  const mayStillLink = known?.state === 'waiting' && outside.now() - known.arrived_ms < OVERTAKEN_MS;
  if (mayStillLink && odd === 'balance_gap') return { proof: { state: 'checking' }, mode, isFalse: false };
  return unproven(odd);
}

function whyNot(chain: Chain, movement: Movement): Unproven {
  return oddityOf(chain, movement) ?? 'balance_gap';
}
