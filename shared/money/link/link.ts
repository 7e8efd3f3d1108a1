import { ghsOf, MAX_AMOUNT_GHS, MIN_AMOUNT_GHS, shownAmount as shownFigure, shownMoney } from '../../ghana/money.ts';
import type { Merchant } from '../../merchants/merchant/merchant.ts';
import { isTestAccount } from '../../merchants/merchant/test-account.ts';
import { type Clock, isoOf, nowIso, type Outside } from '../../runtime/outside/outside.ts';
import { refuseInvalid } from '../../runtime/values/errors.ts';
import { metadataValue } from '../../runtime/values/metadata.ts';
import { orNull } from '../../runtime/values/or-null.ts';
import { newSlug } from '../charge/slug.ts';
import type { Link, LinkFields } from './link.table.ts';
import type { ChangeLinkRequest, LinkRequest } from './link-request.ts';
import type { LinkResponse, StockResponse } from './responses.ts';
import { codesLeft } from './stock.table.ts';

export function newLink(outside: Outside, { merchant_id }: Merchant, asked: LinkRequest): Link {
  const created_at = nowIso(outside);
  return { slug: newSlug(outside.randomBytes), merchant_id, ...fieldsOf(outside, asked), created_at };
}

/**
 * Converts a link request to the fields to store.
 * @throws PublicError `invalid_request`.
 */
export function fieldsOf(outside: Clock, { codes: _, ...asked }: LinkRequest): LinkFields {
  const { amount, min_amount, max_amount, text_codes, ends_at, ...others } = asked;
  const fields: Pick<LinkFields, keyof typeof others> = others;
  refuseEnded(outside, ends_at);
  const amounts = { amount_pesewas: amount, min_pesewas: min_amount, max_pesewas: max_amount };
  return { ...fields, ...amounts, texts_codes: text_codes, ends_at: ends_at && isoOf(Date.parse(ends_at)) };
}

/**
 * Returns the fields that a change sets. A fixed amount replaces the minimum and maximum, and vice versa.
 * @throws PublicError `invalid_request`.
 */
export function changedFields(outside: Clock, link: Link, asked: ChangeLinkRequest): Partial<LinkFields> {
  const { amount, min_amount, max_amount, ends_at, description, note_label, text_codes, ...others } = asked;
  const setsBounds = min_amount !== undefined || max_amount !== undefined;
  const before = amount === undefined ? link : undefined;
  const amounts = {
    amount_pesewas: setsBounds ? amount : (amount ?? link.amount_pesewas),
    min_pesewas: min_amount ?? before?.min_pesewas,
    max_pesewas: max_amount ?? before?.max_pesewas,
  };
  refuseEnded(outside, ends_at);
  return {
    ...others,
    ...(text_codes !== undefined && { texts_codes: text_codes }),
    ...(description !== undefined && { description: description.trim() === '' ? undefined : description }),
    ...(note_label !== undefined && { note_label: note_label.trim() === '' ? undefined : note_label }),
    ...((amount !== undefined || setsBounds) && amounts),
    ...(ends_at !== undefined && { ends_at: isoOf(Date.parse(ends_at)) }),
  };
}

type Amounts = Pick<Link, 'amount_pesewas' | 'min_pesewas' | 'max_pesewas'>;

/**
 * Checks a link before it is stored or its codes change.
 * @throws PublicError `invalid_request`.
 */
export function checkLink(outside: Clock, link: Link, before?: Link): void {
  const { amount_pesewas, min_pesewas, max_pesewas, ends_at, till } = link;
  const hasAmount = amount_pesewas !== undefined;
  const opensAgain = ends_at !== before?.ends_at && !hasEnded(outside, link);
  const noCodes = link.codes_stocked === undefined ? undefined : codesRefusal(link);
  const faults: readonly (readonly [boolean, string, string])[] = [
    [hasAmount && min_pesewas !== undefined, 'min_amount', BESIDE_AMOUNT],
    [hasAmount && max_pesewas !== undefined, 'max_amount', BESIDE_AMOUNT],
    [(min_pesewas ?? 0) > (max_pesewas ?? Number.POSITIVE_INFINITY), 'max_amount', 'must not be less than min_amount'],
    [till !== undefined && !hasLeast(link), 'min_amount', 'is missing: a till’s sticker needs a minimum amount'],
    [
      till !== undefined && opensAgain,
      'ends_at',
      'cannot be changed on an ended till sticker: its payments would not appear at any till. Create a new sticker for the till',
    ],
    [noCodes !== undefined, 'codes', noCodes ?? ''],
  ];
  refuseInvalid(faults.flatMap(([is, field, message]) => (is ? [{ field, message }] : [])));
}

