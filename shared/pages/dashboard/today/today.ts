import { html } from 'hono/html';
import { may } from '../../../merchants/user/permissions.ts';
import { lastDays, totalsOfDays } from '../../../money/booking/days.ts';
import { listReferences } from '../../../money/transaction/transaction.table.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import type { MerchantVisit, Shown } from '../visit.ts';
import { firstSteps } from './first-steps.ts';
import { COMPARED_DAYS, moneyByDay, moneyIn, moneyToday } from './money-in.ts';
import { waiting } from './waiting.ts';
import { wallets } from './wallets.ts';
import { walletsSeen } from './wallets-seen.ts';

/** Who sees no reports needs the days in which something may wait. */
const WAITING_DAYS = 7;

/** The first page: what came in, what needs a person, and whether payments would be noticed. */
export async function showToday({ merchant, user }: MerchantVisit, outside: Outside): Promise<Shown> {
  const { merchant_id } = merchant;
  const seesReports = may(user, 'reports:read');
  const [{ days, isMore }, seen] = await Promise.all([
    totalsOfDays(outside, merchant_id, lastDays(outside, seesReports ? COMPARED_DAYS : WAITING_DAYS)),
    walletsSeen(outside, merchant),
  ]);
  const isFirstRun = seesReports && days.every(({ totals }) => totals.payments === 0);
  const [waits, hasCharge] = await Promise.all([
    waiting(outside, merchant_id, user, { days, wallets: seen }),
    isFirstRun && hasCharges(outside, merchant_id),
  ]);
  const money = seesReports ? moneyIn(days, isMore) : moneyToday(days, isMore);
  return {
    title: 'Today',
    main: html`${isFirstRun ? firstSteps(merchant, user, hasCharge) : money}
${waits}
${seesReports && !isFirstRun && moneyByDay(days)}
${wallets(outside, seen)}`,
  };
}

async function hasCharges(outside: Outside, merchantId: string): Promise<boolean> {
  const times = [new Date(0).toISOString(), new Date(outside.now()).toISOString()] as const;
  return (await listReferences(outside, merchantId, times, 1)).length > 0;
}
