import { ghsOf } from '../../shared/ghana/money.ts';
import { paymentReceiptId } from '../../shared/money/receipt/receipt.ts';
import { isoOf } from '../../shared/runtime/outside/outside.ts';
import type { AdminOutside } from '../../shared/runtime/stage/deployment.ts';
import { OperatorError } from '../../shared/runtime/stage/operator-error.ts';
import { DAY_MS } from '../../shared/runtime/values/calendar.ts';
import { fillGap, type Gap } from '../../shared/wallets/chain/branches.ts';
import {
  listGaps,
  listSettledTexts,
  listWaiting,
  type SettledText,
  type Wallet,
} from '../../shared/wallets/chain/chain.table.ts';
import { advance, type Chain, isSame, type Movement } from '../../shared/wallets/chain/chain.ts';
import { requireChain } from '../../shared/wallets/chain/change-chain.ts';
import { linkTexts } from '../../shared/wallets/chain/link-texts.ts';
import type { StatementRow } from './statement.ts';

/** Number of texts to link per call. Linking many at a time saves transactions. */
const LINKED_AT_ONCE = 25;

type KnownText = Movement & { readonly state: SettledText['state'] | 'waiting' };

/**
 * Compares a statement with a wallet's texts. With `isApplied`, links the statement's rows that fill a gap in the
 * balance chain, and the texts that waited for these rows.
 * @throws OperatorError if the statement's times cannot be correct.
 */
export async function reconcile(
  outside: AdminOutside,
  wallet: Wallet,
  rows: readonly StatementRow[],
  isApplied: boolean,
) {
  const chain = await requireChain(outside, wallet);
  const [settled, waiting, gaps] = await Promise.all([
    listSettledTexts(outside, wallet),
    listWaiting(outside, wallet),
    listGaps(outside, wallet),
  ]);
  const texts: KnownText[] = [...settled, ...waiting.map((text) => ({ ...text, state: 'waiting' as const }))];
  const byId = Map.groupBy(texts, ({ id }) => id);
  const firstId = Math.min(...texts.map(({ id }) => id));
  const [leastId, mostId] = [Math.min(...rows.map(({ id }) => id)), Math.max(...rows.map(({ id }) => id))];
  const ids = new Set(rows.map(({ id }) => id));

  const recent = rows.filter(({ id, at_ms }) => id >= firstId || at_ms >= chain.anchor.at_ms);
  const matched = recent.filter((row) => byId.get(row.id)?.some((text) => isSameMovement(row, text)));
  const unheard = recent.filter(({ id }) => !byId.has(id));
  const differing = recent.flatMap((row) => {
    const others = byId.get(row.id)?.filter((text) => !isSameMovement(row, text)) ?? [];
    return others.map((text) => ({ ...presentRow(row), ...presentBeside(text) }));
  });
  const unknown = texts.filter(({ id }) => id >= leastId && id <= mostId && !ids.has(id));
  const filling = fillingTexts(
    chain,
    waiting,
    gaps,
    unheard.map((row) => movementOf(row, chain)),
  );
  if (isApplied) {
    refuseOtherTimes(matched, byId);
    for (let n = 0; n < filling.length; n += LINKED_AT_ONCE) {
      await linkTexts(outside, wallet, filling.slice(n, n + LINKED_AT_ONCE));
    }
  }
  return {
    rows: rows.length,
    matched: matched.length,
    too_old: rows.length - recent.length,
    never_heard: unheard.map(presentRow),
    // Forged texts: the network's own statement does not contain them.
    unknown_to_network: unknown.map(presentText),
    differing,
    fills: filling.length,
    applied: isApplied,
  };
}

function isSameMovement({ before, after }: StatementRow, text: Movement): boolean {
  return text.before === before && text.after === after;
}

/** Builds a movement from a statement row, in place of the missing text. The network's statement is trusted. */
function movementOf({ id, transaction_id, before, after, at_ms }: StatementRow, chain: Chain): Movement {
  const { network, momo_number, sender = '' } = chain;
  // The receipt's id, in case the missing text still arrives.
  const receipt = after > before && { receipt_id: paymentReceiptId(network, momo_number, transaction_id) };
  return { id, before, after, at_ms, arrived_ms: at_ms, sender, ...receipt };
}

/** Selects the statement's rows that fill gaps in the chain, or that extend the chain together with waiting texts. */
function fillingTexts(
  chain: Chain,
  waiting: readonly Movement[],
  gaps: readonly Gap[],
  unheard: readonly Movement[],
): Movement[] {
  const all = [...waiting, ...unheard];
  const continuing = advance(chain, all, Number.POSITIVE_INFINITY).linked;
  const within = gaps.flatMap((gap) => fillGap(chain, gap, all));
  const linked = [...continuing, ...within];
  return unheard.filter((row) => linked.some((text) => isSame(row, text))).toSorted((a, b) => a.id - b.id);
}

/** @throws OperatorError if the dates in the statement and in the texts differ. Days and months may be swapped. */
function refuseOtherTimes(matched: readonly StatementRow[], byId: ReadonlyMap<number, readonly KnownText[]>): void {
  const isOff = ({ id, at_ms }: StatementRow) =>
    byId.get(id)?.some((text) => Math.abs(text.at_ms - at_ms) > DAY_MS) ?? false;
  const off = matched.filter(isOff);
  const [first] = off;
  if (!first || off.length * 2 <= matched.length) return;
  const [text] = byId.get(first.id) ?? [];
  throw new OperatorError(
    `Line ${first.line} of the statement is dated ${isoOf(first.at_ms)}, but its text arrived at ${isoOf(text?.at_ms ?? 0)}. Nothing was changed. Check whether days and months are swapped.`,
  );
}

function presentRow({ line, transaction_id, before, after, at_ms }: StatementRow) {
  return { line, transaction_id, amount: ghsOf(after - before), balance: ghsOf(after), at: isoOf(at_ms) };
}

function presentText({ id, before, after, at_ms, state, receipt_id }: KnownText) {
  const transaction_id = receipt_id?.split('-').at(-1) ?? String(id);
  return { transaction_id, amount: ghsOf(after - before), balance: ghsOf(after), at: isoOf(at_ms), state };
}

function presentBeside({ before, after, state }: KnownText) {
  return { text_amount: ghsOf(after - before), text_balance: ghsOf(after), text_state: state };
}
