/*
 * balance chain   CHAIN#<network>#<momo number> / CHAIN                          its head, of a fixed size; every change of the chain
 *                                                                                changes it, so one change follows the other
 *                                               / TEXT#<id>#<before>#<after>     a text that is settled: a part of the chain, or false
 *                                               / WAIT#<id>#<before>#<after>     a text that does not link yet
 *                                               / GAP#<id>                       a break that is known, by the id that comes before it
 *   gsi1   CHAINS / <network>#<momo number>             of the head
 *   gsi2   OPEN#CHAIN / <network>#<momo number>         of the head, while texts wait or money was sent to the bank
 *
 * They hold balances: nobody but the owners of the wallet and the operator may see them, and they are in no log.
 */
import * as z from 'zod/mini';
import { Network } from '../../ghana/network.ts';
import { type Clock, endsIn, type TableOutside } from '../../runtime/outside/outside.ts';
import { rows } from '../../runtime/table/rows.ts';
import { asRead, type Item, listWholeIndex, putItem, type TableWrite } from '../../runtime/table/table.ts';
import type { RowChange } from '../../runtime/triggers/stream.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import { differenceOf, Gap } from './branches.ts';
import { Chain, headOf, Movement, type Place } from './chain.ts';
import { sameMoment } from './network-clock.ts';

/** A MoMo number on a network. */
export interface Wallet {
  readonly network: Network;
  readonly momo_number: string;
}

/** A text of a wallet whose place is known. */
const SettledText = z.extend(Movement, {
  /**
   * `linked`: a part of the chain. `unsure`: a part of it, and it may be forged, because the chain would go on without it. `contested`: it was, and waits again, because another text says that the chain went on in another way.
   * `false`: it never linked, or its wallet's owner says that it is not true.
   */
  state: z.enum(['linked', 'unsure', 'contested', 'false']),
});
export type SettledText = z.infer<typeof SettledText>;

/** A statement is made once a month, and looked at a month later. */
const TEXT_KEPT_SECONDS = 62 * 24 * 60 * 60;

const OPEN_CHAINS = 'OPEN#CHAIN';
const partition = ({ network, momo_number }: Wallet) => `CHAIN#${network}#${momo_number}`;
const nameOf = ({ network, momo_number }: Wallet) => `${network}#${momo_number}`;
/** The heads: listed are those of the whole stage, by network and number. A wallet whose texts have told no balance has none. */
export const chainRows = rows(Chain, { pk: partition, sk: 'CHAIN', gsi1: { pk: 'CHAINS', sk: nameOf } });
const WAIT = 'WAIT#';
const TEXT = 'TEXT#';
const GAP = 'GAP#';
/** As wide as the widest id, so that they sort as numbers. */
const padded = (id: number) => String(id).padStart(16, '0');
/** The same for every copy of a text; another for one that contradicts it. */
const sortOf = ({ id, before, after }: Movement) => `${padded(id)}#${before}#${after}`;
const settledRows = rows(SettledText, { pk: partition, sk: (text: Movement) => `${TEXT}${sortOf(text)}` });
const waitRows = rows(Movement, { pk: partition, sk: (text: Movement) => `${WAIT}${sortOf(text)}` });
const gapRows = rows(Gap, { pk: partition, sk: ({ from }: Gap) => `${GAP}${padded(from.id)}` });

/** The chains that texts wait to become a part of, or whose owners are asked about money sent to the bank. */
export async function listOpenChains(outside: TableOutside): Promise<Chain[]> {
  const items = await listWholeIndex(outside.table, 'gsi2', OPEN_CHAINS);
  // The index is a moment behind.
  return items.map(chainRows.parse).filter(isOpen);
}

/** The texts that wait, in the order of their ids. */
export function listWaiting(outside: TableOutside, wallet: Wallet): Promise<Movement[]> {
  return waitRows.list(outside, wallet, { between: [WAIT, `${WAIT}~`] });
}

/** The texts between two ids whose place is known, in the order of their ids. */
export function listSettledTexts(
  outside: TableOutside,
  wallet: Wallet,
  [from, to]: readonly [number, number] = [0, Number.MAX_SAFE_INTEGER],
): Promise<SettledText[]> {
  return settledRows.list(outside, wallet, { between: [`${TEXT}${padded(from)}`, `${TEXT}${padded(to)}~`] });
}

/** The known breaks of a chain, the oldest first. */
export function listGaps(outside: TableOutside, wallet: Wallet): Promise<Gap[]> {
  return gapRows.list(outside, wallet, { between: [GAP, `${GAP}~`] });
}

/** The wallet of a break by which its balance fell, unexplained, and the time (ms) of the last text before it; undefined for any other row. */
export function fallOf(row: Item): (Wallet & { readonly since_ms: number }) | undefined {
  if (!String(row.sk).startsWith(GAP)) return undefined;
  const gap = gapRows.parse(row);
  if (gap.is_push || gap.reversal_of !== undefined || differenceOf(gap) >= 0) return undefined;
  const [, network, momo_number = ''] = String(row.pk).split('#');
  return { network: z.parse(Network, network), momo_number, since_ms: gap.from.at_ms };
}

