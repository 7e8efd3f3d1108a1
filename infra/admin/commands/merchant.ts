import { type Command, Option } from 'commander';
import { ghsOf } from '../../../shared/ghana/money.ts';
import { unreadNote } from '../../../shared/ghana/network.ts';
import { WHATSAPP_EXAMPLE } from '../../../shared/ghana/phone-number.ts';
import {
  addMerchant,
  type BalanceLimitChange,
  changeMerchant,
  othersPaidOn,
} from '../../../shared/merchants/merchant/manage-merchant.ts';
import { listMerchants } from '../../../shared/merchants/merchant/merchant.table.ts';
import {
  DEFAULT_CONFIRM_UNPROVEN_UP_TO_PESEWAS,
  DEFAULT_MATCH_BY_NAME_UP_TO_PESEWAS,
  type MomoAccount,
} from '../../../shared/merchants/merchant/merchant.ts';
import { suspendMerchant } from '../../../shared/merchants/merchant/suspend-merchant.ts';
import { OperatorError } from '../../../shared/runtime/stage/operator-error.ts';
import type { AdminOutside } from '../../../shared/runtime/stage/place.ts';
import { DEFAULT_LOW_BELOW, setLowBelow } from '../../../shared/texts/credits/credits.table.ts';
import { inForce, run, runNoted, verb } from '../command.ts';
import {
  amountInPesewas,
  amountOrOff,
  balanceLimit,
  contact,
  MERCHANT,
  momoAccount,
  phoneNumber,
  someText,
  wholeNumber,
} from '../options.ts';

const MOMO = new Option(
  '--momo <number:network:account name>',
  'where it is paid; repeatable, customers see the first one by default',
).argParser(momoAccount);
const CONTACT = new Option(
  '--contact <number, e-mail or WhatsApp link>',
  `whom customers ask, on the page of each new charge: 0241234567, shop@example.com, ${WHATSAPP_EXAMPLE}; none removes it`,
).argParser(contact);

/** What `merchant set` may change. */
const CHANGES = [
  new Option('--default-from <number>', 'the sender of texts if the caller names none').argParser(phoneNumber),
  MOMO,
  CONTACT,
  new Option(
    '--match-by-name-up-to <cedis>',
    `the largest amount that a payer's name confirms; 0 means never (for a new merchant: ${ghsOf(DEFAULT_MATCH_BY_NAME_UP_TO_PESEWAS)})`,
  ).argParser(amountInPesewas),
  new Option(
    '--confirm-unproven-up-to <cedis>',
    `the largest sum that payments confirm which their wallet's balance does not prove; 0 means never (for a new merchant: ${ghsOf(DEFAULT_CONFIRM_UNPROVEN_UP_TO_PESEWAS)})`,
  ).argParser(amountInPesewas),
  new Option(
    '--confirm-always-above <cedis>',
    'the amount above which a person confirms each payment; off means that nobody has to',
  ).argParser(amountOrOff),
  new Option(
    '--balance-limit <[number:]cedis>',
    'how much its wallets may hold, or one of them: 5000, 40000, 75000, or unknown',
  ).argParser(balanceLimit),
  new Option(
    '--credits-low-below <credits>',
    `below which balance it is told that its SMS credits are low; 0 means never (for a new merchant: ${DEFAULT_LOW_BELOW})`,
  ).argParser(wholeNumber),
];

