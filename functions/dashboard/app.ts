import * as files from '../../shared/pages/dashboard/app/files.ts';
import * as notifications from '../../shared/pages/dashboard/app/notifications.ts';
import { area } from '../../shared/pages/dashboard/area.ts';
import { openPage, personPage } from '../../shared/pages/dashboard/page.ts';
import { manifest } from '../manifest.ts';

const needs = 'session';
const isForAll = true;
const DEVICE = '/device/{slot}';
const shownOn = '/';
/** Adding a device requires a recent passkey sign-in, because push notifications continue after the session ends. */
const adds = { needs, needsFresh: true } as const;

/** Pages for installing the dashboard as an app and for push notifications. */
export const handler = area(manifest['dashboard/app'], [
  openPage({ path: '/manifest.json', isForAll, show: files.showManifest }),
  openPage({ path: '/icon/{name}', isForAll, show: files.showIcon }),
  openPage({ path: '/worker.js', isForAll, show: files.showWorker }),
  openPage({ path: '/push.js', isForAll, show: files.showPushScript }),
  openPage({ path: '/offline', isForAll, show: files.showOffline }),
  personPage({ path: '/', needs, show: notifications.showNotifications }),
  personPage({
    ...adds,
    path: '/on',
    show: notifications.showOn,
    form: notifications.OnForm,
    act: notifications.switchOn,
  }),
  personPage({
    ...adds,
    path: '/text',
    show: notifications.showText,
    form: notifications.TextForm,
    act: notifications.switchTextOn,
  }),
  personPage({ path: DEVICE, needs, shownOn, form: notifications.ChoicesForm, act: notifications.changeChoices }),
  personPage({ path: `${DEVICE}/end`, needs, shownOn, act: notifications.endDevice }),
]);
