import type { WalletPayment } from '../../ghana/wallet-text/reading.ts';
import { isoOf, type TableOutside } from '../../runtime/outside/outside.ts';
import { MINUTE_MS } from '../../runtime/values/calendar.ts';
import { type Charge, getCharges, listOpenReferences, type OpenCharges } from '../charge/charge.table.ts';
import { isNamed, isSameName, matchableName } from '../charge/customer-name.ts';
import { findCharges } from '../charge/lookup.table.ts';
import { cameWith, isNamedByMerchant } from '../charge/origin.ts';
import { type Term, termsOfName } from '../charge/search.ts';
import { missingPesewas, paidPesewas, paymentsOf } from '../payment/payment.ts';
import { listMatched } from '../receipt/receipt.table.ts';
import type { PaymentReceipt } from '../receipt/receipt.ts';

const MAX_OF_AMOUNT = 100;
const MAX_OF_TERM = 100;

/** Payments this recent may not be found by the payer yet, because the stream worker adds the payer to the index. */
const NOT_INDEXED_MS = 15 * MINUTE_MS;

type Period = Pick<OpenCharges, 'made' | 'madeIfLong'> & { readonly receivedAt: string };

/**
 * Finds the charge that a payment seems to be for among the customer's other charges, although the payer typed the
 * reference of `charge`. The charge found is either open, with exactly the payment's amount in all or still due, or has
 * received exactly the amount due on `charge`.
 */
export async function otherBillOf(
  outside: TableOutside,
  payment: WalletPayment,
  charge: Charge,
  period: Period,
): Promise<Charge | undefined> {
  const { merchant_id, reference } = charge;
  const page = {
    between: [(period.madeIfLong ?? period.made)[0], '~'],
    newestFirst: true,
    limit: MAX_OF_TERM,
  } as const;
  const [open, paid, ...found] = await Promise.all([
    listOpen(outside, payment, charge, period),
    listJustPaid(outside, payment, charge, period),
    ...termsFor(payment, charge).map(async (terms) => (await findCharges(outside, merchant_id, terms, page)).entries),
  ]);
  return [...open, ...paid, ...found.flat()].find(
    (other) =>
      other.reference !== reference &&
      !isOfSameRequest(other, charge) &&
      ((isOpenFor(other, payment, period) && isSameCustomers(other, payment, charge)) ||
        (isSwapped(other, payment, charge) && isPaidBy(other, payment))),
  );
}

async function listOpen(outside: TableOutside, { amountPesewas }: WalletPayment, charge: Charge, period: Period) {
  const limits = { ...period, limit: MAX_OF_AMOUNT };
  return getCharges(outside, await listOpenReferences(outside, charge.merchant_id, amountPesewas, limits));
}

/** Lists the charges to which the payer just paid the amount due on `charge`. */
async function listJustPaid(outside: TableOutside, payment: WalletPayment, charge: Charge, { receivedAt }: Period) {
  const since = isoOf(Date.parse(receivedAt) - NOT_INDEXED_MS);
  const due = missingPesewas(charge);
  const paid = await listMatched(outside, charge.merchant_id, [since, '~']);
  const references = paid.flatMap(({ reference, amount_pesewas, ...payer }) =>
    reference !== undefined && amount_pesewas === due && isPayer(payer, payment) ? [reference] : [],
  );
  return getCharges(outside, references);
}

function termsFor(payment: WalletPayment, charge: Charge): (readonly [Term, ...Term[]])[] {
  const { customer_phone, customer_name, email } = charge;
  const { phone, name } = payerOf(payment);
  const names = [name, isNamedByMerchant(charge) ? customer_name : undefined];
  const ofNames = names.flatMap((one) => {
    const terms = one && termsOfName(one);
    return terms ? [terms] : [];
  });
  return [
    ...[...new Set([customer_phone, phone])].flatMap((one): [Term][] => (one ? [[`phone:${one}`]] : [])),
    ...(email ? [[`email:${email.toLowerCase()}`] as const] : []),
    ...new Map(ofNames.map((terms) => [terms.join(), terms])).values(),
  ];
}

/**
 * Returns only the payer's details that the network vouches for. An institution's name does not identify a person. On a
 * payment from another network, the payer may have typed the phone number.
 */
export function payerOf({ payerName, payerIsInstitution, payerPhone, via }: WalletPayment) {
  return {
    name: payerIsInstitution ? undefined : payerName,
    phone: (via === null && payerPhone) || undefined,
  };
}

function isOpenFor(other: Charge, { amountPesewas }: WalletPayment, { receivedAt }: Period): boolean {
  const isOpen = other.state === 'pending' && other.paid_as === undefined && receivedAt <= other.expires_at;
  // Anybody can add a small part.
  return isOpen && [other.amount_pesewas, missingPesewas(other)].includes(amountPesewas);
}

function isSwapped(other: Charge, { amountPesewas }: WalletPayment, charge: Charge): boolean {
  return other.amount_pesewas === amountPesewas && paidPesewas(other) === missingPesewas(charge);
}

function isPaidBy(other: Charge, payment: WalletPayment): boolean {
  return paymentsOf(other).some((one) => isPayer(one, payment));
}

function isPayer(
  { payer_name, payer_phone }: Pick<PaymentReceipt, 'payer_name' | 'payer_phone'>,
  payment: WalletPayment,
): boolean {
  const { name, phone } = payerOf(payment);
  return isSame(payer_phone, phone) || isSame(payer_name, name);
}

/**
 * True if the other charge is for the same customer. A stranger could type this customer's phone number at a public link,
 * so only details that the merchant entered count.
 */
function isSameCustomers(other: Charge, payment: WalletPayment, charge: Charge): boolean {
  if (!isNamedByMerchant(other)) return false;
  const { name, phone } = payerOf(payment);
  const [emails, phones] = [
    [other.email?.toLowerCase(), charge.email?.toLowerCase()],
    [other.customer_phone, charge.customer_phone],
  ] as const;
  if (isSame(...emails) || isSame(...phones) || isSame(other.customer_phone, phone)) return true;
  const [words, named] = [other, charge].map((one) => matchableName(one.customer_name ?? ''));
  if (!words) return false;
  const differs = [emails, phones].some(([one, two]) => one !== undefined && two !== undefined);
  return (name !== undefined && isNamed(words, name)) || (!differs && named !== undefined && isSameName(words, named));
}

/** True if both charges belong to the same payment request. A payment for either charge counts towards the request. */
function isOfSameRequest(other: Charge, charge: Charge): boolean {
  return isSame(cameWith(other).request, cameWith(charge).request);
}

function isSame(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && one === other;
}
