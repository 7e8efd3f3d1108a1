import { arrivedPesewas } from '../../shared/ghana/arrived.ts';
import { createReceipt } from '../../shared/money/receipt/receipt.table.ts';
import { NOT_THERE, type PaymentReceipt } from '../../shared/money/receipt/receipt.ts';
import type { TableOutside } from '../../shared/runtime/outside/outside.ts';

const AT = '2026-11-20T10:00:00.000Z';
const NUMBER = '+233241234567';

/** Fields of a text whose money a person did not find. */
export const REMOVED = { set_aside: { at: AT, by: 'ama', why: NOT_THERE } } as const;
/** Fields of a text whose phone did not report the SIM number. */
export const NO_NUMBER = { momo_number: undefined, numbers_of_phone: [NUMBER] };

/** `copy`: the last part of the id of a further text with the same number. */
export type SomeText = Partial<PaymentReceipt> & { readonly copy?: string };

let ids = 0;

/** Makes texts about a payment of their own, and stores them in the table. */
export function textsOfOnePayment(outside: TableOutside) {
  const transaction_id = `5${String(++ids).padStart(10, '0')}`;
  const text = ({ copy = '', ...some }: SomeText): PaymentReceipt => {
    const momo_number = 'momo_number' in some ? some.momo_number : NUMBER;
    return {
      receipt_id: `MTN-${momo_number?.slice(1) ?? 'unknown'}-${transaction_id}${copy}`,
      state: 'held',
      merchant_id: 'shop',
      network: 'MTN',
      momo_number: NUMBER,
      transaction_id,
      amount_pesewas: arrivedPesewas(36_00),
      balance_pesewas: 100_00,
      payer_name: 'KOFI MENSAH',
      text: 'You received',
      received_at: AT,
      expires_at_epoch_seconds: 4_000_000_000,
      ...some,
    };
  };
  const stored = async (some: SomeText): Promise<PaymentReceipt> => {
    const receipt = text(some);
    await outside.table.write([createReceipt(receipt)]);
    return receipt;
  };
  return { text, stored };
}
