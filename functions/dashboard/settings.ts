import { area } from '../../shared/pages/dashboard/area.ts';
import { page } from '../../shared/pages/dashboard/page.ts';
import * as answers from '../../shared/pages/dashboard/settings/answers.ts';
import { showAudit } from '../../shared/pages/dashboard/settings/audit.ts';
import * as changes from '../../shared/pages/dashboard/settings/changes.ts';
import * as checkout from '../../shared/pages/dashboard/settings/checkout-page.ts';
import * as contact from '../../shared/pages/dashboard/settings/contact.ts';
import * as sender from '../../shared/pages/dashboard/settings/default-sender.ts';
import * as credits from '../../shared/pages/dashboard/settings/low-credits.ts';
import * as matching from '../../shared/pages/dashboard/settings/matching.ts';
import * as numbers from '../../shared/pages/dashboard/settings/numbers.ts';
import * as quiet from '../../shared/pages/dashboard/settings/quiet-hours.ts';
import * as receipts from '../../shared/pages/dashboard/settings/receipts.ts';
import { showSettings } from '../../shared/pages/dashboard/settings/settings.ts';
import * as team from '../../shared/pages/dashboard/settings/team.ts';
import * as wallets from '../../shared/pages/dashboard/settings/wallets.ts';
import { LinkForm } from '../../shared/pages/dashboard/sign-in/invitation-link.ts';
import { manifest } from '../manifest.ts';

const NUMBER = '/numbers/{number}';
const MEMBER = '/team/{id}';
const readsMerchant = true;
const needs = 'settings:read';
const looks = { needs, readsMerchant } as const;
const sets = { needs: 'settings:write', readsMerchant } as const;
const ofNumber = { ...sets, needsFresh: true } as const;
const ofCheckout = { ...sets, shownOn: '/checkout' } as const;
const ofChange = { shownOn: '/changes', readsMerchant } as const;
const ofWallets = { needs: 'balances:read', refreshSeconds: 30, readsMerchant } as const;
const ofTeam = { needs: 'team:write', needsFresh: true } as const;
const ofMember = { ...ofTeam, shownOn: MEMBER } as const;

/** Pages for payment numbers, senders, wallet verification, the team and the audit log. */
export const handler = area(manifest['dashboard/settings'], [
  page({ ...looks, path: '/', show: showSettings }),
  page({ ...looks, path: '/numbers', show: numbers.showNumbers }),
  page({ ...ofNumber, path: '/numbers/new', show: numbers.showNewNumber }),
  page({ ...ofNumber, path: '/numbers/new', form: numbers.NewNumberForm, act: numbers.addNumber }),
  page({ ...ofNumber, path: NUMBER, show: numbers.showNumber }),
  page({ ...ofNumber, path: `${NUMBER}/name`, shownOn: NUMBER, form: numbers.NameForm, act: numbers.correctName }),
  page({ ...ofNumber, path: `${NUMBER}/first`, shownOn: NUMBER, act: numbers.showFirst }),
  page({ ...ofNumber, path: `${NUMBER}/limit`, shownOn: NUMBER, form: numbers.LimitForm, act: numbers.setLimit }),
  page({ ...ofNumber, path: `${NUMBER}/remove`, shownOn: NUMBER, act: numbers.removeNumber }),
  page({ ...sets, path: '/changes', refreshSeconds: 30, show: changes.showChanges }),
  page({
    ...ofChange,
    path: '/changes/{id}/approve',
    needs: 'settings:approve',
    needsFresh: true,
    act: changes.approveChange,
  }),
  page({ ...ofChange, path: '/changes/{id}/drop', needs: 'settings:write', act: changes.dropChange }),
  page({
    path: '/changes/seen',
    shownOn: '/changes',
    needs: 'settings:approve',
    form: changes.SeenForm,
    act: changes.seeChanges,
  }),
  page({ ...looks, path: '/sender', show: sender.showDefaultSender }),
  page({ ...sets, path: '/sender', form: sender.SenderForm, act: sender.setDefaultSender }),
  page({ ...looks, path: '/matching', show: matching.showMatching }),
  page({ ...sets, path: '/matching', needsFresh: true, form: matching.MatchingForm, act: matching.setMatching }),
  page({ ...looks, path: '/contact', show: contact.showContact }),
  page({ ...sets, path: '/contact', form: contact.ContactForm, act: contact.setContact }),
  page({ ...looks, path: '/checkout', show: checkout.showCheckout }),
  page({ ...ofCheckout, path: '/checkout/logo', hasFile: true, form: checkout.LogoForm, act: checkout.changeLogo }),
  page({ ...ofCheckout, path: '/checkout/logo/remove', act: checkout.removeLogo }),
  page({ ...ofCheckout, path: '/checkout/texts', form: checkout.TextsForm, act: checkout.changeTexts }),
  page({ ...looks, path: '/receipts', show: receipts.showReceipts }),
  page({ ...sets, path: '/receipts', form: receipts.ReceiptsForm, act: receipts.setReceipts }),
  page({ ...looks, path: '/answers', show: answers.showAnswers }),
  page({ ...sets, path: '/answers', form: answers.AnswersForm, act: answers.setAnswers }),
  page({ ...looks, path: '/quiet-hours', show: quiet.showQuietHours }),
  page({ ...sets, path: '/quiet-hours', form: quiet.QuietHoursForm, act: quiet.setQuietHours }),
  page({ path: '/credits', needs, show: credits.showLowCredits }),
  page({ path: '/credits', needs: 'settings:write', form: credits.LowCreditsForm, act: credits.setLowCredits }),
  page({ ...ofWallets, path: '/wallets', show: wallets.showWallets }),
  page({ ...ofWallets, path: '/wallets/{number}', show: wallets.showWallet }),
  page({ path: '/team', needs, show: team.showTeam }),
  page({ ...ofTeam, path: '/team/invite', show: team.showInvite, form: team.InviteForm, act: team.invite }),
  page({ ...ofTeam, path: MEMBER, show: team.showMember }),
  page({ ...ofMember, path: `${MEMBER}/role`, form: team.RoleForm, act: team.changeRoleOf }),
  page({ ...ofMember, path: `${MEMBER}/link`, form: LinkForm, act: team.inviteAgainOf }),
  page({ ...ofMember, path: `${MEMBER}/end-sessions`, act: team.endSessionsOf }),
  page({ ...ofMember, path: `${MEMBER}/remove`, form: team.RemoveForm, act: team.removeFromTeam }),
  page({ path: '/audit', needs: 'audit:read', show: showAudit }),
]);
