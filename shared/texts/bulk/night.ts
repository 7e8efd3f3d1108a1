import { quietUntilMs } from '../../ghana/quiet-hours.ts';
import type { Merchant } from '../../merchants/merchant/merchant.ts';
import { invalidRequest } from '../../runtime/values/errors.ts';
import { NO_QUIET_HOURS } from '../sms/when-to-leave.ts';
import type { BulkRequest } from './bulk-request.ts';

/** The hours in Ghana in which no marketing leaves that goes to many. */
export const NIGHT = '21:00-07:00';
const HOUR_MS = 60 * 60 * 1000;

/** The quiet hours of a bulk: for marketing at least the night. @throws PublicError `invalid_request` where less was asked for. */
export function quietHoursFor(
  { purpose, quiet_hours }: Pick<BulkRequest, 'purpose' | 'quiet_hours'>,
  merchant: Pick<Merchant, 'quiet_hours'>,
): string | undefined {
  const asked = quiet_hours ?? merchant.quiet_hours;
  if (purpose !== 'marketing' || hasNight(asked)) return asked;
  if (quiet_hours === undefined) return NIGHT;
  const message = `must have the night (${NIGHT}) in them, in which marketing does not leave; or leave them out`;
  throw invalidRequest([{ field: 'quiet_hours', message }]);
}

function hasNight(quietHours: string | undefined): boolean {
  if (quietHours === undefined || quietHours === NO_QUIET_HOURS) return false;
  return (quietUntilMs(quietHours, 21 * HOUR_MS) ?? 0) >= (24 + 7) * HOUR_MS;
}
