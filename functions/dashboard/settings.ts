import { area } from '../../shared/pages/dashboard/area.ts';
import { page } from '../../shared/pages/dashboard/page.ts';
import { asItIs } from '../../shared/pages/dashboard/settings/as-it-is.ts';
import { showAudit } from '../../shared/pages/dashboard/settings/audit.ts';
import {
  changeRoleOf,
  endSessionsOf,
  inviteAgainOf,
  removeFromTeam,
} from '../../shared/pages/dashboard/settings/change-member.ts';
import { correctName, removeNumber, setLimit, showFirst } from '../../shared/pages/dashboard/settings/change-number.ts';
import { SeenForm, showChanges } from '../../shared/pages/dashboard/settings/changes.ts';
import { ContactForm, setContact, showContact } from '../../shared/pages/dashboard/settings/contact.ts';
import { approveChange, dropChange, seeChanges } from '../../shared/pages/dashboard/settings/decide-change.ts';
import {
  SenderForm,
  setDefaultSender,
  showDefaultSender,
} from '../../shared/pages/dashboard/settings/default-sender.ts';
import { InviteForm, invite, showInvite } from '../../shared/pages/dashboard/settings/invite.ts';
import { LowCreditsForm, setLowCredits, showLowCredits } from '../../shared/pages/dashboard/settings/low-credits.ts';
import { MatchingForm, setMatching, showMatching } from '../../shared/pages/dashboard/settings/matching.ts';
import { RoleForm, showMember } from '../../shared/pages/dashboard/settings/member.ts';
import { addNumber, NewNumberForm, showNewNumber } from '../../shared/pages/dashboard/settings/new-number.ts';
import { LimitForm, NameForm, showNumber } from '../../shared/pages/dashboard/settings/number.ts';
import { showNumbers } from '../../shared/pages/dashboard/settings/numbers.ts';
import { showSettings } from '../../shared/pages/dashboard/settings/settings.ts';
import { showTeam } from '../../shared/pages/dashboard/settings/team.ts';
import { showWallet } from '../../shared/pages/dashboard/settings/wallet.ts';
import { showWallets } from '../../shared/pages/dashboard/settings/wallets.ts';
import { LinkForm } from '../../shared/pages/dashboard/sign-in/invitation-link.ts';
import { manifest } from '../manifest.ts';

const looks = { method: 'GET', needs: 'settings:read' } as const;
const sets = { method: 'POST', needs: 'settings:write' } as const;
const newNumber = { path: '/numbers/new', needs: 'settings:write', needsFresh: true } as const;
const ofNumber = { needs: 'settings:write', needsFresh: true } as const;
const ofNumberForm = { ...ofNumber, method: 'POST', shownOn: '/numbers/{number}' } as const;
const ofChange = { method: 'POST', shownOn: '/changes' } as const;
const decides = { ...ofChange, needs: 'settings:approve' } as const;
const ofTeam = { needs: 'team:write', needsFresh: true } as const;
const ofMember = { ...ofTeam, method: 'POST', shownOn: '/team/{id}' } as const;

/** How a merchant is paid and sends, what its wallets prove, who works there, and what was changed. */
export const handler = area(manifest['dashboard/settings'], [
  page({ ...looks, path: '/', handle: asItIs(showSettings) }),
  page({ ...looks, path: '/numbers', handle: asItIs(showNumbers) }),
  page({ ...newNumber, method: 'GET', handle: showNewNumber }),
  page({ ...newNumber, method: 'POST', form: NewNumberForm, handle: asItIs(addNumber) }),
  page({ ...ofNumber, method: 'GET', path: '/numbers/{number}', handle: asItIs(showNumber) }),
  page({ ...ofNumberForm, path: '/numbers/{number}/name', form: NameForm, handle: asItIs(correctName) }),
  page({ ...ofNumberForm, path: '/numbers/{number}/first', handle: asItIs(showFirst) }),
  page({ ...ofNumberForm, path: '/numbers/{number}/limit', form: LimitForm, handle: asItIs(setLimit) }),
  page({ ...ofNumberForm, path: '/numbers/{number}/remove', handle: asItIs(removeNumber) }),
  page({ method: 'GET', path: '/changes', needs: 'settings:write', handle: asItIs(showChanges) }),
  page({ ...decides, path: '/changes/{id}/approve', needsFresh: true, handle: asItIs(approveChange) }),
  page({ ...ofChange, path: '/changes/{id}/drop', needs: 'settings:write', handle: asItIs(dropChange) }),
  page({ ...decides, path: '/changes/seen', form: SeenForm, handle: seeChanges }),
  page({ ...looks, path: '/sender', handle: asItIs(showDefaultSender) }),
  page({ ...sets, path: '/sender', form: SenderForm, handle: asItIs(setDefaultSender) }),
  page({ ...looks, path: '/matching', handle: asItIs(showMatching) }),
  page({ ...sets, path: '/matching', needsFresh: true, form: MatchingForm, handle: asItIs(setMatching) }),
  page({ ...looks, path: '/contact', handle: asItIs(showContact) }),
  page({ ...sets, path: '/contact', form: ContactForm, handle: asItIs(setContact) }),
  page({ ...looks, path: '/credits', handle: showLowCredits }),
  page({ ...sets, path: '/credits', form: LowCreditsForm, handle: setLowCredits }),
  page({ method: 'GET', path: '/wallets', needs: 'balances:read', refreshSeconds: 30, handle: asItIs(showWallets) }),
  page({
    method: 'GET',
    path: '/wallets/{number}',
    needs: 'balances:read',
    refreshSeconds: 30,
    handle: asItIs(showWallet),
  }),
  page({ ...looks, path: '/team', handle: showTeam }),
  page({ ...ofTeam, method: 'GET', path: '/team/invite', handle: showInvite }),
  page({ ...ofTeam, method: 'POST', path: '/team/invite', form: InviteForm, handle: invite }),
  page({ ...ofTeam, method: 'GET', path: '/team/{id}', handle: showMember }),
  page({ ...ofMember, path: '/team/{id}/role', form: RoleForm, handle: changeRoleOf }),
  page({ ...ofMember, path: '/team/{id}/link', form: LinkForm, handle: inviteAgainOf }),
  page({ ...ofMember, path: '/team/{id}/end-sessions', handle: endSessionsOf }),
  page({ ...ofMember, path: '/team/{id}/remove', handle: removeFromTeam }),
  page({ method: 'GET', path: '/audit', needs: 'audit:read', handle: showAudit }),
]);
