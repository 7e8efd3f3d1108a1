import { KEY_CACHE_SECONDS } from '../../../shared/merchants/merchant/api-key.table.ts';
import {
  DEFAULT_REQUESTS_PER_SECOND,
  DEFAULT_TEST_REQUESTS_PER_SECOND,
  scopesOfKind,
} from '../../../shared/merchants/merchant/api-key.ts';
import {
  overlapNames,
  prepareApiKey,
  prepareRate,
  prepareRevocation,
  prepareRoll,
  showApiKeys,
} from '../../../shared/merchants/merchant/manage-keys.ts';
import { BURST_SECONDS } from '../../../shared/runtime/http/middleware/limit-rate.ts';
import { keyKinds } from '../../../shared/runtime/triggers/row.ts';
import { changeVerb, noun, oneOf, optional, required, verb } from '../command.ts';
import { keyScope, MERCHANT, positiveInteger } from '../options.ts';

const HINT = required('<last4>', 'the last four characters of the key', String);
const RATE = `how many requests the key may make per second; up to ${BURST_SECONDS} seconds' worth may arrive at once`;

const SCOPE = `the key’s permissions, separated by commas (live: ${scopesOfKind.live.join(', ')}; sms: ${scopesOfKind.sms.join(', ')}); without this option, the key may do everything`;

export const keys = noun('key', 'API keys', {
  create: changeVerb(
    'create a key, which is shown only once',
    {
      merchant: MERCHANT,
      kind: { ...oneOf('<kind>', 'live for charges, sms for texts', keyKinds), isRequired: true },
      test: {
        description: 'a test key (sk_test_…, sk_sms_test_…): it moves no money, uses no phone and costs no credits',
      },
      rate: optional(
        '<requests>',
        `${RATE} (for a new key: ${DEFAULT_REQUESTS_PER_SECOND}, for a test key ${DEFAULT_TEST_REQUESTS_PER_SECOND})`,
        positiveInteger,
      ),
      scope: optional('<permissions>', SCOPE, keyScope),
    },
    (outside, { merchant, kind, test, rate: requestsPerSecond, scope }) =>
      prepareApiKey(outside, merchant, kind, { requestsPerSecond, mode: test ? 'test' : 'real', scope }),
    ({ key }) => ({ key }),
  ),
  roll: changeVerb(
    'replace a key; the old key keeps working for a while',
    {
      merchant: MERCHANT,
      hint: HINT,
      overlap: { ...oneOf('<time>', 'how long both keys work', overlapNames), standard: '24h' },
    },
    (outside, { merchant, hint, overlap }) => prepareRoll(outside, merchant, hint, { overlap }),
    ({ key, old }) => ({ key, old }),
  ),
  list: verb(
    "show a merchant's keys by their last four characters",
    { merchant: MERCHANT },
    async ({ outside }, { merchant }) => ({ keys: await showApiKeys(outside, merchant) }),
  ),
  set: changeVerb(
    `change the rate limit of a key; it applies everywhere within ${KEY_CACHE_SECONDS} seconds`,
    { merchant: MERCHANT, hint: HINT, rate: required('<requests>', RATE, positiveInteger) },
    (outside, { merchant, hint, rate }) => prepareRate(outside, merchant, hint, rate),
    ({ changed }) => ({ changed }),
  ),
  revoke: changeVerb(
    `revoke a key; it is rejected everywhere within ${KEY_CACHE_SECONDS} seconds, and its waiting texts are not sent`,
    { merchant: MERCHANT, hint: HINT },
    (outside, { merchant, hint }) => prepareRevocation(outside, merchant, hint),
    ({ revoked }) => ({ revoked }),
  ),
});
