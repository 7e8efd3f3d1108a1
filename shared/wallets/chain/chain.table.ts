/*
 * balance chain   CHAIN#<network>#<momo number> / CHAIN                          the chain's head; every change to the chain writes it
 *                                               / TEXT#<id>#<before>#<after>     a settled text: part of the chain, or false
 *                                               / WAIT#<id>#<before>#<after>     a text that is not linked to the chain yet
 *                                               / GAP#<id>                       a known gap in the chain, by the id of the text before it
 *                                               / UNCLEAR#<hash>                 a text that can be read in two ways, and was taken into account
 *                                               / BEFORE                         the last texts before the owner named the balance
 *   gsi1   CHAINS / <network>#<momo number>             all chains
 *   gsi2   OPEN#CHAIN / <network>#<momo number>         chains with waiting texts, a transfer to the bank or money above a young anchor's sum
 *
 * These rows contain balances, which only the wallet's owners and the operator may see. Balances are never logged.
 */
import * as z from 'zod/mini';
import { Network } from '../../ghana/network.ts';
import { type Clock, endsIn, type TableOutside } from '../../runtime/outside/outside.ts';
import { rows } from '../../runtime/table/rows.ts';
import { asRead, type Item, listWholeIndex, putItem, type TableWrite } from '../../runtime/table/table.ts';
import type { RowChange } from '../../runtime/triggers/stream.ts';
import { DAY_SECONDS } from '../../runtime/values/calendar.ts';
import { PublicError, TRY_AGAIN } from '../../runtime/values/errors.ts';
import { differenceOf, Gap } from './branches.ts';
import { Chain, headOf, Movement, type Position } from './chain.ts';
import { sameMoment } from './network-clock.ts';

export interface Wallet {
  readonly network: Network;
  readonly momo_number: string;
}

const SettledText = z.extend(Movement, {
  /**
   * `linked`: part of the chain. `unsure`: part of the chain, but possibly forged, or linked while the chain proved nothing. `contested`: unlinked and waiting
   * again. `before`: from before the anchor. `false`: never linked.
   */
  state: z.enum(['linked', 'unsure', 'contested', 'before', 'false']),
  /** True for a linked payment above a young anchor's sum. It is verified after the second look. */
  beyond_sum: z.optional(z.boolean()),
});
export type SettledText = z.infer<typeof SettledText>;

const BeforeAnchor = z.object({
  network: Network,
  momo_number: z.string(),
  texts: z.array(Movement),
  version: z.number(),
});
export type BeforeAnchor = z.infer<typeof BeforeAnchor>;

/** Retention of texts. Long enough to check a monthly statement one month later. */
const TEXT_KEPT_SECONDS = 62 * DAY_SECONDS;

const OPEN_CHAINS = 'OPEN#CHAIN';
const partition = ({ network, momo_number }: Wallet) => `CHAIN#${network}#${momo_number}`;
const nameOf = ({ network, momo_number }: Wallet) => `${network}#${momo_number}`;
export const chainRows = rows(Chain, { pk: partition, sk: 'CHAIN', gsi1: { pk: 'CHAINS', sk: nameOf } });
const WAIT = 'WAIT#';
const TEXT = 'TEXT#';
const GAP = 'GAP#';
const padded = (id: number) => String(id).padStart(16, '0');
/** Copies of a text share a sort key. Conflicting texts do not. */
const sortOf = ({ id, before, after }: Movement) => `${padded(id)}#${before}#${after}`;
const settledRows = rows(SettledText, { pk: partition, sk: (text: Movement) => `${TEXT}${sortOf(text)}` });
const waitRows = rows(Movement, { pk: partition, sk: (text: Movement) => `${WAIT}${sortOf(text)}` });
export const unclearRows = rows(z.object({ network: Network, momo_number: z.string(), text_hash: z.string() }), {
  pk: partition,
  sk: 'UNCLEAR#<text_hash>',
});
export const beforeRows = rows(BeforeAnchor, { pk: partition, sk: 'BEFORE' });
const gapRows = rows(Gap, { pk: partition, sk: ({ from }: Gap) => `${GAP}${padded(from.id)}` });

