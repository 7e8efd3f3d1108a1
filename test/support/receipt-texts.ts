import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { Network } from '../../shared/ghana/network.ts';

const Fixture = z.object({
  network: z.nullable(Network),
  sender: z.string(),
  text: z.string(),
  reads: z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('payment'),
      amount_pesewas: z.number(),
      payer_name: z.string(),
      payer_phone: z.nullable(z.string()),
      reference: z.nullable(z.string()),
      transaction_id: z.string(),
    }),
    z.object({ kind: z.literal('forged') }),
    z.object({ kind: z.literal('other') }),
    z.object({ kind: z.literal('unread') }),
  ]),
});

/** Texts from real networks, with the expected result of parsing. */
export const fixtures = z.parse(
  z.array(Fixture),
  JSON.parse(readFileSync(new URL('../fixtures/receipts.json', import.meta.url), 'utf8')),
);

export interface ReceiptText {
  readonly sender: string;
  readonly text: string;
  readonly id: string;
  readonly network: Network;
}

/**
 * Generated ids start with `51` and `000001931`, because tests use literal ids that start with `50` and `000001930`.
 */
let ids = 0;

/** Returns MTN's receipt for a payment. The payer controls only `reference`. */
export function mtn({
  amount = '36.00',
  from = 'KOFI MENSAH BOATENG',
  reference = '1',
  id = `51${String(++ids).padStart(9, '0')}`,
} = {}): ReceiptText {
  const text =
    `Payment received for GHS ${amount} from ${from} Current Balance: GHS ${balanceWith(amount, 1_136.5)} . ` +
    `Available Balance: GHS ${balanceWith(amount, 1_136.5)}. Reference: ${reference}. Transaction ID: ${id}. TRANSACTION FEE: 0.00`;
  return { sender: 'MobileMoney', text, id, network: 'MTN' };
}

/** Returns Telecel's receipt for a payment from a Telecel number. The payer controls only `reference`. */
export function telecel({
  amount = '36.00',
  from = 'KOFI MENSAH BOATENG',
  phone = '233209876543',
  reference = '1',
  id = `000001931${String(++ids).padStart(7, '0')}`,
} = {}): ReceiptText {
  const text =
    `${id} Confirmed. You have received GHS${amount} from ${phone} - ${from} on 2026-01-07 at 11:02:51. ` +
    `Your Telecel Cash balance is GHS${balanceWith(amount, 1_135.25)}.\nReference: ${reference}.\nStay alert. Never share your PIN or OTP with anyone.`;
  return { sender: 'T-CASH', text, id, network: 'TELECEL' };
}

/** Returns the wallet's balance after a payment, which is at least the payment's amount. */
function balanceWith(amount: string, usual: number): string {
  const balance = Math.max(usual, Number(amount.replaceAll(',', '')));
  return balance.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
}
