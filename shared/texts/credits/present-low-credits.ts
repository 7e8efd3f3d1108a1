import type { LowCredits } from './low-credits.table.ts';
import type { LowCreditsEventData } from './responses.ts';

/** The `data` of `credits.low`. */
export function presentLowCredits({ balance, threshold }: LowCredits): LowCreditsEventData {
  return { balance, low_below: threshold };
}
