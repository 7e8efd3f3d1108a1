import * as z from 'zod/mini';

export const Origin = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('api') }),
  z.object({ kind: z.literal('dashboard') }),
  z.object({ kind: z.literal('link'), slug: z.string(), note: z.optional(z.string()) }),
  z.object({ kind: z.literal('request'), slug: z.string() }),
  z.object({ kind: z.literal('sticker'), slug: z.string(), till_id: z.string(), note: z.optional(z.string()) }),
  z.object({ kind: z.literal('till'), till_id: z.string(), note: z.optional(z.string()) }),
  z.object({ kind: z.literal('bundle'), buyer_id: z.string() }),
]);
export type Origin = z.infer<typeof Origin>;

/**
 * True if anybody could have opened the charge, in any name. Such a charge is paid only by its reference, a claim or a
 * claim code.
 */
export function isOpenedByStranger({ origin }: { readonly origin: Origin }): boolean {
  return byStranger[origin.kind];
}

/** True if the merchant supplied the customer's name. For links, stickers and bundles, the customer types the name. */
export function isNamedByMerchant({ origin }: { readonly origin: Origin }): boolean {
  return !isOpenedByStranger({ origin }) || origin.kind === 'request';
}

/** True if a user of the merchant or a key that creates requests supplied the customer's name, not a website's visitor. */
export function isNamedByStaff({ origin }: { readonly origin: Origin }): boolean {
  return origin.kind === 'request' || origin.kind === 'dashboard';
}

const byStranger: Readonly<Record<Origin['kind'], boolean>> = {
  api: false,
  dashboard: false,
  till: false,
  link: true,
  sticker: true,
  request: true,
  bundle: true,
};

interface CameWith {
  readonly link?: string;
  readonly request?: string;
  readonly till?: string;
  readonly customer_note?: string | undefined;
}

export function cameWith({ origin }: { readonly origin?: Origin | undefined }): CameWith {
  switch (origin?.kind) {
    case 'link':
      return { link: origin.slug, customer_note: origin.note };
    case 'sticker':
      return { link: origin.slug, till: origin.till_id, customer_note: origin.note };
    case 'request':
      return { request: origin.slug };
    case 'till':
      return { till: origin.till_id, customer_note: origin.note };
    default:
      return {};
  }
}

/**
 * True if a payment's id and its payer's name are enough to claim the payment. A shop's staff know both, so a purchase
 * of credits also requires the typed reference or a claim code.
 */
export function isClaimedById({ origin }: { readonly origin: Origin }): boolean {
  return origin.kind !== 'bundle';
}
