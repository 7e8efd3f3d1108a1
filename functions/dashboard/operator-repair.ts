import { area } from '../../shared/dashboard/area.ts';
import { personPage } from '../../shared/dashboard/page.ts';
import { showOperatorAudit } from '../../shared/dashboard/repair/operator-audit.ts';
import { manifest } from '../manifest.ts';

/** What was changed that belongs to no merchant. */
export const handler = area(manifest['dashboard/operator-repair'], [
  personPage({ method: 'GET', path: '/', needs: 'operator', handle: showOperatorAudit }),
]);
