import { KEY_CACHE_SECONDS } from '../../../shared/merchants/merchant/api-key.table.ts';
import {
  DEFAULT_REQUESTS_PER_SECOND,
  DEFAULT_TEST_REQUESTS_PER_SECOND,
  scopesOfKind,
} from '../../../shared/merchants/merchant/api-key.ts';
import {
  addApiKey,
  changeKeyRate,
  overlapNames,
  removeApiKey,
  rollApiKey,
  showApiKeys,
} from '../../../shared/merchants/merchant/manage-keys.ts';
import { BURST_SECONDS } from '../../../shared/runtime/http/middleware/limit-rate.ts';
import { keyKinds } from '../../../shared/runtime/triggers/row.ts';
import { notedVerb, noun, oneOf, optional, required, verb } from '../command.ts';
import { keyScope, MERCHANT, positiveInteger } from '../options.ts';

const HINT = required('<last4>', 'its last four characters', String);
const RATE = `how many requests it may make per second, and ${BURST_SECONDS} seconds' worth of them at once`;

const SCOPE = `all that it may do, separated by commas (live: ${scopesOfKind.live.join(', ')}; sms: ${scopesOfKind.sms.join(', ')}); without it, everything`;

export const keys = noun('key', 'API keys', {
  create: notedVerb(
    'create a key, which is shown only once',
    {
      merchant: MERCHANT,
      kind: { ...oneOf('<kind>', 'live for charges, sms for texts', keyKinds), isRequired: true },
      test: { description: 'a test key (sk_test_…, sk_sms_test_…): no money, no phone, no credit' },
      rate: optional(
        '<requests>',
        `${RATE} (for a new key: ${DEFAULT_REQUESTS_PER_SECOND}, for a test key ${DEFAULT_TEST_REQUESTS_PER_SECOND})`,
        positiveInteger,
      ),
      scope: optional('<permissions>', SCOPE, keyScope),
    },
    ({ kind, test = false, rate, scope }) => ({ after: { kind, test, rate, scope: scope?.join(', ') } }),
    async ({ outside }, { merchant, kind, test, rate: requestsPerSecond, scope }) => {
      const mode = test ? 'test' : 'real';
      return { key: await addApiKey(outside, merchant, kind, { requestsPerSecond, mode, scope }) };
    },
  ),
  roll: notedVerb(
    'create a key in place of another, which keeps working for a time',
    {
      merchant: MERCHANT,
      hint: HINT,
      overlap: { ...oneOf('<time>', 'for how long both work', overlapNames), standard: '24h' },
    },
    ({ hint, overlap }) => ({ about: hint, after: { overlap } }),
    ({ outside }, { merchant, hint, overlap }) => rollApiKey(outside, merchant, hint, overlap),
  ),
  list: verb(
    "show a merchant's keys by their last four characters",
    { merchant: MERCHANT },
    async ({ outside }, { merchant }) => ({ keys: await showApiKeys(outside, merchant) }),
  ),
  set: notedVerb(
    `change the rate limit of a key; it applies everywhere within ${KEY_CACHE_SECONDS} seconds`,
    { merchant: MERCHANT, hint: HINT, rate: required('<requests>', RATE, positiveInteger) },
    ({ hint, rate }) => ({ about: hint, after: { rate } }),
    async ({ outside }, { merchant, hint, rate }) => ({
      changed: await changeKeyRate(outside, merchant, hint, rate),
    }),
  ),
  revoke: notedVerb(
    `revoke a key; it is refused everywhere within ${KEY_CACHE_SECONDS} seconds`,
    { merchant: MERCHANT, hint: HINT },
    ({ hint }) => ({ about: hint }),
    async ({ outside }, { merchant, hint }) => ({ revoked: await removeApiKey(outside, merchant, hint) }),
  ),
});
