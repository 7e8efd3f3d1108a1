import { type Command, Option } from 'commander';
import type { KeyHolder } from '../../../shared/merchants/merchant/key-holder.ts';
import { type KeyKind, keyKinds } from '../../../shared/runtime/triggers/row.ts';
import { removeWebhook, rollWebhook, setWebhook } from '../../../shared/webhook/change-webhook.ts';
import { runNoted, verb } from '../command.ts';
import { MERCHANT } from '../options.ts';

const KIND = new Option('--kind <kind>', 'live for all events, sms for those of texts and credits alone')
  .choices([...keyKinds])
  .default('live' satisfies KeyKind);

export function addWebhookCommands(program: Command): void {
  const webhook = program.command('webhook').description("the address for a merchant's events");

  verb(webhook, 'set', "set the address for a merchant's events", [
    MERCHANT,
    KIND,
    new Option('--url <url>', 'an https:// address').makeOptionMandatory(),
  ]).action(
    runNoted(
      'webhook set',
      ({ kind, url }) => ({ about: kind, after: { host: URL.parse(url)?.host } }),
      async (outside, options: Owner & { url: string }) => {
        const { url, secret } = await setWebhook(outside, holderOf(options), options.url);
        return { url, secret };
      },
    ),
  );

  verb(webhook, 'remove', 'remove the address and its secret', [MERCHANT, KIND]).action(
    runNoted(
      'webhook remove',
      ({ kind }) => ({ about: kind }),
      async (outside, options: Owner) => ({ removed: await removeWebhook(outside, holderOf(options)) }),
    ),
  );

  verb(webhook, 'roll', 'create a new secret; the old one stays valid for 24 hours', [MERCHANT, KIND]).action(
    runNoted(
      'webhook roll',
      ({ kind }) => ({ about: kind }),
      async (outside, options: Owner) => ({ secret: await rollWebhook(outside, holderOf(options)) }),
    ),
  );
}

interface Owner {
  merchant: string;
  kind: KeyKind;
}

function holderOf({ merchant, kind }: Owner): KeyHolder {
  return { merchant_id: merchant, key_kind: kind };
}
