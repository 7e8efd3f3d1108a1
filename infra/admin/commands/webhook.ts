import type { KeyHolder } from '../../../shared/merchants/merchant/key-holder.ts';
import { requireMerchant } from '../../../shared/merchants/merchant/manage-merchant.ts';
import { keyKinds } from '../../../shared/runtime/triggers/row.ts';
import { changeSecret, changeUrl, prepareRemoval, requireWebhook } from '../../../shared/webhook/change-webhook.ts';
import { currentSecret } from '../../../shared/webhook/endpoint.ts';
import { changeVerb, type Given, noun, oneOf, optional, required } from '../command.ts';
import { eventTypes, MERCHANT } from '../options.ts';

const OWNER = {
  merchant: MERCHANT,
  kind: {
    ...oneOf('<kind>', 'live for all events, sms only for those about texts and credits', keyKinds),
    standard: 'live',
  },
} as const;

export const webhooks = noun('webhook', "the address for a merchant's events", {
  set: changeVerb(
    "set the address for a merchant's events",
    {
      ...OWNER,
      url: required('<url>', 'an https:// address', String),
      events: optional('<types>', 'the types of events to post, separated by commas; all by default', eventTypes),
    },
    async (outside, { url, events, ...owner }) => {
      await requireMerchant(outside, owner.merchant);
      return changeUrl(outside, holderOf(owner), { url, events });
    },
    ({ endpoint }) => ({ url: endpoint.url, secret: currentSecret(endpoint) }),
  ),
  remove: changeVerb(
    'remove the address and its secret',
    OWNER,
    async (outside, owner) => prepareRemoval(outside, await requireWebhook(outside, holderOf(owner))),
    ({ url }) => ({ removed: url }),
  ),
  roll: changeVerb(
    'create a new secret; the old one stays valid for 24 hours',
    OWNER,
    async (outside, owner) => changeSecret(outside, await requireWebhook(outside, holderOf(owner))),
    ({ endpoint }) => ({ secret: currentSecret(endpoint) }),
  ),
});

function holderOf({ merchant, kind }: Given<typeof OWNER>): KeyHolder {
  return { merchant_id: merchant, key_kind: kind };
}
