import { area } from '../../shared/pages/dashboard/area.ts';
import { page } from '../../shared/pages/dashboard/page.ts';
import { showCaseFile } from '../../shared/pages/dashboard/records/case-file.ts';
import { showReceipt } from '../../shared/pages/dashboard/records/customer-receipt.ts';
import { showSearch } from '../../shared/pages/dashboard/records/search.ts';
import { manifest } from '../manifest.ts';

/** Read-only pages for search, customer receipts and case files. */
export const handler = area(manifest['dashboard/records'], [
  page({ path: '/', needs: 'charges:read', show: showSearch }),
  page({ path: '/receipt/{reference}', needs: 'charges:read', show: showReceipt }),
  page({ path: '/case/{reference}', needs: 'receipts:read', show: showCaseFile }),
]);
