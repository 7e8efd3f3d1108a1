import { may } from '../../../merchants/user/permissions.ts';
import type { Html } from '../html.ts';
import { form } from '../parts/form.ts';
import { section } from '../parts/status.ts';
import type { MerchantVisit } from '../visit.ts';

/** The form that changes one setting, below what it is now, for those who may. */
export function changeSection(
  visit: MerchantVisit,
  facts: Parameters<typeof form>[1],
  fields: Parameters<typeof form>[2],
): Html | undefined {
  return may(visit.user, 'settings:write') ? section('Change it', form(visit, facts, fields)) : undefined;
}