export async function listOpenChains(outside: TableOutside): Promise<Chain[]> {
  const items = await listWholeIndex(outside.table, 'gsi2', OPEN_CHAINS);
  return items.map(chainRows.parse).filter(isOpen);
}

export function listWaiting(outside: TableOutside, wallet: Wallet): Promise<Movement[]> {
  return waitRows.list(outside, wallet, { between: [WAIT, `${WAIT}~`] });
}

export function listSettledTexts(
  outside: TableOutside,
  wallet: Wallet,
  [from, to]: readonly [number, number] = [0, Number.MAX_SAFE_INTEGER],
): Promise<SettledText[]> {
  return settledRows.list(outside, wallet, { between: [`${TEXT}${padded(from)}`, `${TEXT}${padded(to)}~`] });
}

export async function listNewestTexts(outside: TableOutside, wallet: Wallet, limit: number): Promise<SettledText[]> {
  const page = { between: [TEXT, `${TEXT}~`] as const, newestFirst: true, limit };
  const { entries } = await settledRows.page(outside, wallet, page);
  return entries.toReversed();
}

export function listGaps(outside: TableOutside, wallet: Wallet): Promise<Gap[]> {
  return gapRows.list(outside, wallet, { between: [GAP, `${GAP}~`] });
}

/**
 * Returns a gap's wallet if the balance fell in the gap for no known reason. `since_ms` is the time of the last text
 * before the gap.
 */
export function fallOf(row: Item): (Wallet & { readonly since_ms: number }) | undefined {
  if (!String(row.sk).startsWith(GAP)) return undefined;
  const gap = gapRows.parse(row);
  if (gap.is_push || gap.reversal_of !== undefined || differenceOf(gap) >= 0) return undefined;
  const [, network, momo_number = ''] = String(row.pk).split('#');
  return { network: z.parse(Network, network), momo_number, since_ms: gap.from.at_ms };
}

/**
 * Returns the receipt id of the reversal that was recorded for a gap, if this change removes or replaces the reversal.
 */
export function unexplainedBy({ sk, before, after }: RowChange): string | undefined {
  if (!sk.startsWith(GAP) || !before) return undefined;
  const { reversal_of } = gapRows.parse(before);
  return after && gapRows.parse(after).reversal_of === reversal_of ? undefined : reversal_of;
}

/**
 * Returns the linked texts that lead to the positions after this one. Their ids may be lower, if the network's count began
 * again.
 */
export async function textsAfter(
  outside: TableOutside,
  wallet: Wallet,
  { recent, clock, network }: Chain,
  position: Position,
): Promise<Movement[]> {
  const start = recent.indexOf(position);
  const positions = recent.filter(({ is_reversal }, n) => n > start && !is_reversal);
  const ids = [position, ...positions].map(({ id }) => id);
  const leastId = Math.floor(Math.min(...ids) - sameMoment(clock, network));
  const settled = await listSettledTexts(outside, wallet, [leastId, Math.max(...ids)]);
  const texts = positions.map((one) => {
    const leadsThere = (text: SettledText) => isInChain(text) && text.after === one.balance && text.id <= one.id;
    const before = recent[recent.indexOf(one) - 1]?.balance;
    const leading = settled.filter(leadsThere);
    return leading.findLast((text) => text.before === before) ?? leading.at(-1);
  });
  return [...new Set(texts)].flatMap((text) => (text ? z.parse(Movement, text) : []));
}

export function isInChain({ state }: Pick<SettledText, 'state'>): boolean {
  return state === 'linked' || state === 'unsure';
}

export type KnownText = SettledText | (Movement & { readonly state: 'waiting' });

export async function getTexts(
  outside: TableOutside,
  wallet: Wallet,
  texts: readonly Movement[],
): Promise<KnownText[]> {
  const named = texts.map((text) => ({ ...wallet, ...text }));
  const items = await outside.table.getMany(named.flatMap((one) => [settledRows.key(one), waitRows.key(one)]));
  return items.map((item) =>
    String(item.sk).startsWith(WAIT) ? { ...waitRows.parse(item), state: 'waiting' } : settledRows.parse(item),
  );
}

export function createChain(chain: Chain): TableWrite {
  return chainRows.create({ ...openKey(chain), ...chain }, () => new ChainChanged());
}

