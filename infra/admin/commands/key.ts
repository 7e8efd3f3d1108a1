import { type Command, Option } from 'commander';
import { KEY_CACHE_SECONDS } from '../../../shared/merchant/api-key.table.ts';
import { addApiKey, removeApiKey, showApiKeys } from '../../../shared/merchant/manage-keys.ts';
import type { KeyKind } from '../../../shared/runtime/triggers/row.ts';
import { run, verb } from '../command.ts';
import { MERCHANT } from '../options.ts';

export function addKeyCommands(program: Command): void {
  const key = program.command('key').description('API keys');

  verb(key, 'create', 'create a key, which is shown only once', [
    MERCHANT,
    new Option('--kind <kind>', 'live for charges, sms for texts').choices(['live', 'sms']).makeOptionMandatory(),
  ]).action(
    run(async (outside, options: { merchant: string; kind: KeyKind }) => ({
      key: await addApiKey(outside, options.merchant, options.kind),
    })),
  );

  verb(key, 'list', "show a merchant's keys by their last four characters", [MERCHANT]).action(
    run(async (outside, options: { merchant: string }) => ({ keys: await showApiKeys(outside, options.merchant) })),
  );

  verb(key, 'revoke', `revoke a key; it is refused everywhere within ${KEY_CACHE_SECONDS} seconds`, [
    MERCHANT,
    new Option('--hint <last4>', 'its last four characters').makeOptionMandatory(),
  ]).action(
    run(async (outside, options: { merchant: string; hint: string }) => ({
      revoked: await removeApiKey(outside, options.merchant, options.hint),
    })),
  );
}
