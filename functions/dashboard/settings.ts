import { area } from '../../shared/dashboard/area.ts';
import { page } from '../../shared/dashboard/page.ts';
import { showAudit } from '../../shared/dashboard/settings/audit.ts';
import {
  changeRoleOf,
  endSessionsOf,
  inviteAgainOf,
  removeFromTeam,
} from '../../shared/dashboard/settings/change-member.ts';
import { InviteForm, invite, showInvite } from '../../shared/dashboard/settings/invite.ts';
import { RoleForm, showMember } from '../../shared/dashboard/settings/member.ts';
import { showTeam } from '../../shared/dashboard/settings/team.ts';
import { manifest } from '../manifest.ts';

const needs = 'team:write';
const needsFresh = true;
const shownOn = '/team/{id}';

/** Who works at a merchant, and what was changed. */
export const handler = area(manifest['dashboard/settings'], [
  page({ method: 'GET', path: '/team', needs: 'settings:read', handle: showTeam }),
  page({ method: 'GET', path: '/team/invite', needs, needsFresh, handle: showInvite }),
  page({ method: 'POST', path: '/team/invite', needs, needsFresh, form: InviteForm, handle: invite }),
  page({ method: 'GET', path: '/team/{id}', needs, needsFresh, handle: showMember }),
  page({ method: 'POST', path: '/team/{id}/role', shownOn, needs, needsFresh, form: RoleForm, handle: changeRoleOf }),
  page({ method: 'POST', path: '/team/{id}/link', shownOn, needs, needsFresh, handle: inviteAgainOf }),
  page({ method: 'POST', path: '/team/{id}/end-sessions', shownOn, needs, needsFresh, handle: endSessionsOf }),
  page({ method: 'POST', path: '/team/{id}/remove', shownOn, needs, needsFresh, handle: removeFromTeam }),
  page({ method: 'GET', path: '/audit', needs: 'audit:read', handle: showAudit }),
]);
