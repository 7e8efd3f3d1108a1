import { area } from '../../shared/pages/dashboard/area.ts';
import { cancelCharge } from '../../shared/pages/dashboard/charges/cancel.ts';
import { showCharge, versionOfCharge } from '../../shared/pages/dashboard/charges/charge.ts';
import { GiveForm, givePayment, showGive } from '../../shared/pages/dashboard/charges/give.ts';
import { showHeld, versionOfHeld } from '../../shared/pages/dashboard/charges/held.ts';
import { showHeldPayment } from '../../shared/pages/dashboard/charges/held-payment.ts';
import { showCharges, versionOfCharges } from '../../shared/pages/dashboard/charges/list-charges.ts';
import { addCharge, NewChargeForm, showNewCharge } from '../../shared/pages/dashboard/charges/new-charge.ts';
import { NoteForm, writeNote } from '../../shared/pages/dashboard/charges/notes.ts';
import { SendLinkForm, sendLink } from '../../shared/pages/dashboard/charges/pay-link.ts';
import { CloseRefundForm, closeRefund, RefundForm, writeRefund } from '../../shared/pages/dashboard/charges/refunds.ts';
import { SetAsideForm, setPaymentAside, takePaymentBack } from '../../shared/pages/dashboard/charges/set-aside.ts';
import { page } from '../../shared/pages/dashboard/page.ts';
import { manifest } from '../manifest.ts';

const CHARGE = '/{reference}';
const PAYMENT = '/held/{id}';

/** A merchant's charges, and the payments that wait for a person. */
export const handler = area(manifest['dashboard/charges'], [
  page({
    method: 'GET',
    path: '/',
    needs: 'charges:read',
    refreshSeconds: 15,
    version: versionOfCharges,
    handle: showCharges,
  }),
  page({ method: 'GET', path: '/new', needs: 'charges:write', handle: showNewCharge }),
  page({ method: 'POST', path: '/new', needs: 'charges:write', form: NewChargeForm, handle: addCharge }),
  page({
    method: 'GET',
    path: '/held',
    needs: 'receipts:read',
    refreshSeconds: 15,
    version: versionOfHeld,
    handle: showHeld,
  }),
  page({ method: 'GET', path: PAYMENT, needs: 'receipts:read', handle: showHeldPayment }),
  page({ method: 'GET', path: `${PAYMENT}/give`, needs: 'receipts:assign', handle: showGive }),
  page({ method: 'POST', path: `${PAYMENT}/give`, needs: 'receipts:assign', form: GiveForm, handle: givePayment }),
  page({
    method: 'POST',
    path: `${PAYMENT}/set-aside`,
    shownOn: PAYMENT,
    needs: 'receipts:assign',
    form: SetAsideForm,
    handle: setPaymentAside,
  }),
  page({
    method: 'POST',
    path: `${PAYMENT}/take-back`,
    shownOn: PAYMENT,
    needs: 'receipts:assign',
    handle: takePaymentBack,
  }),
  page({
    method: 'GET',
    path: CHARGE,
    needs: 'charges:read',
    refreshSeconds: 5,
    version: versionOfCharge,
    handle: showCharge,
  }),
  page({ method: 'POST', path: `${CHARGE}/cancel`, shownOn: CHARGE, needs: 'charges:write', handle: cancelCharge }),
  page({
    method: 'POST',
    path: `${CHARGE}/send`,
    shownOn: CHARGE,
    needs: 'texts:send',
    form: SendLinkForm,
    handle: sendLink,
  }),
  page({
    method: 'POST',
    path: `${CHARGE}/note`,
    shownOn: CHARGE,
    needs: 'charges:write',
    form: NoteForm,
    handle: writeNote,
  }),
  page({
    method: 'POST',
    path: `${CHARGE}/refund`,
    shownOn: CHARGE,
    needs: 'refunds:write',
    form: RefundForm,
    handle: writeRefund,
  }),
  page({
    method: 'POST',
    path: `${CHARGE}/refund/{refund_id}/close`,
    shownOn: CHARGE,
    needs: 'refunds:write',
    form: CloseRefundForm,
    handle: closeRefund,
  }),
]);
