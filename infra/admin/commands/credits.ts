import { type Command, Option } from 'commander';
import { showCredits, topUp } from '../../../shared/texts/credits/top-up.ts';
import { run, runNoted, verb } from '../command.ts';
import { MERCHANT, positiveInteger } from '../options.ts';

export function addCreditsCommands(program: Command): void {
  const credits = program.command('credits').description('prepaid SMS credits');

  verb(credits, 'add', 'add credits to a merchant', [
    MERCHANT,
    new Option('--amount <credits>', 'one credit is one text to one number')
      .argParser(positiveInteger)
      .makeOptionMandatory(),
  ]).action(
    runNoted(
      'credits add',
      ({ amount }) => ({ after: { credits: amount } }),
      async (outside, options: { merchant: string; amount: number }) => ({
        balance: await topUp(outside, options.merchant, options.amount),
      }),
    ),
  );

  verb(credits, 'show', "show a merchant's balance, and below what it is low", [MERCHANT]).action(
    run(async (outside, options: { merchant: string }) => {
      const { balance, low_below } = await showCredits(outside, options.merchant);
      return { balance, low_below };
    }),
  );
}
