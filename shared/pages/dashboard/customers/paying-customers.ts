import { type ArrivedPesewas, arrivedPesewas } from '../../../ghana/arrived.ts';
import type { Charge } from '../../../money/charge/charge.table.ts';
import { nameWords } from '../../../money/charge/customer-name.ts';
import { type Backing, backingOfCharge, weakest } from '../../../money/payment/backing.ts';
import { paidPesewas, paymentsOf } from '../../../money/payment/payment.ts';

export interface Customer {
  readonly name: string | undefined;
  readonly phone: string | undefined;
  readonly email: string | undefined;
  readonly charges: number;
  readonly pesewas: ArrivedPesewas;
  readonly backing: Backing;
  /** Time of the customer's newest payment (ISO). */
  readonly paidAt: string;
}

/**
 * Groups charges by customer, newest payment first. A customer is identified by phone number, or else by e-mail
 * address, or else by name.
 */
export function customersOf(charges: readonly Charge[]): Customer[] {
  const found = new Map<string, Customer>();
  for (const charge of charges) {
    const { customer_name, customer_phone, email, paid_at } = charge;
    if (charge.state !== 'success' || paid_at === undefined) continue;
    const payer = paymentsOf(charge).at(-1);
    const [name, phone] = [customer_name ?? payer?.payer_name, customer_phone ?? payer?.payer_phone];
    const key =
      phone ??
      email?.toLowerCase() ??
      nameWords(name ?? '')
        .toSorted()
        .join(' ');
    if (key === '') continue;
    const known = found.get(key);
    found.set(key, {
      name: known?.name ?? name,
      phone,
      email: known?.email ?? email,
      charges: (known?.charges ?? 0) + 1,
      pesewas: arrivedPesewas((known?.pesewas ?? 0) + paidPesewas(charge)),
      backing: weakest([...(known ? [known.backing] : []), backingOfCharge(charge)]),
      paidAt: known && known.paidAt > paid_at ? known.paidAt : paid_at,
    });
  }
  return [...found.values()].toSorted((one, other) => other.paidAt.localeCompare(one.paidAt));
}
