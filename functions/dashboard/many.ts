import { area } from '../../shared/pages/dashboard/area.ts';
import { cancelRest, resultsFile, sendFailedAgain, showBulk } from '../../shared/pages/dashboard/many/many.ts';
import { ManyForm, sendMany, showMany } from '../../shared/pages/dashboard/many/send-to-many.ts';
import { page } from '../../shared/pages/dashboard/page.ts';
import { manifest } from '../manifest.ts';

export const handler = area(manifest['dashboard/many'], [
  page({ path: '/', needs: 'texts:send', hasFile: true, show: showMany, form: ManyForm, act: sendMany }),
  page({ path: '/{id}', needs: 'texts:read', refreshSeconds: 15, show: showBulk }),
  page({ path: '/{id}/cancel', shownOn: '/{id}', needs: 'texts:send', act: cancelRest }),
  page({ path: '/{id}/retry', shownOn: '/{id}', needs: 'texts:send', act: sendFailedAgain }),
  page({ path: '/{id}/results.csv', needs: 'texts:read', show: resultsFile }),
]);
