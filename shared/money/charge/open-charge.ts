import { CURRENCY } from '../../ghana/country.ts';
import { shownMoney } from '../../ghana/money.ts';
import { pesewasIn } from '../../ghana/typed.ts';
import type { Merchant } from '../../merchants/merchant/merchant.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import { type AddressLimit, withinAddressLimit } from '../../runtime/table/limits.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { invalidRequest } from '../../runtime/values/errors.ts';
import { type Charge, chargeRows } from './charge.table.ts';
import { isSettled, type NewCharge, statusOf } from './charge.ts';
import { initializeCharge } from './initialize-charge.ts';

interface Opening extends NewCharge {
  readonly limit: AddressLimit;
  readonly also?: (charge: Charge) => readonly TableWrite[];
  readonly notePress?: ((charge: Charge, before: string | undefined) => TableWrite) | undefined;
  readonly before?: string;
}

export class PressedBefore extends Error {
  readonly reference: string;

  constructor(reference: string) {
    super(`This form has already opened the charge ${reference}`);
    this.reference = reference;
  }
}

/**
 * Opens a charge when a customer presses Pay. Submitting the same form again returns the same charge while it is
 * pending or paid.
 * @throws PublicError `too_many_requests`, `no_momo_number`.
 */
export async function openCharge(
  outside: Outside,
  merchant: Merchant,
  opening: Opening,
  sourceIp: string,
): Promise<Charge> {
  const { limit, also = () => [], notePress, before, ...made } = opening;
  try {
    return await initializeCharge(outside, merchant, made, (charge, writes) =>
      withinAddressLimit(outside, limit, sourceIp, async (counts) => {
        const pressed = notePress ? [notePress(charge, before)] : [];
        await outside.table.write([...writes, ...also(charge), ...pressed, ...counts]);
        return charge;
      }),
    );
  } catch (error) {
    if (!(error instanceof PressedBefore)) throw error;
    const earlier = await chargeRows.find(outside, error);
    if (earlier && (isSettled(earlier) || statusOf(outside, earlier) === 'pending')) return earlier;
    return openCharge(outside, merchant, { ...opening, before: error.reference }, sourceIp);
  }
}

/**
 * Parses an amount in cedis that a customer typed, and returns it in pesewas.
 * @throws PublicError `invalid_request` unless the amount is from `least` to `most`.
 */
export function typedAmount(written: string, least: number, most: number): number {
  const pesewas = pesewasIn(written);
  if (pesewas !== undefined && pesewas >= least && pesewas <= most) return pesewas;
  const message = `Type an amount from ${shownMoney(least)} to ${shownMoney(most)}, such as ${CURRENCY} 20.`;
  throw invalidRequest([{ field: 'amount', message }]);
}
