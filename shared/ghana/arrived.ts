import * as z from 'zod/mini';

/**
 * An amount reported by a network's text, in pesewas. Texts can be forged, so formatting functions do not accept this
 * type. Use `shownPayment` in `money/payment`, which also shows whether the amount is verified.
 */
export const ArrivedPesewas = z.number().brand<'arrived'>();
export type ArrivedPesewas = z.infer<typeof ArrivedPesewas>;

/** Pesewas that can be shown without a verification status. */
export type PlainPesewas<Pesewas extends number> = Pesewas extends ArrivedPesewas ? never : Pesewas;

/** Marks an amount as reported by a network's text. */
export function arrivedPesewas(pesewas: number): ArrivedPesewas {
  return z.parse(ArrivedPesewas, pesewas);
}
