import { type Command, Option } from 'commander';
import { ghsOf } from '../../../shared/ghana/money.ts';
import { addMerchant, changeMerchant, othersPaidOn } from '../../../shared/merchant/manage-merchant.ts';
import { listMerchants } from '../../../shared/merchant/merchant.table.ts';
import { DEFAULT_MATCH_BY_NAME_UP_TO_PESEWAS } from '../../../shared/merchant/merchant.ts';
import type { MomoAccount } from '../../../shared/merchant/momo-account.ts';
import { inForce, run, verb } from '../command.ts';
import { OperatorError } from '../operator-error.ts';
import { amountInPesewas, MERCHANT, momoAccount, phoneNumber, someText } from '../options.ts';
import type { AdminOutside } from '../place.ts';

const MOMO = new Option(
  '--momo <number:network:account name>',
  'where it is paid; repeatable, the first one is shown to customers',
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
    new Option('--default-from <number>', 'the sender of texts if the caller names none').argParser(phoneNumber),
    MOMO,
    new Option(
      '--match-by-name-up-to <cedis>',
      `the largest amount that a payer's name confirms; 0 means never (for a new merchant: ${ghsOf(DEFAULT_MATCH_BY_NAME_UP_TO_PESEWAS)})`,
    ).argParser(amountInPesewas),
  ]).action(
    run(async (outside, options: MerchantChanges) => {
      if (!options.defaultFrom && !options.momo && options.matchByNameUpTo === undefined)
        throw new OperatorError('Nothing to change: add --default-from, --momo or --match-by-name-up-to.');
      const changes = {
        default_from: options.defaultFrom,
        momo_accounts: options.momo,
        match_by_name_up_to_pesewas: options.matchByNameUpTo,
      };
      const changed = await changeMerchant(outside, options.merchant, changes);
      if (!options.json) await warnOfAccounts(outside, options.merchant, options.momo ?? []);
      return inForce(changed);
    }),
  );
}

interface MerchantChanges {
  merchant: string;
  defaultFrom?: string;
  momo?: MomoAccount[];
  matchByNameUpTo?: number;
  json?: boolean;
}

/** Warns on stderr about settings that are allowed but surprising. */
async function warnOfAccounts(outside: AdminOutside, merchantId: string, accounts: readonly MomoAccount[]) {
  for (const { number, network } of accounts) {
    const others = await othersPaidOn(outside, merchantId, number);
    if (others.length > 0) {
      console.error(
        `Note: ${number} also belongs to ${others.join(', ')}. A payment that names no charge is shown to none of them: see receipt list.`,
      );
    }
    if (network === 'AT') {
      console.error(
        `Note: AT's receipts cannot be read yet: payments to ${number} arrive as unread, for you to check.`,
      );
    }
  }
}
