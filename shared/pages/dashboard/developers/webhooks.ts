import { html } from 'hono/html';
import { may } from '../../../merchants/user/permissions.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { type KeyKind, keyKinds } from '../../../runtime/triggers/row.ts';
import { getWebhookEndpoint, type WebhookEndpoint } from '../../../webhook/endpoint.table.ts';
import { DEVELOPERS } from '../addresses.ts';
import type { Html } from '../html.ts';
import { form } from '../parts/form.ts';
import { facts, pill, section } from '../parts/status.ts';
import { shownTime } from '../shown-time.ts';
import type { MerchantVisit, Shown } from '../visit.ts';
import { kindNames } from './key-kind.ts';
import { developerTabs } from './tabs.ts';

const heard: Readonly<Record<KeyKind, string>> = {
  live: 'Told of payments, held payments, expired charges and wallets; of texts too, where the other webhook is not set.',
  sms: 'Told of texts that were delivered or failed, and of low credits.',
};

/** Where a merchant's events go: one address for each kind of key. */
export async function showWebhooks(visit: MerchantVisit, outside: Outside): Promise<Shown> {
  const { merchant_id } = visit.merchant;
  const webhooks = await Promise.all(
    keyKinds.map(async (kind) => ({
      kind,
      endpoint: await getWebhookEndpoint(outside, { merchant_id, key_kind: kind }),
    })),
  );
  return {
    title: 'Webhooks',
    main: html`${developerTabs(visit)}
${webhooks.map(({ kind, endpoint }) => section(kindNames[kind], webhook(visit, kind, endpoint)))}`,
  };
}

function webhook(visit: MerchantVisit, kind: KeyKind, endpoint: WebhookEndpoint | undefined): Html {
  const mayChange = may(visit.user, 'webhooks:write');
  const change = html`<a class="plain button" href="${DEVELOPERS}/webhooks/${kind}">${endpoint ? 'Change it' : 'Set an address'}</a>`;
  const test = { path: '/webhooks/{kind}/test', action: `${DEVELOPERS}/webhooks/${kind}/test`, submit: 'Send a test' };
  return html`<p>${heard[kind]}</p>
${
  endpoint
    ? facts([
        ['Address', endpoint.url],
        ['State', endpointState(endpoint)],
        ['Failing since', endpoint.failing_since && shownTime(endpoint.failing_since)],
        ['Set', shownTime(endpoint.created_at)],
      ])
    : html`<p><b>Not set.</b> Your server has to ask for what happened.</p>`
}
${mayChange && html`<div class="actions">${change}${endpoint && form(visit, { ...test, isSmall: true }, () => [])}</div>`}`;
}

/** Whether events reach the address, in words. */
function endpointState({ disabled_reason, disabled_at, failing_since }: WebhookEndpoint): Html {
  if (disabled_at) {
    const why =
      disabled_reason === 'gone'
        ? 'Your server answered 410: it wants no more events.'
        : 'Every try failed for five days.';
    return html`${pill('bad', 'Off')} <span class="hint">${why} Set the address again to switch it on.</span>`;
  }
  if (failing_since)
    return html`${pill('look', 'Failing')} <span class="hint">The events show what your server answers.</span>`;
  return pill('good', 'On');
}
