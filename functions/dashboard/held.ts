import { area } from '../../shared/pages/dashboard/area.ts';
import { LookAtReceiptForm } from '../../shared/pages/dashboard/charges/look.ts';
import { GiveForm, givePayment, showGive } from '../../shared/pages/dashboard/held/give.ts';
import { showHeld, versionOfHeld } from '../../shared/pages/dashboard/held/held.ts';
import * as payment from '../../shared/pages/dashboard/held/held-payment.ts';
import { showMarkFrom } from '../../shared/pages/dashboard/held/mark-from.ts';
import { page } from '../../shared/pages/dashboard/page.ts';
import { manifest } from '../manifest.ts';

const PAYMENT = '/{id}';
const needs = 'receipts:assign';
const list = { path: '/', refreshSeconds: 15, version: versionOfHeld } as const;
/** Accepting an unverified payment requires a recent passkey sign-in; a PIN is not enough. */
const releases = { needs, needsFresh: true } as const;
const { SetAsideForm } = payment;

/** Pages for payments and texts that wait for a person. */
export const handler = area(manifest['dashboard/held'], [
  page({ ...list, needs: 'receipts:read', show: showHeld }),
  page({ path: PAYMENT, needs: 'receipts:read', show: payment.showHeldPayment }),
  page({ ...releases, path: `${PAYMENT}/give`, show: showGive, form: GiveForm, act: givePayment }),
  page({ shownOn: PAYMENT, needs, path: `${PAYMENT}/set-aside`, form: SetAsideForm, act: payment.setPaymentAside }),
  page({
    ...releases,
    shownOn: PAYMENT,
    path: `${PAYMENT}/release`,
    form: LookAtReceiptForm,
    act: payment.releasePayment,
  }),
  page({ shownOn: PAYMENT, needs, path: `${PAYMENT}/take-back`, act: payment.restorePayment }),
  page({ path: `${PAYMENT}/mark`, needs, show: showMarkFrom }),
]);
