import { DAY_MS } from '../../shared/runtime/values/calendar.ts';

/** Returns the largest sum, in pesewas, of any 24 hours. */
export function mostInADay(gains: readonly { readonly ms: number; readonly pesewas: number }[]): number {
  const sums = gains.map((last) => {
    const within = gains.filter(({ ms }) => ms <= last.ms && last.ms - ms < DAY_MS);
    return within.reduce((sum, { pesewas }) => sum + pesewas, 0);
  });
  return Math.max(0, ...sums);
}
