/*
 * link            LINK#<slug> / LINK                    a merchant's page on which anybody can open and pay a charge
 *   gsi1   MERCHANT#<merchant>#LINK / <created_at>#<slug>       a merchant's links by time
 * opened charges  LINK_OPENED#<slug> / <hour>#<address>              number of charges that one address opened in an hour
 * pressed form    LINK_OPENED#<slug> / PRESSED#<hash>                 the charge that a form opened, kept for a day
 */
import * as z from 'zod/mini';
import { type Clock, endsIn, type TableOutside } from '../../runtime/outside/outside.ts';
import { Changed } from '../../runtime/table/contention.ts';
import type { AddressLimit } from '../../runtime/table/limits.ts';
import { rows } from '../../runtime/table/rows.ts';
import { asRead, type TableWrite } from '../../runtime/table/table.ts';
import { DAY_SECONDS } from '../../runtime/values/calendar.ts';
import { PublicError, TRY_AGAIN } from '../../runtime/values/errors.ts';
import { PressedBefore } from '../charge/open-charge.ts';
import { isSlug } from '../charge/slug.ts';

export const Link = z.object({
  slug: z.string(),
  merchant_id: z.string(),
  title: z.string(),
  description: z.optional(z.string()),
  /** Fixed price. If unset, the customer chooses an amount from `min_pesewas` to `max_pesewas`. */
  amount_pesewas: z.optional(z.number()),
  min_pesewas: z.optional(z.number()),
  max_pesewas: z.optional(z.number()),
  /** Label of a field for the customer, such as `Your table`. */
  note_label: z.optional(z.string()),
  /** Raw JSON, which keeps numbers exactly as the merchant wrote them. Copied to each charge. */
  metadata: z.optional(z.string()),
  codes_stocked: z.optional(z.number()),
  codes_drawn: z.optional(z.number()),
  codes_waiting: z.optional(z.number()),
  /** Ranges (first and last code number) of removed codes. These codes may be added again. */
  codes_removed: z.optional(z.array(z.tuple([z.number(), z.number()]))),
  /** Notify the merchant when at most this many codes are left. */
  low_stock_at: z.optional(z.number()),
  /** True if codes are also texted to the number that the customer typed, for one credit. */
  texts_codes: z.optional(z.boolean()),
  till: z.optional(z.string()),
  created_at: z.string(),
  ends_at: z.optional(z.string()),
});
export type Link = z.infer<typeof Link>;

export const linkRows = rows(Link, {
  pk: 'LINK#<slug>',
  sk: 'LINK',
  gsi1: { pk: 'MERCHANT#<merchant_id>#LINK', sk: '<created_at>#<slug>' },
  changed: `This link is being changed or is issuing codes right now, so nothing was done. ${TRY_AGAIN}`,
  largestUnits: 6,
});

/** Finds a link by slug, whichever merchant owns it, because a link's page is public. */
export async function findLink(outside: TableOutside, slug: string): Promise<Link | undefined> {
  return isSlug(slug) ? linkRows.find(outside, { slug }) : undefined;
}

export async function requireSlug(outside: TableOutside, slug: string): Promise<Link> {
  const link = await findLink(outside, slug);
  if (link) return link;
  throw new PublicError('not_found', 'There is no payment link at this address.');
}

export async function requireLink(outside: TableOutside, merchantId: string, slug: string): Promise<Link> {
  const link = await findLink(outside, slug);
  if (link?.merchant_id === merchantId) return link;
  throw new PublicError('not_found', 'You have no payment link with this slug. GET /api/v1/link lists your links.');
}

/** Creates a link. Fails with `SlugTaken` if another link has the slug. Idempotent. */
export function createLink(link: Link): TableWrite {
  return linkRows.create(link, (current) =>
    current?.merchant_id === link.merchant_id && current.created_at === link.created_at ? undefined : new SlugTaken(),
  );
}

