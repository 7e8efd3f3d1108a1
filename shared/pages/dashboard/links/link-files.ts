import type { Charge } from '../../../money/charge/charge.table.ts';
import { statusOf } from '../../../money/charge/charge.ts';
import { codeOf } from '../../../money/charge/goods.ts';
import { findCharges } from '../../../money/charge/lookup.table.ts';
import { cameWith } from '../../../money/charge/origin.ts';
import { requireLink } from '../../../money/link/link.table.ts';
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

/** Returns a file of a link's newest charges, without their stock codes. */
export async function linkChargesFile(visit: LinkVisit, outside: Outside): Promise<Answer> {
  const { items } = await newestOf(visit, outside);
  return csvFile(`link-${visit.path.slug}-charges.csv`, items, {
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
 * incomplete days.
 */
export async function linkSumsFile(visit: LinkVisit, outside: Outside): Promise<Answer> {
  const { items, isMore } = await newestOf(visit, outside);
  const byDay = Map.groupBy(items, ({ created_at }) => created_at.slice(0, 10));
  const days = [...byDay].toSorted(([one], [other]) => (one < other ? -1 : 1)).slice(isMore ? 1 : 0);
  const paidOf = (ofDay: readonly Charge[]) => ofDay.filter(({ state }) => state === 'success');
  const sumOf = (paid: readonly ShownPayment[]) => csvAmount(paid.reduce((sum, { pesewas }) => sum + pesewas, 0));
  return csvFile(`link-${visit.path.slug}-sums.csv`, days, {
    day: ([day]) => day,
    opened: ([, ofDay]) => ofDay.length,
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

async function newestOf({ merchant, path }: LinkVisit, outside: Outside) {
  const { slug } = await requireLink(outside, merchant.merchant_id, path.slug);
  return readPages(CHARGES_A_FILE, async (start) => {
    const page = { limit: A_READ, newestFirst: true, start };
    const { entries, next } = await findCharges(outside, merchant.merchant_id, [`link:${slug}`], page);
    return { items: entries, next };
  });
}
