import { addCodes, type Client, createLink } from '../../infra/local/story/steps.ts';
import { merchantRows } from '../../shared/merchants/merchant/merchant.table.ts';
import { type Charge, referenceOfAccessCode } from '../../shared/money/charge/charge.table.ts';
import { codeOf } from '../../shared/money/charge/goods.ts';
import { initializeCharge } from '../../shared/money/charge/initialize-charge.ts';
import { cameWith, isOpenedByStranger } from '../../shared/money/charge/origin.ts';
import { Link } from '../../shared/money/link/link.table.ts';
import { newNonce } from '../../shared/money/link/open-link-charge.ts';
import { chargesIn, type Kiosk, type Shop } from './kiosk.ts';

type Item = Readonly<Record<string, unknown>>;

/** Creates a link, with this many stock codes if any. The description identifies the link. */
export async function openShopLink(
  kiosk: Kiosk,
  { liveKey: key }: Pick<Shop, 'liveKey'>,
  amount: number,
  codes: number,
) {
  const stock = codes > 0 && { codes: codesFrom(1, codes), text_codes: true };
  const body = { title: 'Wi-Fi canary', note_label: 'Your room', amount, ...stock };
  return (await createLink(kiosk, body, { key, once: `link-${amount}-${codes}` })).slug;
}

/** Returns codes with consecutive numbers, in the format of the form. */
export function codesFrom(first: number, count: number): string[] {
  return Array.from({ length: count }, (_, n) => `canary-code-${first + n}`);
}

/** Presses Pay. Returns the charge's reference if the response arrived. */
export async function pressPayOn(
  kiosk: Kiosk,
  slug: string,
  phone = '',
  amount = '',
  sourceIp?: string,
): Promise<string | undefined> {
  const body = { note: 'Room 12', phone, amount, nonce: newNonce(kiosk.outside) };
  const call = { parameters: { slug }, body, ...(sourceIp && { sourceIp }) };
  const answer = await kiosk.request('pay/open', call);
  const [, code = ''] = /^\/checkout\/(\w+)$/.exec(answer?.headers.location ?? '') ?? [];
  const reference = referenceOfAccessCode(code);
  if (reference) kiosk.promised.references.add(reference);
  return reference;
}

/** Opens a charge in another person's name. */
export async function openInNameOf(
  kiosk: Kiosk,
  { id }: Pick<Shop, 'id'>,
  amount: number,
  customer_name: string,
): Promise<void> {
  await kiosk.faults.run('pay/open', async () => {
    const merchant = await merchantRows.find(kiosk.outside, { merchant_id: id });
    if (!merchant) return;
    const asked = { amount, customer_name, expires_in: 1_800 };
    const origin = { kind: 'link', slug: 'nobodys1' } as const;
    const commit = (_: unknown, writes: Parameters<typeof kiosk.outside.table.write>[0]) =>
      kiosk.outside.table.write(writes);
    await initializeCharge(kiosk.outside, merchant, { asked, origin }, commit);
  });
}

/** Adds a link's next codes exactly once. */
export function addMoreCodes(
  at: Client,
  kiosk: Kiosk,
  { liveKey: key }: Pick<Shop, 'liveKey'>,
  slug: string,
  count: number,
) {
  const link = kiosk.items().find(({ pk, sk }) => pk === `LINK#${slug}` && sk === 'LINK');
  const codes = codesFrom(Math.max(1, Number(link?.codes_stocked ?? 0)), count);
  return addCodes(at, slug, codes, { key });
}

/** Returns strangers' charges and stock codes in an inconsistent state. */
export function wrongWithLinks(items: readonly Item[]): string[] {
  const charges = chargesIn(items);
  const byName = charges
    .filter((charge) => isOpenedByStranger(charge))
    .filter(({ payment, parts = [] }) => [payment, ...parts].some((one) => one?.matched_by === 'name'))
    .map(({ reference }) => `${reference} was opened by a stranger and paid by a name`);
  const links = items.filter(({ sk, codes_stocked }) => sk === 'LINK' && codes_stocked !== undefined);
  const free = links.filter(
    ({ till, amount_pesewas, min_pesewas }) => till !== undefined || (amount_pesewas ?? min_pesewas) === undefined,
  );
  return [
    ...free.map(({ slug }) => `the link ${slug} hands out codes for any amount, or as a sticker`),
    ...byName,
    ...links.flatMap((link) => wrongWithCodes(link, charges, items)),
  ];
}

function wrongWithCodes(link: Item, charges: readonly Charge[], items: readonly Item[]): string[] {
  const { slug, codes_stocked, codes_drawn, codes_waiting } = link;
  const [stocked, drawn, waits] = [Number(codes_stocked), Number(codes_drawn), Number(codes_waiting)];
  const codes = items
    .filter(({ pk }) => pk === `LINK_CODES#${slug}`)
    .flatMap(({ first, codes: some }) => (Array.isArray(some) ? some.map((code, n) => [Number(first) + n, code]) : []));
  const removed = Link.parse(link).codes_removed ?? [];
  const current = codes
    .filter(([number]) => !removed.some(([from, to]) => number >= from && number <= to))
    .map(([, code]) => code);
  const gone = codes.length - current.length;
  const waiting = items.filter(({ pk }) => pk === `LINK_WAIT#${slug}`).map(({ reference }) => String(reference));
  const ofLink = charges.filter((charge) => cameWith(charge).link === slug);
  const numbers = ofLink.flatMap((charge) => codeOf(charge)?.number ?? []);
  const known = new Map(ofLink.map((charge) => [charge.reference, charge.goods?.state]));
  const unpaid = ofLink.filter(({ paid_at, goods }) => goods?.state === 'given' && paid_at === undefined);
  const faults: readonly (readonly [boolean, string])[] = [
    [codes.length !== stocked, `has ${codes.length} codes and says ${stocked}`],
    [new Set(current).size !== current.length, 'has a code twice'],
    [drawn > stocked, `has ${stocked} codes, and ${drawn} were drawn`],
    [new Set(numbers).size !== numbers.length, `gave one number to two: ${numbers.join()}`],
    [
      numbers.length + gone !== drawn,
      `says that ${drawn} codes were drawn, ${gone} were removed, and ${numbers.length} charges have one`,
    ],
    [numbers.some((number) => number < 1 || number > drawn), 'gave a number that was not drawn'],
    [waiting.length !== waits, `says that ${waits} wait, and ${waiting.length} do`],
    [waiting.some((reference) => known.get(reference) !== 'waiting'), 'has somebody wait who does not'],
    [unpaid.length > 0, 'gave a code for a charge that was never paid'],
  ];
  return faults.flatMap(([is, what]) => (is ? [`the link ${slug} ${what}`] : []));
}

/** Returns charges that wait for an available code, or that are paid without a code. */
export function unsettledCodes(items: readonly Item[]): string[] {
  const links = new Map(items.filter(({ sk }) => sk === 'LINK').map((link) => [String(link.slug), link]));
  return chargesIn(items).flatMap(({ reference, state, origin, goods }) => {
    const { link = '' } = cameWith({ origin });
    const code = codeOf({ goods });
    const { codes_stocked, codes_drawn } = links.get(link) ?? {};
    const isLeft = Number(codes_stocked) > Number(codes_drawn);
    if (state === 'success' && code?.state === 'unpaid') return [`${reference} is paid and has no code`];
    if (state === 'success' && code?.state === 'waiting' && isLeft) return [`${reference} waits, and codes are left`];
    if (state === 'reversed' && code && !['unpaid', 'taken_back'].includes(code.state))
      return [`${reference} was reversed and has its code`];
    return [];
  });
}
