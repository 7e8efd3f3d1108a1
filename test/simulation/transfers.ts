import { changeChain } from '../../shared/wallets/chain/change-chain.ts';
import { nameMature } from '../support/name-mature.ts';
import type { Kiosk } from './kiosk.ts';

const ID = '50000000002';
const BALANCE = 30;

/** Names the balance of a shop's wallet, so that `transferText` continues it. */
export async function expectFall(kiosk: Kiosk, pesewas: number, shop = kiosk.shops[0], id = ID): Promise<void> {
  const head = { id: Number(id) - 1, balance: BALANCE * 100 + pesewas, at_ms: kiosk.nowMs };
  const wallet = { network: 'MTN', momo_number: shop?.number ?? '' } as const;
  await nameMature(kiosk.outside, wallet, head.balance);
  await changeChain(kiosk.outside, wallet, () => ({ failed_ms: [], recent: [head] }));
}

/** Returns the wallet's text about an outgoing transfer. */
export function transferText(amount: string, to: string, id = ID): string {
  const balance = `GHS ${BALANCE.toFixed(2)}`;
  return `Payment made for GHS ${amount} to ${to}. Current Balance: ${balance}. Available Balance: ${balance}. Reference: refund. Transaction ID: ${id}. Fee charged: GHS 0.00 TAX charged: GHS 0.00.`;
}
