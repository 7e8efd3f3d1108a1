/*
 * codes     LINK_CODES#<slug> / <number of the first>    a block of a link's codes, in the order in which they are drawn
 * waiting   LINK_WAIT#<slug> / <paid at>#<reference>     a charge that was paid while no code was in stock, until it gets its code
 *
 * Codes are numbered from 1 in the order in which they were added. The link's row counts the codes, the drawn codes and
 * the waiting charges. Every write is conditional on these counts, so no code is drawn twice or from an empty stock.
 * Charges get their codes in order of payment.
 */

import * as z from 'zod/mini';
import type { TableOutside } from '../../runtime/outside/outside.ts';
import { rows } from '../../runtime/table/rows.ts';
import { createItem, removeItem, type TableWrite } from '../../runtime/table/table.ts';
import { codeOf, type Goods } from '../charge/goods.ts';
import type { Origin } from '../charge/origin.ts';
import type { ChargeState } from '../payment/payment.ts';
import { changeStock, findLink, type Link, linkRows } from './link.table.ts';

const Block = z.object({ first: z.number(), codes: z.array(z.string()) });
const Waiting = z.object({ sk: z.string(), reference: z.string() });

interface Charge {
  readonly state: ChargeState;
  readonly origin?: Origin | undefined;
  readonly goods?: Goods | undefined;
}

const waitPartition = (slug: string) => `LINK_WAIT#${slug}`;
const sortOf = (number: number) => String(number).padStart(8, '0');
const blockRows = rows(Block, { pk: 'LINK_CODES#<slug>', sk: ({ first }: z.infer<typeof Block>) => sortOf(first) });

/** Codes per row. Kept small, because showing one code reads the whole row. */
const CODES_A_BLOCK = 50;

export function codesLeft({ codes_stocked = 0, codes_drawn = 0 }: Pick<Link, 'codes_stocked' | 'codes_drawn'>): number {
  return codes_stocked - codes_drawn;
}

export async function getCode(outside: TableOutside, slug: string, number: number): Promise<string | undefined> {
  const between = ['0', sortOf(number)] as const;
  const { entries } = await blockRows.page(outside, { slug }, { between, newestFirst: true, limit: 1 });
  return entries[0]?.codes[number - entries[0].first];
}

export async function givenCode(outside: TableOutside, { state, origin, goods }: Charge): Promise<string | undefined> {
  const code = codeOf({ goods });
  const isGiven = state === 'success' && code?.state === 'given';
  return isGiven && origin?.kind === 'link' && code.number ? getCode(outside, origin.slug, code.number) : undefined;
}

export async function listCodes(outside: TableOutside, { slug, codes_removed = [] }: Link): Promise<string[]> {
  const blocks = await blockRows.list(outside, { slug });
  const isRemoved = (number: number) => codes_removed.some(([from, to]) => number >= from && number <= to);
  return blocks.flatMap(({ first, codes }) => codes.filter((_, n) => !isRemoved(first + n)));
}

export function createCodes({ slug, codes_stocked = 0 }: Link, codes: readonly string[]): TableWrite[] {
  const blocks = Array.from({ length: Math.ceil(codes.length / CODES_A_BLOCK) }, (_, n) => n * CODES_A_BLOCK);
  return blocks.map((start) => {
    const first = codes_stocked + start + 1;
    const block = { first, codes: codes.slice(start, start + CODES_A_BLOCK) };
    return createItem({ ...blockRows.key({ slug, ...block }), ...block }, linkRows.changed);
  });
}

interface Waiter {
  readonly link: string;
  readonly reference: string;
  readonly paid_at: string;
}

const waitKey = ({ link, paid_at, reference }: Waiter) => ({ pk: waitPartition(link), sk: `${paid_at}#${reference}` });

export function putWaiting(charge: Waiter): TableWrite {
  return createItem({ ...waitKey(charge), reference: charge.reference }, linkRows.changed);
}

export function removeWaiting(charge: Waiter): TableWrite {
  return removeItem(waitKey(charge), { when: 'attribute_exists(pk)', refused: linkRows.changed });
}

export function endWaiting(link: Link, charge: Waiter): TableWrite[] {
  return [changeStock(link, { codes_waiting: (link.codes_waiting ?? 1) - 1 }), removeWaiting(charge)];
}

/** Removes a charge from the queue for its link's codes, if it is waiting there. */
export async function leaveQueue(
  outside: TableOutside,
  {
    reference,
    paid_at = '',
    origin,
    goods,
  }: Pick<Waiter, 'reference'> & Omit<Charge, 'state'> & { paid_at?: string | undefined },
): Promise<TableWrite[]> {
  if (origin?.kind !== 'link' || codeOf({ goods })?.state !== 'waiting') return [];
  const link = await findLink(outside, origin.slug);
  return link ? endWaiting(link, { link: origin.slug, reference, paid_at }) : [];
}

export async function listWaiting({ table }: TableOutside, slug: string, limit: number): Promise<Waiter[]> {
  const items = await table.list(waitPartition(slug), { limit });
  return items.map((item) => {
    const { sk, reference } = z.parse(Waiting, item);
    return { link: slug, reference, paid_at: sk.slice(0, sk.indexOf('#')) };
  });
}
