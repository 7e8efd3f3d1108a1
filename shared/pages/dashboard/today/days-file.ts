import { lastClosableDay } from '../../../money/booking/booking.table.ts';
import { totalsOfDays } from '../../../money/booking/days.ts';
import { moneyInPesewas, type Totals } from '../../../money/booking/totals.ts';
import type { Answer } from '../../../runtime/http/answer.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { type CsvField, csvAmount, csvFile } from '../parts/csv.ts';
import type { MerchantVisit } from '../visit.ts';
import { periodOf } from './period.ts';

const columns: Readonly<Record<string, (totals: Totals) => CsvField>> = {
  charges_created: ({ charges_created }) => charges_created,
  charges_paid: ({ charges_paid }) => charges_paid,
  charges_expired: ({ charges_expired }) => charges_expired,
  charges_cancelled: ({ charges_cancelled }) => charges_cancelled,
  charges_reversed: ({ charges_reversed }) => charges_reversed,
  payments: ({ payments }) => payments,
  payments_ghs: ({ payments_pesewas }) => csvAmount(payments_pesewas),
  reversed: ({ reversed }) => reversed,
  reversed_ghs: ({ reversed_pesewas }) => csvAmount(reversed_pesewas),
  held_again: ({ released }) => released,
  held_again_ghs: ({ released_pesewas }) => csvAmount(released_pesewas),
  money_in_ghs: (totals) => csvAmount(moneyInPesewas(totals)),
  overpaid_ghs: ({ overpaid_pesewas }) => csvAmount(overpaid_pesewas),
  refunds: ({ refunds }) => refunds,
  refunds_ghs: ({ refunds_pesewas }) => csvAmount(refunds_pesewas),
  texts: ({ texts_accepted }) => texts_accepted,
  texts_failed: ({ texts_failed }) => texts_failed,
};

/**
 * The totals of each day of a period, as a file. Who adds a file up cannot see that a day is not whole: where more happened than is read
 * of a day that is not closed, the file ends before those.
 */
export async function daysFile({ merchant, query }: MerchantVisit, outside: Outside): Promise<Answer> {
  const period = periodOf(outside, query);
  const { days, isMore } = await totalsOfDays(outside, merchant.merchant_id, period);
  const whole = isMore ? days.filter(({ day }) => day < lastClosableDay(outside)) : days;
  return csvFile(
    `days-${period.first}-to-${whole.at(-1)?.day ?? period.first}.csv`,
    ['day', ...Object.keys(columns)],
    whole.map(({ day, totals }) => [day, ...Object.values(columns).map((value) => value(totals))]),
  );
}
