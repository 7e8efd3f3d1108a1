import { type Command, Option } from 'commander';
import { removeWebhook, rollWebhook, setWebhook } from '../../../shared/webhook/manage-webhook.ts';
import { run, verb } from '../command.ts';
import { MERCHANT } from '../options.ts';

export function addWebhookCommands(program: Command): void {
  const webhook = program.command('webhook').description("where a merchant's events go");

  verb(webhook, 'set', "set where a merchant's events go", [
    MERCHANT,
    new Option('--url <url>', 'an https:// address').makeOptionMandatory(),
  ]).action(
    run(async (outside, options: { merchant: string; url: string }) => {
      const { url, secret } = await setWebhook(outside, options.merchant, options.url);
      return { url, secret };
    }),
  );

  verb(webhook, 'remove', 'end it', [MERCHANT]).action(
    run(async (outside, options: { merchant: string }) => ({
      removed: await removeWebhook(outside, options.merchant),
    })),
  );

  verb(webhook, 'roll', 'give it a new secret; the old one stays valid for 24 hours', [MERCHANT]).action(
    run(async (outside, options: { merchant: string }) => ({ secret: await rollWebhook(outside, options.merchant) })),
  );
}
