import { area } from '../../shared/pages/dashboard/area.ts';
import * as charge from '../../shared/pages/dashboard/charges/charge.ts';
import * as charges from '../../shared/pages/dashboard/charges/charges.ts';
import { LookAtChargeForm } from '../../shared/pages/dashboard/charges/look.ts';
import * as mark from '../../shared/pages/dashboard/charges/mark.ts';
import * as newCharge from '../../shared/pages/dashboard/charges/new-charge.ts';
import { NotThereForm, sayNotThere } from '../../shared/pages/dashboard/charges/not-there.ts';
import * as link from '../../shared/pages/dashboard/charges/pay-link.ts';
import * as refunds from '../../shared/pages/dashboard/charges/refunds.ts';
import { undoTap } from '../../shared/pages/dashboard/charges/undo-tap.ts';
import { sayThere } from '../../shared/pages/dashboard/charges/vouch.ts';
import { page } from '../../shared/pages/dashboard/page.ts';
import { manifest } from '../manifest.ts';

const CHARGE = '/{reference}';
const list = { path: '/', refreshSeconds: 15, version: charges.versionOfCharges } as const;
const one = { path: CHARGE, refreshSeconds: 5, version: charge.versionOfCharge } as const;
const writes = { shownOn: CHARGE, needs: 'charges:write' } as const;
const refund = { shownOn: CHARGE, needs: 'refunds:write' } as const;
/** Accepting an unverified payment requires a recent passkey sign-in; a PIN is not enough. */
const releases = { needs: 'receipts:assign', needsFresh: true } as const;
const { NewChargeForm, showNewCharge: show, addCharge: act } = newCharge;

/** Pages for a merchant's charges. */
export const handler = area(manifest['dashboard/charges'], [
  page({ ...list, needs: 'charges:read', show: charges.showCharges }),
  page({ path: '/new', needs: 'charges:write', show, form: NewChargeForm, act }),
  page({ ...one, needs: 'charges:read', show: charge.showCharge }),
  page({ ...releases, path: `${CHARGE}/mark`, show: mark.showMark, form: mark.MarkForm, act: mark.markAsPaid }),
  page({ ...releases, shownOn: CHARGE, path: `${CHARGE}/unmark`, form: mark.UnmarkForm, act: mark.undoMark }),
  page({ shownOn: CHARGE, needs: 'receipts:assign', path: `${CHARGE}/undo-tap`, act: undoTap }),
  page({ ...releases, shownOn: CHARGE, path: `${CHARGE}/not-there`, form: NotThereForm, act: sayNotThere }),
  page({ ...releases, shownOn: CHARGE, path: `${CHARGE}/there`, form: LookAtChargeForm, act: sayThere }),
  page({
    ...releases,
    shownOn: CHARGE,
    path: `${CHARGE}/release`,
    form: LookAtChargeForm,
    act: charge.releaseCharge,
  }),
  page({ ...writes, path: `${CHARGE}/cancel`, act: charge.cancelCharge }),
  page({ path: `${CHARGE}/send`, shownOn: CHARGE, needs: 'texts:send', form: link.SendLinkForm, act: link.sendLink }),
  page({ ...writes, path: `${CHARGE}/note`, form: charge.NoteForm, act: charge.writeNote }),
  page({ ...refund, path: `${CHARGE}/refund`, form: refunds.RefundForm, act: refunds.writeRefund }),
  page({
    ...refund,
    path: `${CHARGE}/refund/{refund_id}/close`,
    form: refunds.CloseRefundForm,
    act: refunds.closeRefund,
  }),
]);
