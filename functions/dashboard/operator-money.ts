import { area } from '../../shared/pages/dashboard/area.ts';
import { LookForm } from '../../shared/pages/dashboard/charges/look.ts';
import * as credits from '../../shared/pages/dashboard/operator-money/credits.ts';
import * as owner from '../../shared/pages/dashboard/operator-money/invite-owner.ts';
import * as merchant from '../../shared/pages/dashboard/operator-money/merchant.ts';
import * as settings from '../../shared/pages/dashboard/operator-money/merchant-settings.ts';
import { showMerchants } from '../../shared/pages/dashboard/operator-money/merchants.ts';
import * as unassigned from '../../shared/pages/dashboard/operator-money/unassigned.ts';
import { personPage } from '../../shared/pages/dashboard/page.ts';
import { manifest } from '../manifest.ts';

const needs = 'operator';
const fresh = { needs, needsFresh: true } as const;
const lists = { needs, refreshSeconds: 30 } as const;
const ofMerchant = { needs, shownOn: '/{id}' } as const;
const RECEIPT = '/unassigned/{id}';
const KEY = '/{id}/keys/{hint}';
const { NewMerchantForm, SettingsForm } = settings;

/** Operator pages for merchants, their teams, credits and keys, and for unassigned payments. */
export const handler = area(manifest['dashboard/operator-money'], [
  personPage({ path: '/', needs, show: showMerchants }),
  personPage({
    ...fresh,
    path: '/new',
    show: settings.showNewMerchant,
    form: NewMerchantForm,
    act: settings.addMerchant,
  }),
  personPage({ ...lists, path: '/unassigned', show: unassigned.showUnassigned }),
  personPage({ ...lists, path: '/unread', show: unassigned.showUnread }),
  personPage({ path: RECEIPT, needs, show: unassigned.showReceipt }),
  personPage({
    path: `${RECEIPT}/assign`,
    shownOn: RECEIPT,
    needs,
    form: unassigned.AssignForm,
    act: unassigned.assignReceipt,
  }),
  personPage({ path: '/credits', needs, show: credits.showOffer }),
  personPage({
    path: '/credits/bundle',
    shownOn: '/credits',
    needs,
    form: credits.BundleForm,
    act: credits.setBundle,
  }),
  personPage({ path: '/credits/stop', shownOn: '/credits', needs, act: credits.stopSelling }),
  personPage({ ...ofMerchant, path: '/{id}/sell-credits', act: credits.sellCredits }),
  personPage({ ...ofMerchant, path: '/{id}/allow-purchases', act: credits.allowPurchases }),
  personPage({
    ...ofMerchant,
    path: '/{id}/purchases/{reference}/release',
    form: LookForm,
    act: credits.releaseCredits,
  }),
  personPage({ path: '/{id}', needs, show: merchant.showMerchant }),
  personPage({ ...ofMerchant, path: '/{id}/credits', form: merchant.CreditsForm, act: merchant.addCredits }),
  personPage({ ...ofMerchant, path: '/{id}/low-below', form: merchant.LowBelowForm, act: merchant.setLow }),
  personPage({ ...ofMerchant, path: '/{id}/suspend', act: merchant.suspend(true) }),
  personPage({ ...ofMerchant, path: '/{id}/take-back', act: merchant.suspend(false) }),
  personPage({
    ...fresh,
    path: '/{id}/settings',
    show: settings.showSettings,
    form: SettingsForm,
    act: settings.saveSettings,
  }),
  personPage({
    ...fresh,
    path: '/{id}/invite',
    show: owner.showInviteOwner,
    form: owner.OwnerForm,
    act: owner.inviteOwner,
  }),
  personPage({ path: KEY, needs, show: merchant.showKeyRate }),
  personPage({ path: `${KEY}/rate`, shownOn: KEY, needs, form: merchant.RateForm, act: merchant.setKeyRate }),
]);
