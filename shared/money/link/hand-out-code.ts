import { getMerchantOrTestAccount } from '../../merchants/merchant/merchant.table.ts';
import type { Merchant } from '../../merchants/merchant/merchant.ts';
import { type Clock, nowIso, type Outside, type TimedOutside } from '../../runtime/outside/outside.ts';
import { backOff, retryIfChanged } from '../../runtime/table/contention.ts';
import { setGoods } from '../charge/change-charge.table.ts';
import { type Charge, chargeRows } from '../charge/charge.table.ts';
import { type CodeGoods, codeOf } from '../charge/goods.ts';
import type { Origin } from '../charge/origin.ts';
import { decideRelease, type Leaving } from '../goods/decide-release.ts';
import { type GoodsKind, HAND_OUT_TRIES, handOut, isHandedOut, planHandOut } from '../goods/hand-out.ts';
import { UnprovenLimitReached } from '../goods/unproven.table.ts';
import { changeStock, findLink, type Link } from './link.table.ts';
import { codesLeft, endWaiting, leaveQueue, listWaiting, putWaiting, removeWaiting } from './stock.table.ts';

export type Coded = Charge & {
  readonly origin: Extract<Origin, { kind: 'link' }>;
  readonly goods: CodeGoods;
};

export function giveCode(outside: TimedOutside & Outside, reference: string): Promise<Coded | undefined> {
  return handOut(outside, reference, codes);
}

export function isCoded(charge: Charge): charge is Coded {
  return charge.origin.kind === 'link' && codeOf(charge) !== undefined;
}

export function isCodeDue(charge: Charge): boolean {
  return isCoded(charge) && planHandOut(charge, codes) !== 'nothing';
}

/**
 * True if a job for the charge's code would change nothing. Charges that wait for new codes are handled by the job for
 * the link's stock.
 */
export function isCodeDone(outside: Clock, merchant: Merchant, charge: Coded): boolean {
  return isHandedOut(outside, merchant, charge, codes);
}

/** True if a job for the link's stock would change nothing: no charge is waiting, or no code is left. */
export function isStockDone(link: Link): boolean {
  return codesLeft(link) <= 0 || !link.codes_waiting;
}

const codes: GoodsKind<Coded> = {
  is: isCoded,
  give: async (outside, charge, leaving) => {
    const link = await findLink(outside, charge.origin.slug);
    if (!link) throw new Error(`The charge ${charge.reference} has no link`);
    const { codes_waiting = 0 } = link;
    if (codesLeft(link) > 0 && codes_waiting === 0) return drawCode(outside, link, charge, leaving);
    const { write, after } = moveCode(outside, charge, 'waiting');
    await outside.table.write([
      changeStock(link, { codes_waiting: codes_waiting + 1 }),
      putWaiting(paidOf(after)),
      write,
    ]);
    return undefined;
  },
  isGone: ({ state }) => state === 'reversed',
  takeBack: async (outside, charge) => [
    ...(await leaveQueue(outside, charge)),
    moveCode(outside, charge, 'taken_back').write,
  ],
};

async function drawCode(
  outside: TimedOutside & Outside,
  link: Link,
  charge: Coded,
  { counted, count }: Leaving,
): Promise<Coded> {
  const { codes_drawn = 0, codes_waiting = 0 } = link;
  const isWaiting = charge.goods.state === 'waiting';
  const number = codes_drawn + 1;
  const { write, after } = moveCode(outside, charge, 'given', { number, counted });
  await outside.table.write([
    changeStock(link, { codes_drawn: number, ...(isWaiting && { codes_waiting: codes_waiting - 1 }) }),
    ...(isWaiting ? [removeWaiting(paidOf(charge))] : []),
    write,
    ...(await count(outside)),
  ]);
  return after;
}

/** Hands out new codes to the waiting charges, in order of payment. Idempotent. */
export async function serveWaiting(outside: TimedOutside & Outside, slug: string): Promise<void> {
  while (
    await retryIfChanged(() => serveFirst(outside, slug), {
      tries: HAND_OUT_TRIES,
      pause: (n) => backOff(outside, Math.min(n, 3)),
    })
  );
}

/** @returns true if more charges may be waiting. */
async function serveFirst(outside: TimedOutside & Outside, slug: string): Promise<boolean> {
  const link = await findLink(outside, slug);
  if (!link || isStockDone(link)) return false;
  const [first] = await listWaiting(outside, slug, 1);
  if (!first) return false;
  const charge = await chargeRows.find(outside, first);
  // The charge was deleted after its retention period, so its page no longer exists.
  if (!charge) {
    await outside.table.write(endWaiting(link, first));
    return true;
  }
  if (!isCoded(charge)) return false;
  if (charge.state !== 'success' || charge.goods.state !== 'waiting') {
    await giveCode(outside, charge.reference);
    return true;
  }
  const merchant = await getMerchantOrTestAccount(outside, charge.merchant_id);
  if (!merchant) throw new Error(`The charge ${charge.reference} has no merchant`);
  const leaving = decideRelease(outside, merchant, charge);
  try {
    if (typeof leaving !== 'string') return (await drawCode(outside, link, charge, leaving)) !== undefined;
  } catch (error) {
    if (!(error instanceof UnprovenLimitReached)) throw error;
  }
  // The payment has since been disputed or sent back, or is no longer verified.
  await outside.table.write([...endWaiting(link, paidOf(charge)), moveCode(outside, charge, 'to_release').write]);
  return true;
}

function moveCode(
  outside: TimedOutside,
  charge: Coded,
  state: CodeGoods['state'],
  { number, counted }: { readonly number?: number | undefined } & Partial<Pick<Leaving, 'counted'>> = {},
) {
  const at = nowIso(outside);
  const goods: CodeGoods = { ...charge.goods, state, at, ...(number !== undefined && { number }) };
  return { write: setGoods(charge, goods, counted), after: { ...charge, ...counted, goods } };
}

function paidOf({ origin, reference, paid_at = '' }: Coded) {
  return { link: origin.slug, reference, paid_at };
}
