import { ghsOf } from '../../ghana/money.ts';
import type { Network } from '../../ghana/network.ts';
import { type Clock, isoOf, type TimedOutside } from '../../runtime/outside/outside.ts';
import { isYoung, provesSinceMs } from '../../wallets/chain/anchor.ts';
import { beganMs, branchesOf, differenceOf, type Gap, newerBranches, openGaps } from '../../wallets/chain/branches.ts';
import { listGaps, listSettledTexts, listWaiting } from '../../wallets/chain/chain.table.ts';
import { type Chain, headOf, type Movement } from '../../wallets/chain/chain.ts';
import { pausedUntilMs } from '../../wallets/chain/guesses.ts';
import { LOOK_MS } from '../../wallets/chain/look.ts';
import { isClockDoubted } from '../../wallets/chain/network-clock.ts';
import { type WhyAsked, whyAsked } from '../../wallets/chain/question.ts';
import { hearingOf } from '../../wallets/wallet/hearing.table.ts';
import { explainGap } from './explain-gap.ts';

/** A wallet in a list, without balances. Times are ISO. */
export interface WalletSummary {
  readonly number: string;
  readonly network: Network;
  /** Time when the owner first named the balance, or last named it after a pause or a contradiction. */
  readonly anchored_at: string;
  readonly verifies: boolean;
  /** True until a second look agrees: the wallet then verifies at most GHS 1,000 in 24 hours. */
  readonly young: boolean;
  /** Time of the owner's last look that agreed. */
  readonly looked_at: string;
  /** Number of texts that continue from another text, in the chain and in branches that may still join the chain. */
  readonly links: number;
  readonly gaps: number;
  readonly unbroken_since: string | null;
  /**
   * End of the current pause in verification after forged texts with guessed balances. The owner can end it early by
   * naming the balance.
   */
  readonly paused_until: string | null;
}

export interface WalletView extends WalletSummary {
  readonly balance: number;
  /** Why the owner should name the balance now. */
  readonly question: WhyAsked | null;
  readonly branches: readonly BranchView[];
  /** Payments whose proof a named balance withdrew. */
  readonly doubted: readonly { readonly amount: number; readonly receipt_id: string; readonly at: string }[];
  readonly gap_list: readonly GapView[];
  /** True if several payments' ids do not match their times but are consistent with one another. */
  readonly clock_doubted: boolean;
  readonly last_heard: string | null;
  readonly canary: 'on' | 'off';
  readonly phones: readonly { readonly gateway: string; readonly device: string; readonly last_heard: string }[];
}

interface BranchView {
  readonly texts: number;
  /** The first texts, with the receipts of those that report a payment. */
  readonly moved: readonly { readonly amount: number; readonly receipt_id: string | null }[];
  readonly since: string;
  readonly balance_before: number;
  readonly balance: number;
}

/** Maximum number of texts of a branch to show. */
const MAX_MOVED = 5;

interface GapView {
  readonly difference: number;
  readonly from: string;
  readonly to: string;
  readonly explained_by: string | null;
}

export function summarise(chain: Chain, waiting: readonly Movement[], nowMs: number): WalletSummary {
  const pausedMs = pausedUntilMs(chain, nowMs);
  const branches = newerBranches(chain, waiting);
  const open = openBreaks(chain, waiting);
  return {
    number: chain.momo_number,
    network: chain.network,
    anchored_at: isoOf(chain.anchor.at_ms),
    verifies: provesSinceMs(chain) !== undefined,
    young: isYoung(chain, nowMs),
    looked_at: isoOf(chain.looked_ms),
    links: chain.links + branches.reduce((sum, { texts }) => sum + texts.length - 1, 0),
    gaps: chain.gaps + open.length,
    unbroken_since: isoOf(open.at(-1)?.to.at_ms ?? chain.unbroken_since_ms),
    paused_until: pausedMs === undefined ? null : isoOf(pausedMs),
  };
}

export async function summariseWallet(outside: TimedOutside, chain: Chain): Promise<WalletSummary> {
  return summarise(chain, chain.waiting > 0 ? await listWaiting(outside, chain) : [], outside.now());
}

/**
 * Returns a wallet with its latest breaks, their possible explanations, and the last contact with its phone. Older
 * breaks are left out, so that the page loads quickly.
 */
export async function viewWallet(
  outside: TimedOutside,
  chain: Chain,
  { maxGaps = Number.POSITIVE_INFINITY } = {},
): Promise<WalletView> {
  const [waiting, known, [hearing]] = await Promise.all([
    listWaiting(outside, chain),
    listGaps(outside, chain),
    hearingOf(outside, [chain.momo_number]),
  ]);
  const gaps = [...known, ...openBreaks(chain, waiting)].slice(-maxGaps);
  // Read two months of texts only if there is outgoing money to explain.
  const settled = gaps.some((gap) => differenceOf(gap) < 0) ? await listSettledTexts(outside, chain) : [];
  const phones = hearing?.phones ?? [];
  return {
    ...summarise(chain, waiting, outside.now()),
    balance: ghsOf(headOf(chain).balance),
    question: whyAsked(chain, waiting, outside.now()) ?? null,
    branches: branchesOf(chain, waiting).map((branch) => ({
      texts: branch.texts.length,
      moved: branch.texts.slice(0, MAX_MOVED).map(({ before, after, receipt_id = null }) => ({
        amount: ghsOf(after - before),
        receipt_id,
      })),
      since: isoOf(beganMs(branch)),
      balance_before: ghsOf(branch.from.balance),
      balance: ghsOf(branch.to.balance),
    })),
    doubted: (chain.doubted ?? []).map(({ receipt_id, pesewas, at_ms }) => ({
      amount: ghsOf(pesewas),
      receipt_id,
      at: isoOf(at_ms),
    })),
    gap_list: await Promise.all(gaps.map((gap) => viewGap(gap))),
    clock_doubted: isClockDoubted(chain),
    last_heard: phones[0]?.heard_at ?? null,
    canary: hearing?.canary === false ? 'off' : 'on',
    phones: phones.map(({ gateway, device_id, heard_at }) => ({ gateway, device: device_id, last_heard: heard_at })),
  };

  async function viewGap(gap: Gap): Promise<GapView> {
    const explained_by = (await explainGap(outside, chain, gap, settled)) ?? null;
    return { difference: ghsOf(differenceOf(gap)), from: isoOf(gap.from.at_ms), to: isoOf(gap.to.at_ms), explained_by };
  }
}

/**
 * Lists the open breaks. A branch that begins where another branch ends has no break before it, even if the two cannot
 * be linked.
 */
export function openBreaks(chain: Chain, waiting: readonly Movement[]): Gap[] {
  return openGaps(chain, newerBranches(chain, waiting)).filter((gap) => differenceOf(gap) !== 0);
}

/**
 * True shortly after the owner named a balance that agrees. At other times, our figure would spoil an independent look at
 * the wallet.
 */
export function isJustLooked({ now }: Clock, { looked_ms, look }: Chain): boolean {
  return look === undefined && now() - looked_ms < LOOK_MS;
}
