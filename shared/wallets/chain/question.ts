import { isSecondLookDue, mayProve, provesSinceMs } from './anchor.ts';
import { type Branch, branchInQuestion, openQuestion } from './branches.ts';
import { type Chain, headOf, type Movement } from './chain.ts';
import { isPaused } from './guesses.ts';
import { LOOK_KEPT_MS } from './look.ts';
import type { Push } from './push.ts';

/** Questions to a wallet's owner. The answer to each is the balance that the wallet shows. */

/**
 * - `first look`: texts have arrived, but nobody has named the balance.
 * - `look again`: the balance that the owner named last does not agree.
 * - `paused`: somebody is guessing the balance.
 * - `bank`: a text reports a transfer to the bank, without the amount.
 * - `break`: texts do not continue the verified balance.
 * - `above sum`: payments are above a young anchor's sum, and a look now would verify them.
 * - `unproven`: texts continue a balance that anybody would try.
 */
export type WhyAsked = 'first look' | 'look again' | 'paused' | 'bank' | 'break' | 'above sum' | 'unproven';

/** Returns why a wallet's owner should name the balance now, or undefined. */
export function whyAsked(chain: Chain, waiting: readonly Movement[], nowMs: number): WhyAsked | undefined {
  if (chain.look && nowMs - chain.look.at_ms < LOOK_KEPT_MS) return 'look again';
  if (isPaused(chain, nowMs)) return 'paused';
  if (pendingPush(chain)) return 'bank';
  if (openQuestion(chain, waiting)) return 'break';
  if (chain.beyond_since_id !== undefined && isSecondLookDue(chain, nowMs)) return 'above sum';
  return isUnprovenYet(chain) ? 'unproven' : undefined;
}

/** The texts or the transfer to ask about, or the reason to ask. */
export type Asking =
  | { readonly branch: Branch }
  | { readonly push: Push }
  | { readonly why: Extract<WhyAsked, 'above sum' | 'unproven'> };

/** Returns the question that the owner has not been asked yet, if any. */
export function newQuestion(chain: Chain, waiting: readonly Movement[], nowMs: number): Asking | undefined {
  const push = pendingPush(chain);
  if (push && push.asked_ms === undefined) return { push };
  const branch = branchInQuestion(chain, waiting, nowMs);
  if (branch) return { branch };
  const why = whyAsked(chain, waiting, nowMs);
  const isNew = (chain.asked_ms ?? 0) < chain.looked_ms;
  // A look now must be able to verify the next texts.
  const isUseful = why === 'above sum' || (why === 'unproven' && mayProve(chain.anchor, headOf(chain).balance));
  return isNew && isUseful ? { why } : undefined;
}

/** Returns the latest transfer to the bank that the chain does not include, and that no look has answered. */
function pendingPush(chain: Chain): Push | undefined {
  return chain.pushes?.findLast(({ id, arrived_ms }) => id > headOf(chain).id && arrived_ms > chain.looked_ms);
}

/** True if texts have continued a balance that anybody would try. */
function isUnprovenYet(chain: Chain): boolean {
  return provesSinceMs(chain) === undefined && chain.anchor.proves_since_ms === undefined && chain.links > 0;
}
