import { type Command, Option } from 'commander';
import { removeWebhook, rollWebhook, setWebhook } from '../../../shared/webhook/manage-webhook.ts';
import { run, verb } from '../command.ts';
import { MERCHANT } from '../options.ts';

export function addWebhookCommands(program: Command): void {
  const webhook = program.command('webhook').description("the address for a merchant's events");

  verb(webhook, 'set', "set the address for a merchant's events", [
    MERCHANT,
    new Option('--url <url>', 'an https:// address').makeOptionMandatory(),
  ]).action(
    run(async (outside, options: { merchant: string; url: string }) => {
      const { url, secret } = await setWebhook(outside, options.merchant, options.url);
      return { url, secret };
    }),
  );

  verb(webhook, 'remove', 'remove the address and its secret', [MERCHANT]).action(
    run(async (outside, options: { merchant: string }) => ({
      removed: await removeWebhook(outside, options.merchant),
    })),
  );

  verb(webhook, 'roll', 'create a new secret; the old one stays valid for 24 hours', [MERCHANT]).action(
    run(async (outside, options: { merchant: string }) => ({ secret: await rollWebhook(outside, options.merchant) })),
  );
}
