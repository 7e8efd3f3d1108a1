import { html, raw } from 'hono/html';
import * as z from 'zod/mini';
import type { KeyHolder } from '../../../merchants/merchant/key-holder.ts';
import { may } from '../../../merchants/user/permissions.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { type KeyKind, keyKinds } from '../../../runtime/triggers/row.ts';
import { changeSecret, changeUrl, prepareRemoval, testEvent } from '../../../webhook/change-webhook.ts';
import { endpointRows, type WebhookEndpoint } from '../../../webhook/endpoint.table.ts';
import { currentSecret } from '../../../webhook/endpoint.ts';
import { eventsOfKind } from '../../../webhook/event.ts';
import { DEVELOPERS, eventAddress } from '../parts/addresses.ts';
import { facts, type Html, pill, section, shownTime } from '../parts/content.ts';
import { field, fields, form, tick, ticks } from '../parts/form.ts';
import type { Going, MerchantVisit, Shown } from '../parts/visit.ts';
import { kindNames, kindOf, secretOnce } from './keys.ts';

const heard: Readonly<Record<KeyKind, string>> = {
  live: 'Receives events about payments, payments to check, expired charges and wallets. Receives events about texts too, if the other webhook is not set.',
  sms: 'Receives events about delivered and failed texts, and low credits.',
};

export async function showWebhooks(visit: MerchantVisit, outside: Outside): Promise<Shown> {
  const { merchant_id } = visit.merchant;
  const webhooks = await Promise.all(
    keyKinds.map(async (kind) => ({
      kind,
      endpoint: await endpointRows.find(outside, { merchant_id, key_kind: kind }),
    })),
  );
  return {
    title: 'Webhooks',
    main: html`${webhooks.map(({ kind, endpoint }) => section(kindNames[kind], webhook(visit, kind, endpoint)))}`,
  };
}

function webhook(visit: MerchantVisit, kind: KeyKind, endpoint: WebhookEndpoint | undefined): Html {
  const mayChange = may(visit.user, 'webhooks:write');
  const change = html`<a class="plain button" href="${DEVELOPERS}/webhooks/${kind}">${endpoint ? 'Change it' : 'Set an address'}</a>`;
  const test = { path: '/webhooks/{kind}/test', ids: { kind }, submit: 'Send a test' };
  return html`<p>${heard[kind]}</p>
${
  endpoint
    ? facts([
        ['Address', endpoint.url],
        ['Events', endpoint.events?.join(', ') ?? 'All'],
        ['State', endpointState(endpoint)],
        ['Failing since', endpoint.failing_since && shownTime(endpoint.failing_since)],
        ['Set', shownTime(endpoint.created_at)],
      ])
    : html`<p><b>Not set.</b> Your server has to poll for changes.</p>`
}
${mayChange && html`<div class="actions">${change}${endpoint && form(visit, { ...test, isSmall: true })}</div>`}`;
}

function endpointState({ disabled_reason, disabled_at, failing_since }: WebhookEndpoint): Html {
  if (disabled_at) {
    const reason =
      disabled_reason === 'gone'
        ? 'Your server responded with 410, which means that it wants no more events.'
        : 'Every attempt has failed for five days.';
    return html`${pill('bad', 'Off')} <span class="hint">${reason} Set the address again to turn it on.</span>`;
  }
  if (failing_since)
    return html`${pill('look', 'Failing')} <span class="hint">The events show your server’s responses.</span>`;
  return pill('good', 'On');
}

/** The API's fields, with a checkbox for each event. If no box is ticked, all events are sent. */
export const WebhookForm = z.object({ url: z.string(), ...ticks(eventsOfKind('live')) });

const WEBHOOKS = `${DEVELOPERS}/webhooks`;
const back = { path: WEBHOOKS, name: 'Back to all webhooks' };

export async function showWebhook(visit: MerchantVisit<'kind'>, outside: Outside): Promise<Shown> {
  const holder = holderOf(visit);
  const endpoint = await endpointRows.find(outside, holder);
  const submit = endpoint ? 'Set the address' : 'Set the address and show the secret';
  const set = section('Address', [
    form(visit, { path: '/webhooks/{kind}/set', submit }, [
      field('url', 'Address', {
        type: 'url',
        value: endpoint?.url,
        hint: 'An https address on the public internet. The signing secret stays the same when you change the address.',
        isRequired: true,
      }),
      fields`<details${endpoint?.events && raw(' open')}><summary>Only some events</summary><fieldset><legend class="unseen">Only these events</legend><p class="hint">Leave all boxes unticked to get every event, including new ones.</p><div>${eventsOfKind(
        holder.key_kind,
      ).map((one) =>
        tick(one, one, { value: endpoint?.events?.includes(one) ? 'on' : '' }),
      )}</div></fieldset></details>`,
    ]),
  ]);
  const more = html`${section('Secret', [
    html`<p>We sign each event with this secret, so your server knows that we sent it. After you create a new secret, events are signed with both for 24 hours.</p>`,
    form(visit, { path: '/webhooks/{kind}/roll', submit: 'Create a new secret', isPlain: true }),
  ])}
${section('Remove', [
  html`<p>Your server will not receive any more events. Queued events will not be sent.</p>`,
  form(visit, { path: '/webhooks/{kind}/remove', submit: 'Remove this webhook', isDangerous: true }),
])}`;
  return {
    title: `Webhook: ${kindNames[holder.key_kind].toLowerCase()}`,
    main: html`${set}${endpoint && more}`,
  };
}

/** Sets the webhook's URL. The first time, also shows its new secret. */
export async function setWebhookUrl(visit: MerchantVisit<'kind', typeof WebhookForm>, outside: Outside) {
  const { url, ...ticks } = visit.form;
  const events = eventsOfKind(holderOf(visit).key_kind).filter((one) => ticks[one] === 'on');
  const wanted = { url, ...(events.length > 0 && { events }) };
  const { endpoint, isNew, writes, entry } = await changeUrl(outside, holderOf(visit), wanted);
  const notice = 'The address is set. Send a test event to check that it arrives.';
  const going = await visit.commit(writes, { goTo: WEBHOOKS, notice }, entry);
  return isNew ? showSecret(endpoint) : going;
}

export async function rollSecret(visit: MerchantVisit<'kind'>, outside: Outside): Promise<Shown> {
  const { endpoint, writes, entry } = await changeSecret(outside, holderOf(visit));
  const notice = 'The new secret was shown once. Create another if you have not copied it.';
  await visit.commit(writes, { goTo: WEBHOOKS, notice }, entry);
  return showSecret(endpoint);
}

function showSecret(endpoint: WebhookEndpoint): Shown {
  return secretOnce({ title: 'The webhook’s secret', secret: currentSecret(endpoint), noun: 'secret', next: back });
}

export async function removeWebhook(visit: MerchantVisit<'kind'>, outside: Outside): Promise<Going> {
  const { writes, entry } = await prepareRemoval(outside, holderOf(visit));
  return visit.commit(writes, { goTo: WEBHOOKS, notice: 'The webhook was removed.' }, entry);
}

export async function sendTestEvent(visit: MerchantVisit<'kind'>, outside: Outside): Promise<Going> {
  const { event, writes } = await testEvent(outside, holderOf(visit));
  const notice = 'The test event is being sent. This page will show your server’s response.';
  return visit.commit(writes, { goTo: eventAddress(event.event_id), notice });
}

function holderOf({ merchant, path }: MerchantVisit<'kind', unknown>): KeyHolder {
  return { merchant_id: merchant.merchant_id, key_kind: kindOf(path.kind) };
}
