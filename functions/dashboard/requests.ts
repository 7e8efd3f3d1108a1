import { area } from '../../shared/pages/dashboard/area.ts';
import { page } from '../../shared/pages/dashboard/page.ts';
import { cancelThisRequest, showRequest } from '../../shared/pages/dashboard/requests/request.ts';
import { requestsFile } from '../../shared/pages/dashboard/requests/request-file.ts';
import { RequestForm } from '../../shared/pages/dashboard/requests/request-form.ts';
import { addList, ListForm, showList } from '../../shared/pages/dashboard/requests/request-list.ts';
import { addRequest, showNewRequest, showRequests } from '../../shared/pages/dashboard/requests/requests.ts';
import { manifest } from '../manifest.ts';

const REQUEST = '/{slug}';

/** Pages for payment requests: invoices, instalments and rent. */
export const handler = area(manifest['dashboard/requests'], [
  page({ path: '/', needs: 'charges:read', show: showRequests }),
  page({ path: '/new', needs: 'charges:write', show: showNewRequest, form: RequestForm, act: addRequest }),
  page({ path: '/list', needs: 'charges:write', hasFile: true, show: showList, form: ListForm, act: addList }),
  page({ path: '/requests.csv', needs: 'reports:read', show: requestsFile }),
  page({ path: REQUEST, needs: 'charges:read', show: showRequest }),
  page({ path: `${REQUEST}/cancel`, shownOn: REQUEST, needs: 'links:write', act: cancelThisRequest }),
]);
