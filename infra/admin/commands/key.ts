import { type Command, Option } from 'commander';
import { KEY_CACHE_SECONDS } from '../../../shared/merchants/merchant/api-key.table.ts';
import {
  DEFAULT_REQUESTS_PER_SECOND,
  DEFAULT_TEST_REQUESTS_PER_SECOND,
  scopesOfKind,
} from '../../../shared/merchants/merchant/api-key.ts';
import {
  addApiKey,
  changeKeyRate,
  type Overlap,
  overlapNames,
  removeApiKey,
  rollApiKey,
  showApiKeys,
} from '../../../shared/merchants/merchant/manage-keys.ts';
import { BURST_SECONDS } from '../../../shared/runtime/http/middleware/limit-rate.ts';
import { type KeyKind, type KeyPermission, keyKinds } from '../../../shared/runtime/triggers/row.ts';
import { run, runNoted, verb } from '../command.ts';
import { keyScope, MERCHANT, positiveInteger } from '../options.ts';

const HINT = new Option('--hint <last4>', 'its last four characters').makeOptionMandatory();
const RATE = `how many requests it may make per second, and ${BURST_SECONDS} seconds' worth of them at once`;

const SCOPE = `all that it may do, separated by commas (live: ${scopesOfKind.live.join(', ')}; sms: ${scopesOfKind.sms.join(', ')}); without it, everything`;

interface NewKeyOptions {
  readonly merchant: string;
  readonly kind: KeyKind;
  readonly test?: true;
  readonly rate?: number;
  readonly scope?: readonly KeyPermission[];
}

export function addKeyCommands(program: Command): void {
  const key = program.command('key').description('API keys');

  verb(key, 'create', 'create a key, which is shown only once', [
    MERCHANT,
    new Option('--kind <kind>', 'live for charges, sms for texts').choices([...keyKinds]).makeOptionMandatory(),
    new Option('--test', 'a test key (sk_test_…, sk_sms_test_…): no money, no phone, no credit'),
    new Option(
      '--rate <requests>',
      `${RATE} (for a new key: ${DEFAULT_REQUESTS_PER_SECOND}, for a test key ${DEFAULT_TEST_REQUESTS_PER_SECOND})`,
    ).argParser(positiveInteger),
    new Option('--scope <permissions>', SCOPE).argParser(keyScope),
  ]).action(
    runNoted(
      'key create',
      ({ kind, test = false, rate, scope }) => ({ after: { kind, test, rate, scope: scope?.join(', ') } }),
      async (outside, options: NewKeyOptions) => ({
        key: await addApiKey(outside, options.merchant, options.kind, {
          requestsPerSecond: options.rate,
          mode: options.test ? 'test' : 'real',
          scope: options.scope,
        }),
      }),
    ),
  );

  verb(key, 'roll', 'create a key in place of another, which goes on working for a time', [
    MERCHANT,
    HINT,
    new Option('--overlap <time>', 'for how long both work').choices([...overlapNames]).default('24h'),
  ]).action(
    runNoted(
      'key roll',
      ({ hint, overlap }) => ({ about: hint, after: { overlap } }),
      (outside, options: { merchant: string; hint: string; overlap: Overlap }) =>
        rollApiKey(outside, options.merchant, options.hint, options.overlap),
    ),
  );

  verb(key, 'list', "show a merchant's keys by their last four characters", [MERCHANT]).action(
    run(async (outside, options: { merchant: string }) => ({ keys: await showApiKeys(outside, options.merchant) })),
  );

  verb(key, 'set', `change the rate limit of a key; it applies everywhere within ${KEY_CACHE_SECONDS} seconds`, [
    MERCHANT,
    HINT,
    new Option('--rate <requests>', RATE).argParser(positiveInteger).makeOptionMandatory(),
  ]).action(
    runNoted(
      'key set',
      ({ hint, rate }) => ({ about: hint, after: { rate } }),
      async (outside, options: { merchant: string; hint: string; rate: number }) => ({
        changed: await changeKeyRate(outside, options.merchant, options.hint, options.rate),
      }),
    ),
  );

  verb(key, 'revoke', `revoke a key; it is refused everywhere within ${KEY_CACHE_SECONDS} seconds`, [
    MERCHANT,
    HINT,
  ]).action(
    runNoted(
      'key revoke',
      ({ hint }) => ({ about: hint }),
      async (outside, options: { merchant: string; hint: string }) => ({
        revoked: await removeApiKey(outside, options.merchant, options.hint),
      }),
    ),
  );
}
