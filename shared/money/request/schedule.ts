import { type ArrivedPesewas, arrivedPesewas } from '../../ghana/arrived.ts';
import { MAX_AMOUNT_GHS } from '../../ghana/money.ts';
import { addDays, addMonths } from '../../runtime/values/calendar.ts';
import type { Instalment, PaymentRequest } from './request.table.ts';

export const MAX_INSTALMENTS = 60;
/** Maximum total of all instalments, in cedis. A single payment has the same limit as a charge. */
export const MAX_TOTAL_GHS = 10 * MAX_AMOUNT_GHS;

/**
 * Returns the dates (`2026-01-31`) on which something recurs from `first` to `until`, up to `most` dates. If a month is
 * too short, its last day is used.
 */
export function repeatedDays(first: string, every: 'week' | 'month', until: string, most: number): string[] {
  const days: string[] = [];
  for (let n = 0; days.length < most; n++) {
    const day = every === 'week' ? addDays(first, 7 * n) : addMonths(first, n);
    if (day > until) break;
    days.push(day);
  }
  return days;
}

export const intervals = ['week', 'two_weeks', 'month', 'three_months'] as const;
export type Interval = (typeof intervals)[number];

const dayAfter: Readonly<Record<Interval, (first: string, n: number) => string>> = {
  week: (first, n) => addDays(first, 7 * n),
  two_weeks: (first, n) => addDays(first, 14 * n),
  month: addMonths,
  three_months: (first, n) => addMonths(first, 3 * n),
};

/**
 * Splits a total into equal parts, one interval apart. Adds the remainder to the first part, so that nobody owes a
 * pesewa at the end.
 */
export function evenParts(totalPesewas: number, parts: number, interval: Interval, first: string): Instalment[] {
  const each = Math.floor(totalPesewas / parts);
  return Array.from({ length: parts }, (_, n) => ({
    due: dayAfter[interval](first, n),
    amount_pesewas: n === 0 ? totalPesewas - each * (parts - 1) : each,
  }));
}

export interface PaidInstalment extends Instalment {
  readonly paid_pesewas: ArrivedPesewas;
}

export function withPaid(instalments: readonly Instalment[], paidPesewas: ArrivedPesewas): PaidInstalment[] {
  let left: number = paidPesewas;
  return instalments.map((one) => {
    const paid_pesewas = arrivedPesewas(Math.max(0, Math.min(left, one.amount_pesewas)));
    left -= paid_pesewas;
    return { ...one, paid_pesewas };
  });
}

export function duePesewas(
  { instalments }: Pick<PaymentRequest, 'instalments'>,
  paidPesewas: number,
  until: string,
): number {
  const due = instalments.filter(({ due = '' }) => due <= until);
  return Math.max(0, due.reduce((sum, { amount_pesewas }) => sum + amount_pesewas, 0) - paidPesewas);
}
