import { type Command, Option } from 'commander';
import { listMerchants } from '../../../shared/merchant/merchant.table.ts';
import type { MomoAccount } from '../../../shared/merchant/momo-account.ts';
import { inForce, run, verb } from '../command.ts';
import { type AdminOutside, accountWarnings, addMerchant, changeMerchant } from '../operations.ts';
import { OperatorError } from '../operator-error.ts';
import { MERCHANT, momoAccount, phoneNumber, someText } from '../options.ts';

const MOMO = new Option(
  '--momo <number:network:account name>',
  'where it is paid; repeat it for more, the first is shown',
).argParser(momoAccount);

export function addMerchantCommands(program: Command): void {
  const merchant = program.command('merchant').description('who is paid and who sends texts');

  verb(merchant, 'create', 'add a merchant', [
    new Option('--name <name>', 'as customers see it').argParser(someText).makeOptionMandatory(),
    MOMO,
  ]).action(
    run(async (outside, { name, momo = [], json }: { name: string; momo?: MomoAccount[]; json?: boolean }) => {
      const { merchant_id } = await addMerchant(outside, { name, momo_accounts: momo });
      if (!json) await warnOfAccounts(outside, merchant_id, momo);
      return { merchant_id };
    }),
  );

  verb(merchant, 'list', 'show all merchants').action(
    run(async (outside) => ({ merchants: await listMerchants(outside) })),
  );

  verb(merchant, 'set', 'change a merchant', [
    MERCHANT,
    new Option('--default-from <number>', 'the sender of texts whose caller names none').argParser(phoneNumber),
    MOMO,
  ]).action(
    run(async (outside, options: { merchant: string; defaultFrom?: string; momo?: MomoAccount[]; json?: boolean }) => {
      if (!options.defaultFrom && !options.momo)
        throw new OperatorError('Nothing to change: give --default-from or --momo.');
      const changes = { default_from: options.defaultFrom, momo_accounts: options.momo };
      const changed = await changeMerchant(outside, options.merchant, changes);
      if (!options.json) await warnOfAccounts(outside, options.merchant, options.momo ?? []);
      return inForce(changed);
    }),
  );
}

/** Says on stderr what the operator of these accounts should know. */
async function warnOfAccounts(outside: AdminOutside, merchantId: string, accounts: readonly MomoAccount[]) {
  for (const warning of await accountWarnings(outside, merchantId, accounts)) console.error(`Note: ${warning}`);
}
