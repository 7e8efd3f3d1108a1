import { area } from '../../shared/pages/dashboard/area.ts';
import {
  addCredits,
  CreditsForm,
  LowBelowForm,
  setLow,
  suspend,
  takeBack,
} from '../../shared/pages/dashboard/money/change-merchant.ts';
import { inviteOwner, OwnerForm, showInviteOwner } from '../../shared/pages/dashboard/money/invite-owner.ts';
import { RateForm, setKeyRate, showKeyRate } from '../../shared/pages/dashboard/money/key-rate.ts';
import { showMerchant } from '../../shared/pages/dashboard/money/merchant.ts';
import { NewMerchantForm, SettingsForm } from '../../shared/pages/dashboard/money/merchant-form.ts';
import { showMerchants } from '../../shared/pages/dashboard/money/merchants.ts';
import { addMerchant, showNewMerchant } from '../../shared/pages/dashboard/money/new-merchant.ts';
import { saveSettings, showSettings } from '../../shared/pages/dashboard/money/settings.ts';
import { showUnassigned, showUnread } from '../../shared/pages/dashboard/money/unassigned.ts';
import { AssignForm, assignReceipt, showReceipt } from '../../shared/pages/dashboard/money/unassigned-receipt.ts';
import { personPage } from '../../shared/pages/dashboard/page.ts';
import { manifest } from '../manifest.ts';

const needs = 'operator';
const needsFresh = true;
const shownOn = '/{id}';
const RECEIPT = '/unassigned/{id}';
const KEY = '/{id}/keys/{hint}';
const invite = { path: '/{id}/invite', needs, needsFresh } as const;

/** Merchants with their people, credits and keys, and money of which nobody knows whose it is. */
export const handler = area(manifest['dashboard/operator-money'], [
  personPage({ method: 'GET', path: '/', needs, handle: showMerchants }),
  personPage({ method: 'GET', path: '/new', needs, needsFresh, handle: showNewMerchant }),
  personPage({ method: 'POST', path: '/new', needs, needsFresh, form: NewMerchantForm, handle: addMerchant }),
  personPage({ method: 'GET', path: '/unassigned', needs, refreshSeconds: 30, handle: showUnassigned }),
  personPage({ method: 'GET', path: '/unread', needs, refreshSeconds: 30, handle: showUnread }),
  personPage({ method: 'GET', path: RECEIPT, needs, handle: showReceipt }),
  personPage({
    method: 'POST',
    path: `${RECEIPT}/assign`,
    shownOn: RECEIPT,
    needs,
    form: AssignForm,
    handle: assignReceipt,
  }),
  personPage({ method: 'GET', path: '/{id}', needs, handle: showMerchant }),
  personPage({ method: 'POST', path: '/{id}/credits', shownOn, needs, form: CreditsForm, handle: addCredits }),
  personPage({ method: 'POST', path: '/{id}/low-below', shownOn, needs, form: LowBelowForm, handle: setLow }),
  personPage({ method: 'POST', path: '/{id}/suspend', shownOn, needs, handle: suspend }),
  personPage({ method: 'POST', path: '/{id}/take-back', shownOn, needs, handle: takeBack }),
  personPage({ method: 'GET', path: '/{id}/settings', needs, needsFresh, handle: showSettings }),
  personPage({ method: 'POST', path: '/{id}/settings', needs, needsFresh, form: SettingsForm, handle: saveSettings }),
  personPage({ method: 'GET', ...invite, handle: showInviteOwner }),
  personPage({ method: 'POST', ...invite, form: OwnerForm, handle: inviteOwner }),
  personPage({ method: 'GET', path: KEY, needs, handle: showKeyRate }),
  personPage({ method: 'POST', path: `${KEY}/rate`, shownOn: KEY, needs, form: RateForm, handle: setKeyRate }),
]);
