import type { Charge } from '../../../money/charge/charge.table.ts';
import { statusOf } from '../../../money/charge/charge.ts';
import { codeOf } from '../../../money/charge/goods.ts';
import { findCharges } from '../../../money/charge/lookup.table.ts';
import { cameWith } from '../../../money/charge/origin.ts';
import type { Term } from '../../../money/charge/search.ts';
import { requireLink } from '../../../money/link/link.table.ts';
import { paymentsOf } from '../../../money/payment/payment.ts';
import { type ShownPayment, shownPaid } from '../../../money/payment/shown-payment.ts';
import type { Answer } from '../../../runtime/http/answer.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { readPages } from '../../../runtime/table/table.ts';
import { csvAmount, csvFile, csvProof, csvTime } from '../parts/csv.ts';
import type { MerchantVisit } from '../parts/visit.ts';

/** Maximum number of charges in a file. A function can read this many in a few seconds. */
const CHARGES_A_FILE = 1_000;
const A_READ = 100;

type LinkVisit = MerchantVisit<'slug'>;

/** Returns a file of a link's newest charges and newest paid charges, without their stock codes. */
export async function linkChargesFile(visit: LinkVisit, outside: Outside): Promise<Answer> {
  const { paid, opened } = await newestOf(visit, outside);
  const charges = new Map([...opened.items, ...paid.items].map((charge) => [charge.reference, charge]));
  const newestFirst = [...charges.values()].toSorted((one, other) => other.created_at.localeCompare(one.created_at));
  return csvFile(`link-${visit.path.slug}-charges.csv`, newestFirst, {
    reference: ({ reference }) => reference,
    created_at: ({ created_at }) => csvTime(created_at),
    status: (charge) => statusOf(outside, charge),
    amount_ghs: ({ amount_pesewas }) => csvAmount(amount_pesewas),
    paid_ghs: (charge) => csvAmount(shownPaid(charge).pesewas),
    paid_at: ({ paid_at }) => csvTime(paid_at),
    customer_note: (charge) => cameWith(charge).customer_note,
    code: (charge) => codeOf(charge)?.state,
    code_number: (charge) => codeOf(charge)?.number,
    proof: (charge) => csvProof(shownPaid(charge)),
  });
}

/**
 * Returns a file with daily totals of the charges opened, paid and reversed, grouped by the day they were opened. Omits
 * days whose paid charges are incomplete. `opened` is empty if the day's unpaid charges are incomplete.
 */
export async function linkSumsFile(visit: LinkVisit, outside: Outside): Promise<Answer> {
  const { paid, opened } = await newestOf(visit, outside);
  const openedOn = Map.groupBy(opened.items, dayOpened);
  const paidOn = Map.groupBy(paid.items, dayOpened);
  const days = [...new Set([...openedOn.keys(), ...paidOn.keys()])]
    .filter((day) => day > incompleteUntil(paid))
    .toSorted()
    .map((day) => [day, paidOn.get(day) ?? []] as const);
  const paidOf = (ofDay: readonly Charge[]) => ofDay.filter(({ state }) => state === 'success');
  const sumOf = (paid: readonly ShownPayment[]) => csvAmount(paid.reduce((sum, { pesewas }) => sum + pesewas, 0));
  return csvFile(`link-${visit.path.slug}-sums.csv`, days, {
    day: ([day]) => day,
    opened: ([day]) => (day > incompleteUntil(opened) ? openedOn.get(day)?.length : undefined),
    paid: ([, ofDay]) => paidOf(ofDay).length,
    paid_ghs: ([, ofDay]) => sumOf(paidOf(ofDay).map(shownPaid)),
    reversed: ([, ofDay]) => ofDay.filter(({ state }) => state === 'reversed').length,
    not_verified_ghs: ([, ofDay]) =>
      sumOf(
        paidOf(ofDay)
          .map(shownPaid)
          .filter(({ doubt }) => doubt),
      ),
  });
}

interface Newest {
  readonly items: readonly Charge[];
  readonly isMore: boolean;
}

async function newestOf({ merchant, path }: LinkVisit, outside: Outside): Promise<Record<'paid' | 'opened', Newest>> {
  const { slug } = await requireLink(outside, merchant.merchant_id, path.slug);
  const read = (term: Term) =>
    readPages(CHARGES_A_FILE, async (start) => {
      const page = { limit: A_READ, newestFirst: true, start };
      const { entries, next } = await findCharges(outside, merchant.merchant_id, [term], page);
      return { items: entries, next };
    });
  const [paid, opened] = await Promise.all([read(`paid_at_link:${slug}`), read(`link:${slug}`)]);
  return { paid, opened };
}

function dayOpened({ created_at }: Charge): string {
  return created_at.slice(0, 10);
}

/** Returns the last day of which charges may be missing. */
function incompleteUntil({ items, isMore }: Newest): string {
  const last = isMore ? items.at(-1) : undefined;
  if (!last) return '';
  const paidOn = paymentsOf(last)[0]?.received_at.slice(0, 10) ?? '';
  return paidOn > dayOpened(last) ? paidOn : dayOpened(last);
}
