import { arrivedPesewas } from '../../ghana/arrived.ts';
import type { Merchant } from '../../merchants/merchant/merchant.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import { retryIfChanged } from '../../runtime/table/contention.ts';
import { addressMark } from '../../runtime/table/limits.ts';
import { DAY_MS, HOUR_MS } from '../../runtime/values/calendar.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import { type Charge, getCharges } from '../charge/charge.table.ts';
import { keepPlaces } from '../charge/gives-way.ts';
import { openCharge, typedAmount } from '../charge/open-charge.ts';
import { openingsLimit } from '../link/link.table.ts';
import { missingPesewas } from '../payment/payment.ts';
import { doubtOf, notVerifiedYet } from '../payment/shown-payment.ts';
import { endWhileOpen } from './open-retention.ts';
import { changeRequest, findRequest, type PaymentRequest, type RequestCharge } from './request.table.ts';
import { partBounds } from './request.ts';
import { backingOf, readSums, requestStateOf, type Sums, sumsAsCustomerSees } from './sums.ts';

/**
 * Maximum number of charges in a payment request's row: two or three for each of sixty instalments. Unpaid charges are
 * dropped first, and added again if they are paid late.
 */
export const MAX_CHARGES = 200;
/** Time after which an expired, unpaid charge is dropped. Until then, the text of a timely payment may still arrive. */
const FORGOTTEN_AFTER_MS = 14 * DAY_MS;

const WORTH_REUSING_MS = HOUR_MS;

/**
 * Opens a charge for all or part of the amount that a payment request still needs. The charge is never matched by name.
 * While the charge is pending, pressing Pay again for the same amount returns this charge, so that two people do not
 * both pay.
 * @throws PublicError `request_closed`, `invalid_request`, `too_many_requests`, `no_momo_number`, `busy`.
 */
export function openRequestCharge(
  outside: Outside,
  merchant: Merchant,
  slug: string,
  { typed, sourceIp }: { readonly typed: { readonly amount: string }; readonly sourceIp: string },
): Promise<Charge> {
  return retryIfChanged(async () => {
    const request = await findRequest(outside, slug);
    if (!request) throw new PublicError('not_found', 'There is no payment request at this address.');
    const sums = await readSums(outside, request);
    refuseClosed(requestStateOf(request, sums), merchant, sumsAsCustomerSees(request, sums));
    const amount = typedAmount(typed.amount, ...partBounds(sums.openPesewas));
    const waiting = await waitingFor(outside, merchant, sums, amount);
    if (waiting) return waiting;
    const kept = keptCharges(outside, sums);
    if (kept.length >= MAX_CHARGES && !kept.some((one) => mayGiveWay(request, one)))
      throw new PublicError(
        'too_many_requests',
        'This request was paid in too many parts. Ask the shop for a new one.',
      );
    const { title: description, customer_name, customer_phone, metadata, merchant_reference } = request;
    const opening = {
      asked: { amount, description, customer_name, customer_phone, metadata, merchant_reference },
      origin: { kind: 'request', slug } as const,
      limit: openingsLimit(
        request,
        async (hour) => sums.charges.filter(({ paid_at }) => paid_at?.startsWith(hour)).length,
      ),
      also: ({ reference }: Charge) => {
        const from = addressMark(slug, sourceIp);
        const opened = { reference, paid_pesewas: arrivedPesewas(0), asked_pesewas: amount, from };
        const charges = [...kept, opened];
        return [changeRequest(request, { charges, ...endWhileOpen(outside, request) })];
      },
    };
    return openCharge(outside, merchant, opening, sourceIp);
  });
}

/** True if the row alone suggests that a payment may replace this charge. `settleRequest` makes the final decision. */
function mayGiveWay(request: PaymentRequest, one: RequestCharge): boolean {
  return one.paid_pesewas > 0 ? doubtOf(backingOf(request, one)) !== undefined : one.look === true;
}

function refuseClosed(state: PaymentRequest['state'], { name }: Merchant, { backing }: Sums): void {
  const paid = doubtOf(backing) ? notVerifiedYet(name) : 'This request is fully paid. Do not pay again.';
  if (state === 'paid') throw new PublicError('request_closed', paid);
  if (state === 'cancelled')
    throw new PublicError('request_closed', 'The shop has cancelled this request. Do not pay. Contact the shop.');
}

async function waitingFor(
  outside: Outside,
  merchant: Merchant,
  { charges, found }: Sums,
  amount: number,
): Promise<Charge | undefined> {
  const [account] = merchant.momo_accounts;
  // The pending charge may not be among the newest charges, which are the only ones read so far.
  const asked = charges.findLast((one) => one.asked_pesewas === amount && one.paid_pesewas === 0);
  const unread = asked && !found.has(asked.reference) ? await getCharges(outside, [asked.reference]) : [];
  return [...found.values(), ...unread].find(
    (charge) =>
      charge.state === 'pending' &&
      !charge.disputed &&
      missingPesewas(charge) === amount &&
      charge.momo_number === account?.number &&
      Date.parse(charge.expires_at) - outside.now() > WORTH_REUSING_MS,
  );
}

function keptCharges(outside: Outside, { charges, found }: Sums): readonly RequestCharge[] {
  const lately = charges.filter(({ reference, paid_pesewas, look }) => {
    const charge = found.get(reference);
    const isOld = charge && Date.parse(charge.expires_at) < outside.now() - FORGOTTEN_AFTER_MS;
    return paid_pesewas > 0 || look || !isOld;
  });
  return withoutUnpaid(lately, MAX_CHARGES - 1);
}

export function withoutUnpaid(charges: readonly RequestCharge[], most: number): readonly RequestCharge[] {
  const isPaid = ({ paid_pesewas, look }: RequestCharge) => paid_pesewas > 0 || look === true;
  return keepPlaces(charges, { most, isPaid, from: ({ from }) => from });
}
