import { area } from '../../shared/pages/dashboard/area.ts';
import { showAsset } from '../../shared/pages/dashboard/assets.ts';
import { openPage, personPage } from '../../shared/pages/dashboard/page.ts';
import * as account from '../../shared/pages/dashboard/sign-in/account.ts';
import { acceptWithPasskey, showInvitation } from '../../shared/pages/dashboard/sign-in/invitation.ts';
import { PasskeyForm as form, makeChallenge } from '../../shared/pages/dashboard/sign-in/passkey.ts';
import * as phone from '../../shared/pages/dashboard/sign-in/shared-phone.ts';
import * as signIn from '../../shared/pages/dashboard/sign-in/sign-in.ts';
import { manifest } from '../manifest.ts';

const needs = 'session';
const ofAccount = { needs, shownOn: '/account' } as const;
const needsFresh = true;

/** Pages for signing in and out, passkeys and sessions. Also serves the stylesheet and scripts of all pages. */
export const handler = area(manifest['dashboard/sign-in'], [
  openPage({ path: '/', show: signIn.showSignIn, form, act: signIn.signIn }),
  openPage({ path: '/challenge', act: makeChallenge }),
  openPage({ path: '/invitation/{token}', show: showInvitation, form, act: acceptWithPasskey }),
  openPage({ path: '/phone', refreshSeconds: phone.PEOPLE_SECONDS, show: phone.showPeople }),
  openPage({ path: '/phone/add/{token}', show: phone.showEnrol, act: phone.enrol }),
  openPage({ path: '/phone/person/{id}', show: phone.showPin, form: phone.PinForm, act: phone.signInByPin }),
  personPage({ path: '/phone/change', needs, onSharedPhone: true, shownOn: '/phone', act: phone.changePerson }),
  openPage({ path: '/asset/{hash}/{name}', isForAll: true, show: showAsset }),
  personPage({ path: '/confirm', needs, show: signIn.showConfirm, form, act: signIn.confirm }),
  personPage({ path: '/sign-out', needs, act: signIn.signOut }),
  personPage({ ...ofAccount, path: '/test-mode', form: account.TestModeForm, act: account.switchTestMode }),
  personPage({
    ...ofAccount,
    path: '/open-merchant',
    needs: 'operator',
    form: account.OpenForm,
    act: account.openDashboard,
  }),
  personPage({ path: '/account', needs, show: account.showAccount }),
  personPage({
    path: '/account/passkey',
    needs,
    needsFresh,
    show: account.showAddPasskey,
    form,
    act: account.addWithPasskey,
  }),
  personPage({ ...ofAccount, path: '/account/passkey/{id}/remove', needsFresh, act: account.removeOwnPasskey }),
  personPage({ ...ofAccount, path: '/account/session/{hash}/end', act: account.endOwnSession }),
  personPage({ ...ofAccount, path: '/account/end-others', act: account.endOtherSessions }),
]);
