import type { User } from '../../shared/merchants/user/user.table.ts';
import { Charge } from '../../shared/money/charge/charge.table.ts';
import { type TakenGoods, takeOf } from '../../shared/money/charge/goods.ts';
import { addTill } from '../../shared/money/till/shift.ts';
import { msOfUlid } from '../../shared/runtime/values/ids.ts';
import { chargesIn, type Kiosk } from './kiosk.ts';
import { enter, type FilledForm, tapOnceOrTwice } from './person.ts';
import type { Chance } from './random.ts';

type Item = Readonly<Record<string, unknown>>;

const TILL = '/dashboard/till';

/** Opens two tills in each shop. */
export async function openShopTills(kiosk: Kiosk): Promise<void> {
  for (const { id } of kiosk.shops)
    for (const name of ['Counter 1', 'Counter 2']) {
      const { writes } = await addTill(kiosk.outside, id, name);
      await kiosk.outside.table.write(writes);
    }
}

/** Performs a random action of an employee at a till, sometimes at the other shop and sometimes twice. */
export async function actAtTill(kiosk: Kiosk, chance: Chance, people: readonly User[]): Promise<void> {
  const user = chance.pick([...people]);
  const token = await enter(kiosk, user);
  const form = formOf(kiosk, chance, user);
  if (token === undefined || !form) return;
  await tapOnceOrTwice(kiosk, chance, token, form);
}

function formOf(kiosk: Kiosk, chance: Chance, user: User): FilledForm | undefined {
  const items = kiosk.memory.items();
  const tills = items.filter(({ pk }) => String(pk).startsWith('TILL#'));
  const own = tills.filter(({ merchant_id }) => merchant_id === user.merchant_id);
  const mine = own.filter(({ shift }) => isOf(shift, user));
  const till = chance.happens(0.1) || own.length === 0 ? chance.pick(tills) : chance.pick(mine.length > 0 ? mine : own);
  const path = `${TILL}/${till.till_id}`;
  const shift = shiftIdOf(till.shift);
  if (chance.happens(0.1)) return { path: `${path}/sticker`, fields: {} };
  if (chance.happens(0.02)) return { path: `${path}/remove`, fields: {} };
  if (mine.length === 0 || chance.happens(0.1))
    return { path: `${path}/begin`, fields: shift ? { instead_of: shift } : {} };
  const taken = items.filter(({ sk, goods }) => sk === 'TRANSACTION' && Object(goods).kind === 'take');
  if (taken.length > 0 && chance.happens(0.3))
    return { path: `${path}/undo`, fields: { reference: String(chance.pick(taken).reference) } };
  const atSticker = items.filter(
    ({ sk, origin }) => sk === 'TRANSACTION' && till.sticker !== undefined && Object(origin).slug === till.sticker,
  );
  if (atSticker.length > 0 && chance.happens(0.3))
    return { path: `${path}/hand-out`, fields: { reference: String(chance.pick(atSticker).reference) } };
  const held = items.filter(({ sk, state }) => sk === 'RECEIPT' && state === 'held');
  const free = held.filter(({ reason }) => reason === 'no_charge' || reason === 'name_differs');
  if (held.length === 0) return undefined;
  const receipt = chance.pick(free.length > 0 && chance.happens(0.8) ? free : held);
  const fields = {
    receipt: chance.happens(0.7) ? shownId(receipt) : String(receipt.receipt_id),
    shift: shift ?? 'none',
    amount: (Number(receipt.amount_pesewas) / 100).toFixed(2),
    ...(chance.happens(0.9) && { scanned: scannedFor(chance, atSticker, receipt) }),
  };
  return { path: `${path}/take`, fields };
}

/** Returns the charge that a customer scanned at the sticker, usually one for this amount. */
function scannedFor(chance: Chance, atSticker: readonly Item[], { amount_pesewas }: Item): string {
  const same = atSticker.filter((one) => one.amount_pesewas === amount_pesewas);
  const meant = same.length > 0 ? same : atSticker;
  return meant.length > 0 && chance.happens(0.7) ? String(chance.pick([...meant]).reference) : 'no';
}

function isOf(shift: unknown, { user_id }: User): boolean {
  return typeof shift === 'object' && shift !== null && 'by' in shift && shift.by === user_id;
}

function shiftIdOf(shift: unknown): string | undefined {
  return typeof shift === 'object' && shift !== null && 'shift_id' in shift ? String(shift.shift_id) : undefined;
}

/** Returns the shortened id shown to a cashier. */
function shownId({ received_at, transaction_id }: Item): string {
  return `${Date.parse(String(received_at))}-${String(transaction_id).slice(-4)}`;
}

/** Returns the start of a payment's shift, in ms since 1970. */
export function msOfShift({ shift_id }: Pick<TakenGoods, 'shift_id'>): number {
  return msOfUlid(shift_id) ?? Number.POSITIVE_INFINITY;
}

