import type { TableOutside } from '../../runtime/outside/outside.ts';
import { type Charge, getCharges } from '../charge/charge.table.ts';
import { isInWholeName, isOtherGeneration } from '../charge/customer-name.ts';
import { findCharges, listInNameOf } from '../charge/lookup.table.ts';
import { cameWith, isNamedByMerchant } from '../charge/origin.ts';

/** Maximum number of a payer's charges to read by name, unless the caller states another, and by number. */
const MAX_IN_NAME = 100;
const MAX_OF_PHONE = 20;

/** A payer as the network's text describes them. `phone`: undefined if the network did not report the number. */
interface Payer {
  readonly name: string;
  readonly phone: string | undefined;
}

interface PaidBy extends Payer {
  readonly merchants: readonly string[];
  readonly pesewas: number;
  readonly between: readonly [string, string];
  /** Maximum number of charges to compare by name. */
  readonly most?: number;
  /** Maximum number of charges to read that somebody with the payer's name may have paid. */
  readonly maxPaid?: number;
}

interface PayersBills {
  readonly charges: readonly Charge[];
  /** True if there are more than were compared. */
  readonly isCut: boolean;
  /** The newest charges of any amount that somebody with the payer's name may have paid. */
  readonly mayBePaid: readonly Charge[];
}

/**
 * Lists charges that may be a payer's: for the payment's amount in the payer's whole name, and for any amount with the
 * payer's number. Only charges whose customer the merchant named count: at a link, anybody can type another person's
 * name or number. May miss charges from the last two seconds.
 */
export async function listOfPayer(outside: TableOutside, paid: PaidBy): Promise<PayersBills> {
  const { merchants, name, phone, pesewas, between, most = MAX_IN_NAME, maxPaid = 0 } = paid;
  const page = { between, newestFirst: true, limit: MAX_OF_PHONE };
  const [{ named, withAllWords }, ...ofPhone] = await Promise.all([
    listInNameOf(outside, { merchants, payerName: name, pesewas, between }),
    ...(phone ? merchants.map((id) => findCharges(outside, id, [`phone:${phone}`], page)) : []),
  ]);
  const [compared, allWords] = [new Set(named.slice(0, most)), new Set(withAllWords.slice(0, maxPaid))];
  const inName = await getCharges(outside, [...compared.union(allWords)]);
  const found = [
    ...inName.filter(({ reference }) => compared.has(reference)),
    ...ofPhone.flatMap((one) => one.entries),
  ];
  return {
    charges: found.filter((charge) => isNamedByMerchant(charge) && isOfPayer(charge, paid)),
    isCut: named.length > most,
    mayBePaid: inName.filter(({ reference }) => allWords.has(reference)),
  };
}

function isOfPayer({ customer_name, customer_phone }: Charge, { name, phone }: Payer): boolean {
  return isInWholeName(customer_name, name) || (phone !== undefined && customer_phone === phone);
}

/**
 * True if two charges may be one customer's: parts of one payment request, for two requests of one merchant in the same
 * name, or with the same number. Only a merchant's users and keys can create requests.
 */
export function mayShareCustomer(one: Charge, other: Charge): boolean {
  const isSame = (a: string | undefined, b: string | undefined) => a !== undefined && a === b;
  const [request, others] = [cameWith(one).request, cameWith(other).request];
  if (isSame(request, others) || isSame(one.customer_phone, other.customer_phone)) return true;
  const areRequests = request !== undefined && others !== undefined && one.merchant_id === other.merchant_id;
  const isOtherPhone = one.customer_phone !== undefined && other.customer_phone !== undefined;
  return areRequests && !isOtherPhone && areInSameName(one, other);
}

function areInSameName({ customer_name: one = '' }: Charge, { customer_name: other = '' }: Charge): boolean {
  const isIn = (a: string, b: string) => isInWholeName(a, b) && !isOtherGeneration(a, b);
  return isIn(one, other) && isIn(other, one);
}
