import type { Outside } from '../../runtime/outside/outside.ts';
import type { MerchantVisit, Shown } from '../visit.ts';
import { waiting } from './waiting.ts';

/** The first page: what needs a person. */
export async function showToday({ merchant, user }: MerchantVisit, outside: Outside): Promise<Shown> {
  return { title: 'Today', main: await waiting(outside, merchant.merchant_id, user) };
}
