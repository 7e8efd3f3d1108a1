import type { KeyHolder } from '../../../shared/merchants/merchant/key-holder.ts';
import { requireMerchant } from '../../../shared/merchants/merchant/manage-merchant.ts';
import { testAccountIdOf } from '../../../shared/merchants/merchant/test-account.ts';
import { keyKinds } from '../../../shared/runtime/triggers/row.ts';
import { changeSecret, changeUrl, prepareRemoval, requireWebhook } from '../../../shared/webhook/change-webhook.ts';
import { currentSecret } from '../../../shared/webhook/endpoint.ts';
import { changeVerb, type Given, noun, oneOf, optional, required, verb } from '../command.ts';
import { listenToEvents } from '../listen-to-events.ts';
import { address, eventTypes, MERCHANT } from '../options.ts';

const OWNER = {
  merchant: MERCHANT,
  kind: {
    ...oneOf('<kind>', 'live for all events, sms for those of texts and credits only', keyKinds),
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
  listen: verb(
    'also post new events to this computer, with their signatures, until Ctrl-C',
    {
      ...OWNER,
      test: { description: 'the events of test mode' },
      to: required('<url>', 'the address to post to: http://localhost:4000/hook', address),
    },
    async ({ outside }, { to, test = false, ...owner }) => {
      const holder = holderOf({ ...owner, merchant: test ? testAccountIdOf(owner.merchant) : owner.merchant });
      await listenToEvents(outside, holder, { to, say: (line) => console.log(line), fetch });
      return {};
    },
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
