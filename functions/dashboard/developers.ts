import { area } from '../../shared/pages/dashboard/area.ts';
import * as events from '../../shared/pages/dashboard/developers/events.ts';
import { showFailedRequests } from '../../shared/pages/dashboard/developers/failed-requests.ts';
import * as key from '../../shared/pages/dashboard/developers/key.ts';
import { listKeys } from '../../shared/pages/dashboard/developers/keys.ts';
import * as webhooks from '../../shared/pages/dashboard/developers/webhooks.ts';
import { page } from '../../shared/pages/dashboard/page.ts';
import { manifest } from '../manifest.ts';

const KEY = '/keys/{hint}';
const WEBHOOK = '/webhooks/{kind}';
const EVENT = '/events/{id}';
const keyWrite = { needs: 'keys:write', needsFresh: true } as const;
const webhookWrite = { needs: 'webhooks:write', needsFresh: true } as const;
const needs = 'webhooks:read';

/** Pages for API keys, webhooks, events and failed requests. */
export const handler = area(manifest['dashboard/developers'], [
  page({ path: '/', needs: 'keys:read', show: listKeys }),
  page({ ...keyWrite, path: '/keys/new/{kind}', show: key.showNewKey, form: key.NewKeyForm, act: key.makeKey }),
  page({ ...keyWrite, path: KEY, show: key.showKey }),
  page({ ...keyWrite, path: `${KEY}/roll`, shownOn: KEY, form: key.RollForm, act: key.rollKey }),
  page({ ...keyWrite, path: `${KEY}/revoke`, shownOn: KEY, act: key.revokeKey }),
  page({ path: '/webhooks', needs, show: webhooks.showWebhooks }),
  page({ path: `${WEBHOOK}/test`, shownOn: '/webhooks', needs: 'webhooks:write', act: webhooks.sendTestEvent }),
  page({ ...webhookWrite, path: WEBHOOK, show: webhooks.showWebhook }),
  page({
    ...webhookWrite,
    path: `${WEBHOOK}/set`,
    shownOn: WEBHOOK,
    form: webhooks.WebhookForm,
    act: webhooks.setWebhookUrl,
  }),
  page({ ...webhookWrite, path: `${WEBHOOK}/roll`, shownOn: WEBHOOK, act: webhooks.rollSecret }),
  page({ ...webhookWrite, path: `${WEBHOOK}/remove`, shownOn: WEBHOOK, act: webhooks.removeWebhook }),
  page({ path: '/events', needs, refreshSeconds: 15, version: events.versionOfEvents, show: events.listEvents }),
  page({ path: EVENT, needs, refreshSeconds: 5, show: events.showEvent }),
  page({ path: `${EVENT}/resend`, shownOn: EVENT, needs: 'webhooks:write', act: events.resendEvent }),
  page({ path: '/requests', needs: 'keys:read', show: showFailedRequests }),
]);
