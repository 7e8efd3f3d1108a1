import { area } from '../../shared/pages/dashboard/area.ts';
import { page } from '../../shared/pages/dashboard/page.ts';
import { BalanceForm } from '../../shared/pages/dashboard/settings/name-balance.ts';
import * as balance from '../../shared/pages/dashboard/today/balance.ts';
import * as files from '../../shared/pages/dashboard/today/report-files.ts';
import { showReports } from '../../shared/pages/dashboard/today/reports.ts';
import { showToday, showWaiting } from '../../shared/pages/dashboard/today/today.ts';
import { manifest } from '../manifest.ts';

const needs = 'reports:read';
const { BALANCE } = balance;
/** Requires a recent passkey sign-in, because the balance proves the wallet's texts. */
const owner = { needs: 'proof:confirm', needsFresh: true } as const;

export const handler = area(manifest['dashboard/today'], [
  page({ path: '/', needs: 'charges:read', refreshSeconds: 30, show: showToday }),
  page({ path: '/waiting', needs: 'charges:read', show: showWaiting }),
  page({ ...owner, path: BALANCE, show: balance.askBalance, form: BalanceForm, act: balance.setBalance }),
  page({ path: '/reports', needs, show: showReports }),
  page({ path: '/reports/days.csv', needs, show: files.daysFile }),
  page({ path: '/reports/charges.csv', needs, show: files.chargesFile }),
  page({ path: '/reports/payments.csv', needs, show: files.paymentsFile }),
  page({ path: '/reports/files/{what}', needs, show: files.showFiles }),
]);