/** Stores the last texts of a wallet without an anchor. Fails if its owner has named the balance. */
export function putBefore(read: BeforeAnchor | undefined, after: Omit<BeforeAnchor, 'version'>) {
  const row = { ...after, version: (read?.version ?? 0) + 1 };
  return beforeRows.put(row, { ...asRead({ version: read?.version }), refused: changed, contended: changed });
}

/** Fails if the owner has named the balance. */
export function checkNoChain(wallet: Wallet): TableWrite {
  return chainRows.check(wallet, { when: 'attribute_not_exists(pk)', refused: changed });
}

/** Removes the texts from before an anchor. Fails if another one has arrived. */
export function removeBefore(wallet: Wallet, read: BeforeAnchor | undefined): TableWrite {
  const condition = { ...asRead({ version: read?.version }), refused: changed, contended: changed };
  return read ? beforeRows.remove(wallet, condition) : beforeRows.check(wallet, condition);
}

const changed = () => new ChainChanged();

export function replaceChain(before: Chain, after: Chain): TableWrite {
  const { version } = before;
  return chainRows.put(
    { ...openKey(after), ...after, version: version + 1 },
    { ...asRead({ version }), refused: changed, contended: changed },
  );
}

/** True if housekeeping must look at the chain. */
export function isOpen(chain: Chain): boolean {
  const isSentToBank = chain.pushes?.some(({ id }) => id > headOf(chain).id) ?? false;
  const isUnproven = chain.anchor.proves_since_ms === undefined && chain.links > 0;
  const { beyond_since_id, short_since_ms, leads_to } = chain;
  const isUnfinished = [beyond_since_id, short_since_ms, leads_to].some((one) => one !== undefined);
  return chain.waiting > 0 || isSentToBank || isUnproven || isUnfinished;
}

function openKey(chain: Chain): { gsi2pk?: string; gsi2sk?: string } {
  return isOpen(chain) ? { gsi2pk: OPEN_CHAINS, gsi2sk: nameOf(chain) } : {};
}

/**
 * The writes below need no conditions: their transaction also writes the chain, which fails if the chain has changed.
 */

export function addWaiting(outside: Clock, wallet: Wallet, text: Movement): TableWrite {
  return putItem({ ...waitRows.key({ ...wallet, ...text }), ...text, ...endsIn(outside, TEXT_KEPT_SECONDS) });
}

export function noteAsked(outside: Clock, wallet: Wallet, text: Movement): TableWrite {
  const asked = { ...text, asked_ms: outside.now(), ...endsIn(outside, TEXT_KEPT_SECONDS) };
  const Item = { ...waitRows.key({ ...wallet, ...text }), ...asked };
  return putItem(Item, { when: 'attribute_exists(pk)', refused: () => new ChainChanged() });
}

/** Removes a waiting text. This change queues a recheck of the text's payment. */
export function removeWaiting(wallet: Wallet, text: Movement): TableWrite {
  return waitRows.remove({ ...wallet, ...text });
}

export function addSettled(outside: Clock, wallet: Wallet, settled: SettledText): TableWrite {
  return putItem({ ...settledRows.key({ ...wallet, ...settled }), ...settled, ...endsIn(outside, TEXT_KEPT_SECONDS) });
}

/** Stores that a text was taken into account. Needs no condition: its transaction also writes the chain. */
export function addUnclear(outside: Clock, unclear: Wallet & { readonly text_hash: string }): TableWrite {
  const { network, momo_number, text_hash } = unclear;
  return unclearRows.put({ network, momo_number, text_hash, ...endsIn(outside, TEXT_KEPT_SECONDS) });
}

export function addGap(wallet: Wallet, gap: Gap): TableWrite {
  return putItem({ ...gapRows.key({ ...wallet, ...gap }), ...gap });
}

export function removeGap(wallet: Wallet, gap: Gap): TableWrite {
  return gapRows.remove({ ...wallet, ...gap });
}

export class ChainChanged extends PublicError {
  constructor() {
    super('busy', `The wallet is receiving texts right now. Nothing was done. ${TRY_AGAIN}`);
  }
}
