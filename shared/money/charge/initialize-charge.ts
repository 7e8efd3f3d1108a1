import { shownMoney } from '../../ghana/money.ts';
import type { Merchant } from '../../merchants/merchant/merchant.ts';
import { countTests } from '../../merchants/merchant/test-limit.table.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import { type ChargeState, missingPesewas } from '../payment/payment.ts';
import { type Charge, createCharge, getCharges } from './charge.table.ts';
import { type NewCharge, newCharge, statusOf, withFreeReference } from './charge.ts';
import { chargesNamed, MerchantReferenceTaken, reserveMerchantReference } from './lookup.table.ts';

/**
 * Creates a charge. `commit` performs the writes and builds the result.
 * @throws PublicError `no_momo_number`, `duplicate_reference`, `invalid_request`.
 */
export async function initializeCharge<Result>(
  outside: Outside,
  merchant: Merchant,
  made: NewCharge,
  commit: (charge: Charge, writes: readonly TableWrite[]) => Promise<Result>,
): Promise<Result> {
  const { unique_reference, merchant_reference } = made.asked;
  const unique = unique_reference ? merchant_reference : undefined;
  if (unique !== undefined) refuseSecondOf(outside, unique, await chargesNamed(outside, merchant.merchant_id, unique));
  try {
    return await withFreeReference(() => {
      const charge = newCharge(outside, merchant, made);
      const taken = unique === undefined ? [] : [reserveMerchantReference(charge, unique)];
      const counted = countTests(outside, merchant.merchant_id);
      return commit(charge, [createCharge(charge), ...taken, ...counted]);
    });
  } catch (error) {
    if (!(error instanceof MerchantReferenceTaken) || unique === undefined) throw error;
    refuseSecondOf(outside, unique, await getCharges(outside, [error.reference]));
    throw new PublicError(
      'duplicate_reference',
      `Your charge ${error.reference} had this merchant_reference and has been deleted. Use a different merchant_reference.`,
    );
  }
}

/**
 * Rejects a second charge with the same merchant reference. The error names the paid charge if there is one, else a
 * payable charge, else the newest charge.
 * @throws PublicError `duplicate_reference`.
 */
function refuseSecondOf(outside: Outside, merchantReference: string, charges: readonly Charge[]): void {
  const named = charges.map((charge) => ({ charge, status: statusOf(outside, charge) }));
  const decides =
    named.find(({ status }) => status === 'success') ?? named.find(({ status }) => status === 'pending') ?? named[0];
  if (!decides) return;
  const { charge, status } = decides;
  const all = `GET /api/v1/transaction?merchant_reference=${encodeURIComponent(merchantReference)}`;
  throw new PublicError(
    'duplicate_reference',
    `Your charge ${charge.reference} has this merchant_reference, and its status is "${status}". ${whatToDo(outside, charge, status)} ${all} lists every charge with this reference.`,
  );
}

function whatToDo({ baseUrl }: Outside, charge: Charge, status: ChargeState): string {
  const { reference, access_code, expires_at, origin } = charge;
  // The request may have other charges: its other parts, or unpaid ones that anybody with the link opened.
  if (origin.kind === 'request')
    return `It belongs to a payment request. GET /api/v1/request/${origin.slug} shows whether that is paid, and the customer’s page.`;
  if (status === 'pending')
    return `Send the customer to its authorization_url, ${baseUrl}/checkout/${access_code}, where ${shownMoney(missingPesewas(charge))} can be paid until ${expires_at}. For another amount, cancel it and use another merchant_reference.`;
  if (status === 'success')
    return `The order is paid, so do not create another charge for it. GET /api/v1/transaction/verify/${reference} shows whether its payment is verified.`;
  return 'That charge has ended. To try again, use another merchant_reference.';
}
