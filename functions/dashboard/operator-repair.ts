import { area } from '../../shared/pages/dashboard/area.ts';
import * as repair from '../../shared/pages/dashboard/operator-repair/repair.ts';
import { personPage } from '../../shared/pages/dashboard/page.ts';
import { manifest } from '../manifest.ts';

const needs = 'operator';
/** Requires a recent passkey sign-in, because a dropped dead letter cannot be restored. */
const dropping = { shownOn: '/', needs, needsFresh: true, act: repair.dropLetters } as const;

/** Operator pages for dead letters, faults and the operators' audit log. */
export const handler = area(manifest['dashboard/operator-repair'], [
  personPage({ path: '/', needs, show: repair.showDeadLetters }),
  personPage({ path: '/{queue}/retry', shownOn: '/', needs, act: repair.retryLetters }),
  personPage({ ...dropping, path: '/{queue}/drop' }),
  personPage({ ...dropping, path: '/{queue}/{letter}/drop' }),
  personPage({ path: '/doctor', needs, show: repair.showDoctor }),
  personPage({ path: '/audit', needs, show: repair.showOperatorAudit }),
]);
