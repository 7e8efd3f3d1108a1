import { area } from '../../shared/dashboard/area.ts';
import { personPage } from '../../shared/dashboard/page.ts';
import { atStage } from '../../shared/dashboard/repair/at-stage.ts';
import { dropLetter, dropLetters, retryLetters, showDeadLetters } from '../../shared/dashboard/repair/dead-letters.ts';
import { showDoctor } from '../../shared/dashboard/repair/doctor.ts';
import { showOperatorAudit } from '../../shared/dashboard/repair/operator-audit.ts';
import { lookingAfterStage } from '../../shared/runtime/stage/own-stage.ts';
import { manifest, service } from '../manifest.ts';

const needs = 'operator';
const shownOn = '/';

/** What was given up, what is wrong with the stage, and what was changed that belongs to no merchant. */
export const handler = area(
  manifest['dashboard/operator-repair'],
  [
    personPage({ method: 'GET', path: '/', needs, handle: atStage(showDeadLetters) }),
    personPage({ method: 'POST', path: '/{queue}/retry', shownOn, needs, handle: atStage(retryLetters) }),
    personPage({ method: 'POST', path: '/{queue}/drop', shownOn, needs, handle: atStage(dropLetters) }),
    personPage({ method: 'POST', path: '/{queue}/{letter}/drop', shownOn, needs, handle: atStage(dropLetter) }),
    personPage({ method: 'GET', path: '/doctor', needs, handle: atStage(showDoctor) }),
    personPage({ method: 'GET', path: '/audit', needs, handle: showOperatorAudit }),
  ],
  { outside: lookingAfterStage(service) },
);
