import { html } from 'hono/html';
import type * as z from 'zod/mini';
import type { KeyHolder } from '../../../merchants/merchant/key-holder.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import type { TableWrite } from '../../../runtime/table/table.ts';
import { changeSecret, changeUrl, testEvent } from '../../../webhook/change-webhook.ts';
import { deleteWebhookEndpoint, getWebhookEndpoint, type WebhookEndpoint } from '../../../webhook/endpoint.table.ts';
import { currentSecret, noEndpoint, WebhookRequest } from '../../../webhook/endpoint.ts';
import { DEVELOPERS, eventAddress } from '../addresses.ts';
import { field } from '../parts/field.ts';
import { form } from '../parts/form.ts';
import { section } from '../parts/status.ts';
import type { Going, MerchantVisit, Shown } from '../visit.ts';
import { withAudit } from '../with-audit.ts';
import { kindNames, kindOf } from './key-kind.ts';
import { secretOnce } from './secret-once.ts';

/** What the API takes. */
export const WebhookForm = WebhookRequest;

const WEBHOOKS = `${DEVELOPERS}/webhooks`;
const back = { path: WEBHOOKS, name: 'To all webhooks' };

/** Where a webhook is changed. */
export async function showWebhook(visit: MerchantVisit<'kind'>, outside: Outside): Promise<Shown> {
  const holder = holderOf(visit);
  const endpoint = await getWebhookEndpoint(outside, holder);
  const facts = (what: string, submit: string) => ({
    path: `/webhooks/{kind}/${what}`,
    action: `${WEBHOOKS}/${holder.key_kind}/${what}`,
    submit,
  });
  const set = section('Address', [
    form(visit, facts('set', endpoint ? 'Set the address' : 'Set it and see its secret'), (filled) =>
      field(filled, {
        name: 'url',
        label: 'Address',
        type: 'url',
        value: endpoint?.url,
        hint: 'https, on the public internet. The secret that signs stays the same when the address changes.',
        isRequired: true,
      }),
    ),
  ]);
  const more = html`${section('Secret', [
    html`<p>Signs each event, so that your server knows it is from here. A new one takes its place for 24 hours: so long both sign.</p>`,
    form(visit, facts('roll', 'Make a new secret'), () => []),
  ])}
${section('No more events', [
  html`<p>Your server is told nothing from then on. Events that wait are not sent.</p>`,
  form(visit, { ...facts('remove', 'Remove this webhook'), isDangerous: true }, () => []),
])}`;
  return {
    title: `Webhook: ${kindNames[holder.key_kind].toLowerCase()}`,
    main: html`${set}${endpoint && more}<p><a href="${WEBHOOKS}">All webhooks</a></p>`,
  };
}

/** Sets the address; the secret of a first one is shown on this answer alone. */
export async function setWebhookUrl(
  visit: MerchantVisit<'kind', z.infer<typeof WebhookForm>>,
  outside: Outside,
): Promise<Shown | Going> {
  const { endpoint, isNew, writes } = await changeUrl(outside, holderOf(visit), visit.form.url);
  const notice = 'The address is set. Send a test to see that your server hears it.';
  const { host } = new URL(endpoint.url);
  const going = await visit.commit(noted(visit, outside, writes, 'webhook set', { host }), { goTo: WEBHOOKS, notice });
  return isNew ? showSecret(endpoint) : going;
}

/** A new secret, shown on this answer alone. */
export async function rollSecret(visit: MerchantVisit<'kind'>, outside: Outside): Promise<Shown> {
  const { endpoint, writes } = await changeSecret(outside, holderOf(visit));
  const notice = 'The new secret was shown once: make another if you have not copied it.';
  await visit.commit(noted(visit, outside, writes, 'webhook roll'), { goTo: WEBHOOKS, notice });
  return showSecret(endpoint);
}

function showSecret(endpoint: WebhookEndpoint): Shown {
  return secretOnce('The webhook’s secret', currentSecret(endpoint), 'secret', back);
}

export async function removeWebhook(visit: MerchantVisit<'kind'>, outside: Outside): Promise<Going> {
  const holder = holderOf(visit);
  if (!(await getWebhookEndpoint(outside, holder))) throw noEndpoint();
  const writes = noted(visit, outside, [deleteWebhookEndpoint(holder)], 'webhook remove');
  return visit.commit(writes, { goTo: WEBHOOKS, notice: 'The webhook was removed.' });
}

/** Sends an event that only shows whether it arrives. */
export async function sendTestEvent(visit: MerchantVisit<'kind'>, outside: Outside): Promise<Going> {
  const { event, writes } = await testEvent(outside, holderOf(visit));
  const notice = 'The test is on its way. This page shows what your server answers.';
  return visit.commit(writes, { goTo: eventAddress(event.event_id), notice });
}

function holderOf({ merchant, path }: MerchantVisit<'kind', unknown>): KeyHolder {
  return { merchant_id: merchant.merchant_id, key_kind: kindOf(path.kind) };
}

function noted(
  visit: MerchantVisit<'kind', unknown>,
  outside: Outside,
  writes: readonly TableWrite[],
  action: string,
  after: Readonly<Record<string, string>> = {},
): readonly TableWrite[] {
  return withAudit(outside, visit, writes, { action, about: visit.path.kind, after });
}
