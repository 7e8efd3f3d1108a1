import { area } from '../../shared/pages/dashboard/area.ts';
import { page } from '../../shared/pages/dashboard/page.ts';
import {
  askBalance,
  BALANCE,
  confirmBalance,
  denyBalance,
  nameBalance,
} from '../../shared/pages/dashboard/today/balance.ts';
import { chargesFile } from '../../shared/pages/dashboard/today/charges-file.ts';
import { daysFile } from '../../shared/pages/dashboard/today/days-file.ts';
import { showFiles } from '../../shared/pages/dashboard/today/files.ts';
import { paymentsFile } from '../../shared/pages/dashboard/today/payments-file.ts';
import { showReports } from '../../shared/pages/dashboard/today/reports.ts';
import { showToday } from '../../shared/pages/dashboard/today/today.ts';
import { WordForm } from '../../shared/pages/dashboard/wallet/owners-word.ts';
import { manifest } from '../manifest.ts';

const needs = 'reports:read';
/** Whether a wallet's texts are true decides about money. */
const owner = { needs: 'proof:confirm', needsFresh: true } as const;
const answer = { ...owner, method: 'POST', shownOn: BALANCE, form: WordForm } as const;

/** What a merchant sees first, and what happened on other days. */
export const handler = area(manifest['dashboard/today'], [
  page({ method: 'GET', path: '/', needs: 'charges:read', refreshSeconds: 30, handle: showToday }),
  page({ method: 'GET', path: BALANCE, ...owner, handle: askBalance }),
  page({ ...answer, path: `${BALANCE}/confirm`, handle: confirmBalance }),
  page({ ...answer, path: `${BALANCE}/balance`, handle: nameBalance }),
  page({ ...answer, path: `${BALANCE}/deny`, handle: denyBalance }),
  page({ method: 'GET', path: '/reports', needs, handle: showReports }),
  page({ method: 'GET', path: '/reports/days.csv', needs, handle: daysFile }),
  page({ method: 'GET', path: '/reports/charges.csv', needs, handle: chargesFile }),
  page({ method: 'GET', path: '/reports/payments.csv', needs, handle: paymentsFile }),
  page({ method: 'GET', path: '/reports/files/{what}', needs, handle: showFiles }),
]);