/** The receipt whose reversal a break explained until a change of its row; undefined where it still does, and for any other row. */
export function unexplainedBy({ sk, before, after }: RowChange): string | undefined {
  if (!sk.startsWith(GAP) || !before) return undefined;
  const { reversal_of } = gapRows.parse(before);
  return after && gapRows.parse(after).reversal_of === reversal_of ? undefined : reversal_of;
}

/** The texts that led from a place shortly before the head to the head. */
export async function textsAfter(
  outside: TableOutside,
  wallet: Wallet,
  { recent, clock, network }: Chain,
  place: Place,
): Promise<Movement[]> {
  const start = recent.indexOf(place);
  const places = recent.filter(({ is_reversal }, n) => n > start && !is_reversal);
  const lastId = places.at(-1)?.id ?? place.id;
  const settled = await listSettledTexts(outside, wallet, [Math.floor(place.id - sameMoment(clock, network)), lastId]);
  const texts = places.map((one) => {
    const leadsThere = ({ state, after, id }: SettledText) =>
      (state === 'linked' || state === 'unsure') && after === one.balance && id <= one.id;
    const before = recent[recent.indexOf(one) - 1]?.balance;
    const leading = settled.filter(leadsThere);
    // After a break the balance before it is another one.
    return leading.findLast((text) => text.before === before) ?? leading.at(-1);
  });
  // Each once: a transaction writes no row twice.
  return [...new Set(texts)].flatMap((text) => (text ? z.parse(Movement, text) : []));
}

/** What is known of some texts: each is settled, waits, or is left out. */
export async function getTexts(
  outside: TableOutside,
  wallet: Wallet,
  texts: readonly Movement[],
): Promise<(SettledText | (Movement & { state: 'waiting' }))[]> {
  const named = texts.map((text) => ({ ...wallet, ...text }));
  const items = await outside.table.getMany(named.flatMap((one) => [settledRows.key(one), waitRows.key(one)]));
  return items.map((item) =>
    String(item.sk).startsWith(WAIT) ? { ...waitRows.parse(item), state: 'waiting' } : settledRows.parse(item),
  );
}

/** Stores a chain for the first time. Refused with `ChainChanged` if another has. */
export function createChain(chain: Chain): TableWrite {
  return chainRows.create({ ...openKey(chain), ...chain }, () => new ChainChanged());
}

/** Replaces a chain as it was read by `after`. Refused with `ChainChanged` if it has changed since. */
export function replaceChain(before: Chain, after: Chain): TableWrite {
  const { version } = before;
  const changed = () => new ChainChanged();
  return chainRows.put(
    { ...openKey(after), ...after, version: version + 1 },
    { ...asRead({ version }), refused: changed, contended: changed },
  );
}

/** Whether texts wait, or a push does that the chain has not gone past. */
function isOpen(chain: Chain): boolean {
  return chain.waiting > 0 || (chain.pushes?.some(({ id }) => id > headOf(chain).id) ?? false);
}

function openKey(chain: Chain): { gsi2pk?: string; gsi2sk?: string } {
  return isOpen(chain) ? { gsi2pk: OPEN_CHAINS, gsi2sk: nameOf(chain) } : {};
}

/*
 * The writes below have no conditions of their own. Each is made with a change of the chain, which is refused where the chain is not as
 * it was read.
 */

/** Has a text wait. */
export function addWaiting(outside: Clock, wallet: Wallet, text: Movement): TableWrite {
  return putItem({ ...waitRows.key({ ...wallet, ...text }), ...text, ...endsIn(outside, TEXT_KEPT_SECONDS) });
}

/** Records that the owner is asked about the branch that a waiting text begins. Refused with `ChainChanged` if it waits no longer. */
export function noteAsked(outside: Clock, wallet: Wallet, text: Movement): TableWrite {
  const asked = { ...text, asked_ms: outside.now(), ...endsIn(outside, TEXT_KEPT_SECONDS) };
  const Item = { ...waitRows.key({ ...wallet, ...text }), ...asked };
  return putItem(Item, { when: 'attribute_exists(pk)', refused: () => new ChainChanged() });
}

/** Ends the waiting of a text. The stream tells of it: what was decided about its payment is decided again. */
export function removeWaiting(wallet: Wallet, text: Movement): TableWrite {
  return waitRows.remove({ ...wallet, ...text });
}

/** Records a text as a part of the chain, or as false. */
export function addSettled(outside: Clock, wallet: Wallet, text: Movement, state: SettledText['state']): TableWrite {
  const settled: SettledText = { ...text, state };
  return putItem({ ...settledRows.key({ ...wallet, ...text }), ...settled, ...endsIn(outside, TEXT_KEPT_SECONDS) });
}

/** Records a break. It is kept as long as the chain: it is a part of what the chain says. */
export function addGap(wallet: Wallet, gap: Gap): TableWrite {
  return putItem({ ...gapRows.key({ ...wallet, ...gap }), ...gap });
}

export function removeGap(wallet: Wallet, gap: Gap): TableWrite {
  return gapRows.remove({ ...wallet, ...gap });
}

/** Another text was added meanwhile: read the chain and decide again. */
export class ChainChanged extends PublicError {
  constructor() {
    super('busy', 'The wallet is getting texts right now. Nothing was done; try again in a second.');
  }
}
