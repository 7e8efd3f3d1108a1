import { area } from '../../shared/pages/dashboard/area.ts';
import { page } from '../../shared/pages/dashboard/page.ts';
import { showClosing } from '../../shared/pages/dashboard/till/closing.ts';
import * as till from '../../shared/pages/dashboard/till/till.ts';
import * as tills from '../../shared/pages/dashboard/till/tills.ts';
import { manifest } from '../manifest.ts';

const TILL = '/{till}';
const takes = { needs: 'till:take' } as const;
const keeps = { shownOn: '/', needs: 'receipts:assign' } as const;
const one = { path: TILL, refreshSeconds: 3, version: till.versionOfTill } as const;

export const handler = area(manifest['dashboard/till'], [
  page({ ...takes, path: '/', show: tills.showTills }),
  page({ ...keeps, path: '/new', form: tills.TillForm, act: tills.addThisTill }),
  page({ ...takes, path: '/closing', show: showClosing }),
  page({ ...takes, ...one, show: till.showTill }),
  page({ ...takes, shownOn: '/', path: `${TILL}/begin`, form: tills.BeginForm, act: tills.beginThisShift }),
  page({ ...takes, shownOn: TILL, path: `${TILL}/take`, form: till.TakeForm, act: till.takeThis }),
  page({ ...takes, shownOn: TILL, path: `${TILL}/hand-out`, form: till.HandOutForm, act: till.handOutThis }),
  page({ ...takes, shownOn: TILL, path: `${TILL}/undo`, form: till.UndoForm, act: till.undoThis }),
  page({ ...takes, shownOn: TILL, path: `${TILL}/end`, form: tills.EndForm, act: tills.endThisShift }),
  page({ shownOn: '/', needs: 'links:write', path: `${TILL}/sticker`, act: tills.makeThisSticker }),
  page({ ...keeps, path: `${TILL}/remove`, act: tills.removeTill }),
]);
