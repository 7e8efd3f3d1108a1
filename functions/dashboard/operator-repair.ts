import { area } from '../../shared/pages/dashboard/area.ts';
import { personPage } from '../../shared/pages/dashboard/page.ts';
import { dropLetters, retryLetters, showDeadLetters } from '../../shared/pages/dashboard/repair/dead-letters.ts';
import { showDoctor } from '../../shared/pages/dashboard/repair/doctor.ts';
import { showOperatorAudit } from '../../shared/pages/dashboard/repair/operator-audit.ts';
import { manifest } from '../manifest.ts';

const needs = 'operator';
const shownOn = '/';
/** What is dropped is gone. */
const dropping = { method: 'POST', shownOn, needs, needsFresh: true, handle: dropLetters } as const;

/** What was given up, what is wrong with the stage, and what was changed that belongs to no merchant. */
export const handler = area(manifest['dashboard/operator-repair'], [
  personPage({ method: 'GET', path: '/', needs, handle: showDeadLetters }),
  personPage({ method: 'POST', path: '/{queue}/retry', shownOn, needs, handle: retryLetters }),
  personPage({ ...dropping, path: '/{queue}/drop' }),
  personPage({ ...dropping, path: '/{queue}/{letter}/drop' }),
  personPage({ method: 'GET', path: '/doctor', needs, handle: showDoctor }),
  personPage({ method: 'GET', path: '/audit', needs, handle: showOperatorAudit }),
]);
