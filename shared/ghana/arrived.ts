import * as z from 'zod/mini';

/**
 * Pesewas that a network's text reported: one payment, or a sum of them. Texts can be forged, so functions that format
 * amounts refuse this type. `shownPayment` in money/proof formats it together with its proof.
 */
export const ArrivedPesewas = z.number().brand<'arrived'>();
export type ArrivedPesewas = z.infer<typeof ArrivedPesewas>;

/** Pesewas that may be shown without a proof. */
export type PlainPesewas<Pesewas extends number> = Pesewas extends ArrivedPesewas ? never : Pesewas;

/** Marks pesewas read from a network's text, or computed from such. */
export function arrivedPesewas(pesewas: number): ArrivedPesewas {
  return z.parse(ArrivedPesewas, pesewas);
}
