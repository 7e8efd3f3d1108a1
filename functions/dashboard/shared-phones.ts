import { area } from '../../shared/pages/dashboard/area.ts';
import { page } from '../../shared/pages/dashboard/page.ts';
import * as code from '../../shared/pages/dashboard/shared-phones/give-code.ts';
import * as phone from '../../shared/pages/dashboard/shared-phones/shared-phone.ts';
import * as phones from '../../shared/pages/dashboard/shared-phones/shared-phones.ts';
import { manifest } from '../manifest.ts';

const needs = 'team:write';
const needsFresh = true;
const PHONE = '/{id}';
const ofPhone = { needs, shownOn: PHONE } as const;

export const handler = area(manifest['dashboard/shared-phones'], [
  page({ path: '/', needs, show: phones.showSharedPhones }),
  page({ path: '/add', needs, needsFresh, show: code.showCodeForm, form: code.CodeForm, act: code.giveCode }),
  page({ path: PHONE, needs, show: phone.showSharedPhone }),
  page({ ...ofPhone, path: `${PHONE}/unlock`, needsFresh, act: phone.unlock }),
  page({ ...ofPhone, path: `${PHONE}/sign-out`, act: phone.signOutThere }),
  page({ ...ofPhone, path: `${PHONE}/end`, act: phone.endPhone }),
]);
