import * as z from 'zod/mini';

/**
 * Pesewas reported by a network's text: one payment, or a sum of payments. Texts can be forged, so functions that
 * format amounts do not accept this type. `shownPayment` in `money/payment` formats such an amount together with its
 * verification.
 */
export const ArrivedPesewas = z.number().brand<'arrived'>();
export type ArrivedPesewas = z.infer<typeof ArrivedPesewas>;

/** Pesewas that can be shown without stating whether they are verified. */
export type PlainPesewas<Pesewas extends number> = Pesewas extends ArrivedPesewas ? never : Pesewas;

/** Marks pesewas that were read from a network's text or computed from such amounts. */
export function arrivedPesewas(pesewas: number): ArrivedPesewas {
  return z.parse(ArrivedPesewas, pesewas);
}
