import * as z from 'zod/mini';
import { laterKindAs } from './later-kind.ts';

const KnownOrigin = z.discriminatedUnion('kind', [
  /** Its merchant's server. */
  z.object({ kind: z.literal('api') }),
  /** A person of the merchant's, at the dashboard. */
  z.object({ kind: z.literal('dashboard') }),
  /** The page of a payment link, and what its customer wrote there. */
  z.object({ kind: z.literal('link'), slug: z.string(), note: z.optional(z.string()) }),
  /** The page of a payment request: it pays that, or a part of it. */
  z.object({ kind: z.literal('request'), slug: z.string() }),
  /** The same as a link's, of the sticker of a till. */
  z.object({ kind: z.literal('sticker'), slug: z.string(), till_id: z.string(), note: z.optional(z.string()) }),
  /** A cashier who took its payment at a till, and what its customer had written at the sticker. */
  z.object({ kind: z.literal('till'), till_id: z.string(), note: z.optional(z.string()) }),
  /** Another merchant of the stage, or its twin, which buys credits for texts. */
  z.object({ kind: z.literal('bundle'), buyer_id: z.string() }),
  z.object({ kind: z.literal('other') }),
]);

/** Where a charge comes from, and what came with it; it never changes. */
export const Origin = z.pipe(laterKindAs(KnownOrigin.def.options, { kind: 'other' }), KnownOrigin);
export type Origin = z.infer<typeof Origin>;

/**
 * Whether nobody of the merchant's made a charge: anybody may have opened it, in anybody's name. Only its typed reference, a claim or a code by
 * phone pays it, and it is not counted when other charges are matched.
 */
export function isOpenedByStranger({ origin }: { readonly origin: Origin }): boolean {
  return byStranger[origin.kind];
}

const byStranger: Readonly<Record<Origin['kind'], boolean>> = {
  api: false,
  dashboard: false,
  till: false,
  link: true,
  sticker: true,
  request: true,
  bundle: true,
  // Nobody knows here who may open one.
  other: true,
};

/** What came with a charge, by the names that its merchant knows. */
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
 * True if a payment can be claimed for a charge by its id and its payer's name, which a shop's people and others know too. Credits are
 * given for no such payment: they need the reference that its payer typed, or the code that came to the number that paid.
 */
export function isClaimedById({ origin }: { readonly origin: Origin }): boolean {
  return origin.kind !== 'bundle';
}
