import { area } from '../../shared/pages/dashboard/area.ts';
import { openPage, personPage } from '../../shared/pages/dashboard/page.ts';
import { showAccount } from '../../shared/pages/dashboard/sign-in/account.ts';
import { addWithPasskey, showAddPasskey } from '../../shared/pages/dashboard/sign-in/add-passkey.ts';
import { showAsset } from '../../shared/pages/dashboard/sign-in/asset.ts';
import { makeChallenge } from '../../shared/pages/dashboard/sign-in/challenge.ts';
import {
  endOtherSessions,
  endOwnSession,
  removeOwnPasskey,
} from '../../shared/pages/dashboard/sign-in/change-access.ts';
import { confirm, showConfirm } from '../../shared/pages/dashboard/sign-in/confirm.ts';
import { acceptWithPasskey, showInvitation } from '../../shared/pages/dashboard/sign-in/invitation.ts';
import { OpenForm, openDashboard } from '../../shared/pages/dashboard/sign-in/open-merchant.ts';
import { PasskeyForm } from '../../shared/pages/dashboard/sign-in/passkey-form.ts';
import { showSignIn, signIn } from '../../shared/pages/dashboard/sign-in/sign-in.ts';
import { signOut } from '../../shared/pages/dashboard/sign-in/sign-out.ts';
import { switchTestMode, TestModeForm } from '../../shared/pages/dashboard/sign-in/test-mode.ts';
import { manifest } from '../manifest.ts';

const account = '/account';
const needs = 'session';

/** Signing in and out, a person's own passkeys and sessions, and the style and the scripts of every page. */
export const handler = area(manifest['dashboard/sign-in'], [
  openPage({ method: 'GET', path: '/', handle: showSignIn }),
  openPage({ method: 'POST', path: '/', form: PasskeyForm, handle: signIn }),
  openPage({ method: 'POST', path: '/challenge', handle: makeChallenge }),
  openPage({ method: 'GET', path: '/invitation/{token}', handle: showInvitation }),
  openPage({ method: 'POST', path: '/invitation/{token}', form: PasskeyForm, handle: acceptWithPasskey }),
  openPage({ method: 'GET', path: '/asset/{hash}/{name}', isForAll: true, handle: showAsset }),
  personPage({ method: 'GET', path: '/confirm', needs, handle: showConfirm }),
  personPage({ method: 'POST', path: '/confirm', needs, form: PasskeyForm, handle: confirm }),
  personPage({ method: 'POST', path: '/sign-out', needs, handle: signOut }),
  personPage({
    method: 'POST',
    path: '/test-mode',
    shownOn: account,
    needs,
    form: TestModeForm,
    handle: switchTestMode,
  }),
  personPage({
    method: 'POST',
    path: '/open-merchant',
    shownOn: account,
    needs: 'operator',
    form: OpenForm,
    handle: openDashboard,
  }),
  personPage({ method: 'GET', path: account, needs, handle: showAccount }),
  personPage({ method: 'GET', path: '/account/passkey', needs, needsFresh: true, handle: showAddPasskey }),
  personPage({
    method: 'POST',
    path: '/account/passkey',
    needs,
    needsFresh: true,
    form: PasskeyForm,
    handle: addWithPasskey,
  }),
  personPage({
    method: 'POST',
    path: '/account/passkey/{id}/remove',
    shownOn: account,
    needs,
    needsFresh: true,
    handle: removeOwnPasskey,
  }),
  personPage({
    method: 'POST',
    path: '/account/session/{hash}/end',
    shownOn: account,
    needs,
    handle: endOwnSession,
  }),
  personPage({ method: 'POST', path: '/account/end-others', shownOn: account, needs, handle: endOtherSessions }),
]);
