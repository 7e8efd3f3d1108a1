import { area } from '../../shared/dashboard/area.ts';
import { page } from '../../shared/dashboard/page.ts';
import { showToday } from '../../shared/dashboard/today/today.ts';
import { manifest } from '../manifest.ts';

/** What a merchant sees first. */
export const handler = area(manifest['dashboard/today'], [
  page({ method: 'GET', path: '/', needs: 'charges:read', refreshSeconds: 30, handle: showToday }),
]);