const BESIDE_AMOUNT = 'cannot be combined with amount, which fixes the price for everybody';

export function codesRefusal(link: Pick<Link, 'till' | keyof Amounts>): string | undefined {
  if (link.till !== undefined) return 'cannot be issued by a till’s sticker: create a payment link for them';
  return hasLeast(link)
    ? undefined
    : `need an amount or a minimum amount; otherwise ${shownMoney(MIN_AMOUNT_GHS * 100)} would buy a code. Set an amount first`;
}

function hasLeast({ amount_pesewas, min_pesewas }: Amounts): boolean {
  return amount_pesewas !== undefined || min_pesewas !== undefined;
}

function refuseEnded(outside: Clock, endsAt: string | undefined): void {
  if (endsAt === undefined || Date.parse(endsAt) > outside.now()) return;
  refuseInvalid([
    { field: 'ends_at', message: 'must be in the future. To end a link now, use POST /api/v1/link/{slug}/end' },
  ]);
}

export function hasEnded(outside: Clock, { ends_at }: Pick<Link, 'ends_at'>): boolean {
  return ends_at !== undefined && Date.parse(ends_at) <= outside.now();
}

export function isSoldOut(link: Link): boolean {
  return link.codes_stocked !== undefined && codesLeft(link) - (link.codes_waiting ?? 0) <= 0;
}

export function boundsOf({ amount_pesewas, min_pesewas, max_pesewas }: Amounts): readonly [number, number] {
  if (amount_pesewas !== undefined) return [amount_pesewas, amount_pesewas];
  return [min_pesewas ?? MIN_AMOUNT_GHS * 100, max_pesewas ?? MAX_AMOUNT_GHS * 100];
}

export function shownAmount(link: Amounts): string {
  const [least, most] = boundsOf(link);
  if (least === most) return shownMoney(least);
  const { min_pesewas, max_pesewas } = link;
  if (min_pesewas === undefined && max_pesewas === undefined) return 'Any amount';
  if (max_pesewas === undefined) return `From ${shownMoney(least)}`;
  return min_pesewas === undefined ? `Up to ${shownMoney(most)}` : `${shownMoney(least)}–${shownFigure(most)}`;
}

export function linkUrl({ baseUrl }: Pick<Outside, 'baseUrl'>, slug: string): string {
  return `${baseUrl}/pay/${slug}`;
}

const DEFAULT_LOW_STOCK = 5;

export function lowStockOf({ low_stock_at = DEFAULT_LOW_STOCK }: Pick<Link, 'low_stock_at'>): number {
  return low_stock_at;
}

/**
 * True if the stock has just reached `low_stock_at` or zero. Also true if `low_stock_at` was just raised to the current
 * stock or above.
 */
export function hasRunLow(before: Link, after: Link): boolean {
  const isLow = (link: Link) => codesLeft(link) <= lowStockOf(link);
  const isEmptied = codesLeft(before) > 0 && codesLeft(after) <= 0;
  return isEmptied || (isLow(after) && !isLow(before));
}

function presentStock(link: Link): StockResponse {
  const { codes_stocked: added = 0, codes_drawn: drawn = 0, codes_waiting: waiting = 0, texts_codes = false } = link;
  return { added, left: added - drawn, waiting, low_stock_at: lowStockOf(link), text_codes: texts_codes };
}

export function presentLink(outside: Pick<Outside, 'now' | 'baseUrl'>, link: Link): LinkResponse {
  const ghs = (pesewas: number | undefined) => (pesewas === undefined ? null : ghsOf(pesewas));
  return {
    slug: link.slug,
    url: linkUrl(outside, link.slug),
    livemode: !isTestAccount(link.merchant_id),
    status: hasEnded(outside, link) ? 'ended' : 'open',
    ...orNull(link, 'title', 'description'),
    amount: ghs(link.amount_pesewas),
    min_amount: ghs(link.min_pesewas),
    max_amount: ghs(link.max_pesewas),
    ...orNull(link, 'note_label', 'ends_at', 'created_at', 'till'),
    codes: link.codes_stocked === undefined ? null : presentStock(link),
    metadata: metadataValue(link.metadata),
  };
}
