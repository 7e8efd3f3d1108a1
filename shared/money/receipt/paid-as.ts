import type { TableOutside } from '../../runtime/outside/outside.ts';
import { type Charge, chargeRows, getCharges } from '../charge/charge.table.ts';
import type { Receipt } from './receipt.ts';

/**
 * Returns the charge that received this charge's payments: the charge itself, or the till's charge that replaced it.
 */
export async function paidAs(outside: TableOutside, charge: Charge): Promise<Charge | undefined> {
  const { paid_as } = charge;
  return paid_as === undefined ? charge : chargeRows.find(outside, { reference: paid_as });
}

export async function billsOf(
  outside: TableOutside,
  receipts: readonly Pick<Receipt, 'suggested_reference'>[],
): Promise<ReadonlyMap<string | undefined, Charge>> {
  const named = new Set(receipts.flatMap(({ suggested_reference }) => suggested_reference ?? []));
  const bills = await getCharges(outside, [...named]);
  const paid = await Promise.all(bills.map((bill) => paidAs(outside, bill)));
  return new Map(bills.flatMap(({ reference }, n) => (paid[n] ? [[reference, paid[n]]] : [])));
}