export class SlugTaken extends Changed {
  constructor() {
    super('busy', 'No free address was found for the link. Try again.');
  }
}

export const linkFields = [
  'title',
  'description',
  'amount_pesewas',
  'min_pesewas',
  'max_pesewas',
  'note_label',
  'metadata',
  'low_stock_at',
  'texts_codes',
  'ends_at',
] as const satisfies readonly (keyof Link)[];
export type LinkFields = Pick<Link, (typeof linkFields)[number]>;

/**
 * Sets the fields in `names`, and removes those that are undefined in `after`. Fails if the link has changed since it
 * was read.
 */
export function setLinkFields(before: Link, after: LinkFields, names: readonly (keyof LinkFields)[]): TableWrite {
  const fields = Object.fromEntries(names.map((name) => [name, after[name]]));
  // A link with codes needs a minimum amount, so changes to codes and to the amount depend on each other.
  return whileAsRead(before, fields, [...linkFields, 'codes_stocked']);
}

/** Changes a link's code counts. Fails if the counts or the price have changed since they were read. */
export function changeStock(
  link: Link,
  to: Partial<Pick<Link, 'codes_stocked' | 'codes_drawn' | 'codes_waiting' | 'codes_removed'>>,
): TableWrite {
  return whileAsRead(link, to, ['codes_stocked', 'codes_drawn', 'codes_waiting', 'amount_pesewas', 'min_pesewas']);
}

function whileAsRead(link: Link, to: Partial<Link>, names: readonly (keyof Link)[]): TableWrite {
  const read = names.filter((name) => link[name] !== undefined);
  const isAsRead = names.map((name) =>
    link[name] === undefined ? `attribute_not_exists(#${name})` : `#${name} = :read_${name}`,
  );
  const values = Object.fromEntries(read.map((name) => [`:read_${name}`, link[name]]));
  const when = ['attribute_exists(pk)', ...isAsRead].join(' AND ');
  return linkRows.change(link, to, { when, values, refused: linkRows.changed, contended: linkRows.changed });
}

/**
 * Maximum number of unpaid charges per address per hour. High enough for a school or a carrier whose users share one
 * address.
 */
export const MAX_UNPAID_FROM_ADDRESS_PER_HOUR = 1_000;

/**
 * Returns the hourly limit on charges opened from one address through a link or payment request. Charges `paid` in that
 * hour raise the limit. Above the limit, opening a charge fails with PublicError `too_many_requests`.
 */
export function openingsLimit({ slug }: Pick<Link, 'slug'>, paid: AddressLimit['more']): AddressLimit {
  return {
    key: (hour) => ({ pk: `LINK_OPENED#${slug}`, sk: hour }),
    per: 'hour',
    most: MAX_UNPAID_FROM_ADDRESS_PER_HOUR,
    more: paid,
    refused: 'Too many payments were started from your network and left unpaid. Try again later, or use mobile data.',
  };
}

const Pressed = z.object({ form: z.string(), reference: z.string() });
const pressedRows = rows(Pressed, { pk: 'LINK_OPENED#<slug>', sk: 'PRESSED#<form>' });

/**
 * Records the charge that a form opened, replacing `before`. Fails with `PressedBefore` if the form has already opened
 * a different charge.
 */
export function notePress(
  outside: Clock,
  { slug }: Pick<Link, 'slug'>,
  { form, reference, before }: z.infer<typeof Pressed> & { readonly before: string | undefined },
): TableWrite {
  const row = { slug, form, reference, ...endsIn(outside, DAY_SECONDS) };
  return pressedRows.put(row, {
    ...asRead({ reference: before }),
    refused: (current) => {
      if (!current) return pressedRows.changed();
      const opened = pressedRows.parse(current).reference;
      // An equal reference means that an earlier attempt succeeded and its response was lost.
      return opened === reference ? undefined : new PressedBefore(opened);
    },
  });
}