/** Returns true if no notification about a till's paid charge was sent. */
export function isUntoldTake(item: Item): boolean {
  const take = takeOf(Charge.parse(item));
  return take !== undefined && take.told_at === undefined;
}

/** Returns payments accepted at tills with a wrong amount, with a second use or without a record of the tap. */
export function wrongWithTakes(items: readonly Item[]): string[] {
  const charges = chargesIn(items).filter((charge) => takeOf(charge) !== undefined);
  const takes = items.filter(({ pk }) => String(pk).startsWith('TAKE#'));
  const references = new Set(takes.map(({ reference }) => String(reference)));
  return [
    ...(takes.length === charges.length ? [] : [`${takes.length} takes and ${charges.length} charges of tills`]),
    ...charges.flatMap(({ reference, state, amount_pesewas, payment, goods }) => {
      const isUndone = takeOf({ goods })?.undone_at !== undefined;
      const faults: readonly (readonly [boolean, string])[] = [
        [!references.has(reference), 'has no take'],
        [payment !== undefined && payment.amount_pesewas !== amount_pesewas, 'is of another amount than its payment'],
        [isUndone !== (goods?.state === 'taken_back'), `was undone: ${isUndone}, and its goods are ${goods?.state}`],
        [isUndone !== (state === 'cancelled'), `was undone: ${isUndone}, and is ${state}`],
        [state === 'pending' || state === 'expired', `is ${state}`],
      ];
      return faults.flatMap(([is, what]) => (is ? [`${reference}, taken at a till, ${what}`] : []));
    }),
  ];
}

/** Returns scanned charges with inconsistent payments at the counter. */
export function wrongWithScanned(items: readonly Item[]): string[] {
  const charges = chargesIn(items);
  const byReference = new Map(charges.map((charge) => [charge.reference, charge]));
  return charges.flatMap(({ reference, paid_as, payment, parts, state }) => {
    if (paid_as === undefined) return [];
    const taken = byReference.get(paid_as);
    const faults: readonly (readonly [boolean, string])[] = [
      [payment !== undefined || parts !== undefined || state === 'success', 'has money of its own'],
      [taken === undefined || takeOf(taken)?.scanned !== reference, 'is not what its payment’s charge names'],
      [taken?.state !== 'success', 'waits for no payment, though the tap’s is gone'],
    ];
    return faults.flatMap(([is, what]) => (is ? [`${reference}, paid at the counter as ${paid_as}, ${what}`] : []));
  });
}

/** Returns goods that were delivered without a payment, or recorded twice. */
export function wrongWithHandOuts(items: readonly Item[]): string[] {
  const noted = items.filter(({ action }) => action === 'till hand-out').map(({ about }) => String(about));
  const handedOut = chargesIn(items).filter(({ goods }) => goods?.kind === 'counter' && goods.state === 'given');
  return [
    ...(noted.length === handedOut.length ? [] : [`${noted.length} times goods left, for ${handedOut.length} charges`]),
    ...handedOut.flatMap(({ reference, paid_at }) =>
      paid_at !== undefined && noted.includes(reference) ? [] : [`goods left for ${reference}, which is not paid`],
    ),
  ];
}

/** Returns stickers that do not match their till, or that accept charges for a closed till. */
export function wrongWithStickers(items: readonly Item[]): string[] {
  const pairs = (from: string, to: string, wanted: (item: Item) => boolean) =>
    new Map(items.filter(wanted).map((item) => [item[from], item[to]]));
  const byTill = pairs(
    'till_id',
    'sticker',
    ({ pk, sticker }) => String(pk).startsWith('TILL#') && sticker !== undefined,
  );
  const byLink = pairs(
    'till',
    'slug',
    ({ sk, till, ends_at }) => sk === 'LINK' && till !== undefined && ends_at === undefined,
  );
  const links = new Map(items.filter(({ sk }) => sk === 'LINK').map((link) => [link.slug, link]));
  const alive = items.filter(
    ({ ended_at, sticker }) => ended_at !== undefined && sticker !== undefined && !links.get(sticker)?.ends_at,
  );
  return [
    ...[...byTill].flatMap(([till, slug]) =>
      links.get(slug)?.till === till ? [] : [`${till} names ${slug}, which is not its sticker`],
    ),
    ...[...byLink].flatMap(([till, slug]) =>
      byTill.get(till) === slug ? [] : [`${slug} is a sticker that ${till} does not name`],
    ),
    ...alive.map(({ till_id }) => `${till_id} has ended, and its sticker has not`),
  ];
}

/** Returns accepted payments without a notification. */
export function unsettledTakes(items: readonly Item[]): string[] {
  return items
    .filter((item) => item.sk === 'TRANSACTION' && item.state === 'success' && isUntoldTake(item))
    .map(({ reference }) => `${reference} was taken at a till, and nobody was told`);
}