export function addMerchantCommands(program: Command): void {
  const merchant = program.command('merchant').description('who is paid and who sends texts');

  addCreateCommand(merchant);
  addSuspendCommands(merchant);

  verb(merchant, 'list', 'show all merchants').action(
    run(async (outside) => ({ merchants: await listMerchants(outside) })),
  );

  verb(merchant, 'set', 'change a merchant', [MERCHANT, ...CHANGES]).action(
    runNoted('merchant set', changedFields, async (outside, options: MerchantChanges) => {
      const { defaultFrom, momo, contact, matchByNameUpTo, balanceLimit, creditsLowBelow } = options;
      const { confirmUnprovenUpTo, confirmAlwaysAbove } = options;
      const amounts = [matchByNameUpTo, confirmUnprovenUpTo, confirmAlwaysAbove, balanceLimit, creditsLowBelow];
      const given = [defaultFrom, momo, contact, ...amounts];
      if (given.every((change) => change === undefined))
        throw new OperatorError(
          'Nothing to change: add --default-from, --momo, --contact, --match-by-name-up-to, --confirm-unproven-up-to, --confirm-always-above, --balance-limit or --credits-low-below.',
        );
      const changes = {
        default_from: defaultFrom,
        momo_accounts: momo,
        match_by_name_up_to_pesewas: matchByNameUpTo,
        confirm_unproven_up_to_pesewas: confirmUnprovenUpTo,
        confirm_always_above_pesewas: confirmAlwaysAbove,
        contact,
        balance_limit: balanceLimit,
      };
      const changed = await changeMerchant(outside, options.merchant, changes);
      if (creditsLowBelow !== undefined) await setLowBelow(outside, options.merchant, creditsLowBelow);
      if (!options.json) await warnOfAccounts(outside, options.merchant, momo ?? []);
      const lowBelow = creditsLowBelow === undefined ? {} : { credits_low_below: creditsLowBelow };
      return inForce(outside, { ...changed, ...lowBelow });
    }),
  );
}

function addSuspendCommands(merchant: Command): void {
  for (const { name, isSuspended, description } of [
    {
      name: 'suspend',
      isSuspended: true,
      description: 'refuse its keys and payments to its charges; texts that wait still leave',
    },
    { name: 'take-back', isSuspended: false, description: 'end the suspension of a merchant' },
  ]) {
    verb(merchant, name, description, [MERCHANT]).action(
      runNoted(
        `merchant ${name}`,
        () => ({}),
        async (outside, { merchant: merchant_id }: { merchant: string }) => {
          await suspendMerchant(outside, merchant_id, isSuspended);
          return inForce(outside, { merchant_id, suspended: isSuspended });
        },
      ),
    );
  }
}

function addCreateCommand(merchant: Command): void {
  verb(merchant, 'create', 'add a merchant', [
    new Option('--name <name>', 'as customers see it').argParser(someText).makeOptionMandatory(),
    MOMO,
    CONTACT,
  ]).action(
    runNoted(
      'merchant create',
      ({ name }) => ({ after: { name } }),
      async (outside, options: NewMerchant) => {
        const { name, momo = [], contact, json } = options;
        const { merchant_id } = await addMerchant(outside, {
          name,
          momo_accounts: momo,
          contact: contact || undefined,
        });
        if (!json) await warnOfAccounts(outside, merchant_id, momo);
        return { merchant_id };
      },
    ),
  );
}

interface NewMerchant {
  merchant?: never;
  name: string;
  momo?: MomoAccount[];
  contact?: string;
  json?: boolean;
}

interface MerchantChanges {
  merchant: string;
  defaultFrom?: string;
  momo?: MomoAccount[];
  contact?: string;
  matchByNameUpTo?: number;
  confirmUnprovenUpTo?: number;
  confirmAlwaysAbove?: number | 'off';
  balanceLimit?: BalanceLimitChange;
  creditsLowBelow?: number;
  json?: boolean;
}

/** For the audit, which says of numbers and contacts only that they were changed. */
function changedFields({
  defaultFrom,
  momo,
  contact,
  matchByNameUpTo,
  balanceLimit,
  creditsLowBelow,
}: MerchantChanges) {
  return {
    after: {
      default_from: defaultFrom && 'changed',
      momo_accounts: momo && `${momo.length} given`,
      contact: contact === undefined ? undefined : contact === '' ? 'removed' : 'changed',
      match_by_name_up_to: matchByNameUpTo === undefined ? undefined : ghsOf(matchByNameUpTo),
      balance_limit: balanceLimit && (balanceLimit.limit_pesewas ? ghsOf(balanceLimit.limit_pesewas) : 'unknown'),
      credits_low_below: creditsLowBelow,
    },
  };
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
    const note = unreadNote(network);
    if (note) console.error(`Note on ${number}: ${note}`);
  }
}
