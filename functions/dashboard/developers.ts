import { area } from '../../shared/pages/dashboard/area.ts';
import { resendEvent, showEvent } from '../../shared/pages/dashboard/developers/event.ts';
import { listEvents, versionOfEvents } from '../../shared/pages/dashboard/developers/events.ts';
import { showFailedRequests } from '../../shared/pages/dashboard/developers/failed-requests.ts';
import { RollForm, revokeKey, rollKey, showKey } from '../../shared/pages/dashboard/developers/key.ts';
import { listKeys } from '../../shared/pages/dashboard/developers/keys.ts';
import { makeKey, NewKeyForm, showNewKey } from '../../shared/pages/dashboard/developers/new-key.ts';
import {
  removeWebhook,
  rollSecret,
  sendTestEvent,
  setWebhookUrl,
  showWebhook,
  WebhookForm,
} from '../../shared/pages/dashboard/developers/webhook.ts';
import { showWebhooks } from '../../shared/pages/dashboard/developers/webhooks.ts';
import { page } from '../../shared/pages/dashboard/page.ts';
import { manifest } from '../manifest.ts';

const ofKey = { shownOn: '/keys/{hint}', needs: 'keys:write', needsFresh: true } as const;
const ofWebhook = { shownOn: '/webhooks/{kind}', needs: 'webhooks:write', needsFresh: true } as const;
const newKey = { path: '/keys/new/{kind}', needs: 'keys:write', needsFresh: true } as const;
const needs = 'webhooks:read';

/** What a merchant's developers need: keys, webhooks and their events, and why a request failed. */
export const handler = area(manifest['dashboard/developers'], [
  page({ method: 'GET', path: '/', needs: 'keys:read', handle: listKeys }),
  page({ method: 'GET', ...newKey, handle: showNewKey }),
  page({ method: 'POST', ...newKey, form: NewKeyForm, handle: makeKey }),
  page({ method: 'GET', path: '/keys/{hint}', needs: 'keys:write', needsFresh: true, handle: showKey }),
  page({ method: 'POST', path: '/keys/{hint}/roll', ...ofKey, form: RollForm, handle: rollKey }),
  page({ method: 'POST', path: '/keys/{hint}/revoke', ...ofKey, handle: revokeKey }),
  page({ method: 'GET', path: '/webhooks', needs, handle: showWebhooks }),
  page({
    method: 'POST',
    path: '/webhooks/{kind}/test',
    shownOn: '/webhooks',
    needs: 'webhooks:write',
    handle: sendTestEvent,
  }),
  page({ method: 'GET', path: '/webhooks/{kind}', needs: 'webhooks:write', needsFresh: true, handle: showWebhook }),
  page({ method: 'POST', path: '/webhooks/{kind}/set', ...ofWebhook, form: WebhookForm, handle: setWebhookUrl }),
  page({ method: 'POST', path: '/webhooks/{kind}/roll', ...ofWebhook, handle: rollSecret }),
  page({ method: 'POST', path: '/webhooks/{kind}/remove', ...ofWebhook, handle: removeWebhook }),
  page({ method: 'GET', path: '/events', needs, refreshSeconds: 15, version: versionOfEvents, handle: listEvents }),
  page({ method: 'GET', path: '/events/{id}', needs, refreshSeconds: 5, handle: showEvent }),
  page({
    method: 'POST',
    path: '/events/{id}/resend',
    shownOn: '/events/{id}',
    needs: 'webhooks:write',
    handle: resendEvent,
  }),
  page({ method: 'GET', path: '/requests', needs: 'keys:read', handle: showFailedRequests }),
]);
