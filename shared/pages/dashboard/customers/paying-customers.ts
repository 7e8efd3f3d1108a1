import { type ArrivedPesewas, arrivedPesewas } from '../../../ghana/arrived.ts';
import { type Backing, backingOfCharge, weakest } from '../../../money/payment/backing.ts';
import { paidPesewas, paymentsOf } from '../../../money/payment/payment.ts';
import { nameWords } from '../../../money/transaction/customer-name.ts';
import type { Transaction } from '../../../money/transaction/transaction.table.ts';

/** Somebody who has paid, as far as the charges given tell. */
export interface Customer {
  readonly name: string | undefined;
  readonly phone: string | undefined;
  readonly email: string | undefined;
  readonly charges: number;
  readonly pesewas: ArrivedPesewas;
  /** The weakest backing among their payments. */
  readonly backing: Backing;
  /** When the newest of them was paid (ISO). */
  readonly paidAt: string;
}

/**
 * Who paid some charges, the newest payment first. One customer is who has the same number, without one the same e-mail address, and
 * without either the same name: two people of one name are then one. A charge that names nobody is nobody's.
 */
export function customersOf(charges: readonly Transaction[]): Customer[] {
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
