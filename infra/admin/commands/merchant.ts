import { unreadNote } from '../../../shared/ghana/network.ts';
import { audited, COMMAND_LINE, numberHint } from '../../../shared/merchants/audit/audit.table.ts';
import { MAX_LOGO_BYTES } from '../../../shared/merchants/logo/image.ts';
import { setLogo } from '../../../shared/merchants/logo/set-logo.ts';
import { addedMerchant, MerchantName, numbersNote } from '../../../shared/merchants/merchant/add-merchant.ts';
import { merchantAfter, othersPaidOn, requireMerchant } from '../../../shared/merchants/merchant/manage-merchant.ts';
import { listMerchantsAfter, replaceMerchant } from '../../../shared/merchants/merchant/merchant.table.ts';
import type { Merchant, MomoAccount } from '../../../shared/merchants/merchant/merchant.ts';
import { approve, listChanges, numbersForOperator } from '../../../shared/merchants/merchant/money-change.table.ts';
import { prepareSuspension } from '../../../shared/merchants/merchant/suspend-merchant.ts';
import {
  auditedDifference,
  type SettingName,
  settingNames,
  settings,
} from '../../../shared/operations/settings/settings.ts';
import type { AdminOutside, Deployment } from '../../../shared/runtime/stage/deployment.ts';
import { OperatorError } from '../../../shared/runtime/stage/operator-error.ts';
import { DEFAULT_LOW_BELOW, setLowBelow } from '../../../shared/texts/credits/credits.table.ts';
import { cancelWaiting } from '../../../shared/texts/sms/waiting-texts.ts';
import { changeVerb, dashed, type Given, inForce, noun, optional, required, type Verb, verb } from '../command.ts';
import {
  balanceLimit,
  logoIn,
  MERCHANT,
  momoAccount,
  phoneNumber,
  read,
  settingOption,
  wholeNumber,
} from '../options.ts';

const MOMO = optional(
  '<number:network:account name>',
  'a wallet that receives the merchant’s payments; may be repeated; customers see the first one by default',
  momoAccount,
);

const CHANGES = {
  momo: MOMO,
  logo: optional(
    '<file>',
    `the image at the top of the merchant’s checkout pages: a PNG, JPEG or WebP of at most ${MAX_LOGO_BYTES / 1024} KB; none removes it`,
    logoIn,
  ),
  balanceLimit: optional(
    '<[number:]cedis>',
    'the balance limit of all the merchant’s wallets, or of one: 5000, 40000, 75000, or unknown',
    balanceLimit,
  ),
  creditsLowBelow: optional(
    '<credits>',
    `the balance of SMS credits below which the merchant gets a warning; 0 means never (for a new merchant: ${DEFAULT_LOW_BELOW})`,
    wholeNumber,
  ),
};

const optionNameOf = (name: SettingName) => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
const CHANGEABLE = {
  ...CHANGES,
  ...Object.fromEntries(settingNames.map((name) => [optionNameOf(name), settingOption<unknown>(settings[name])])),
};

const MERCHANTS_A_PAGE = 100;

export const merchants = noun('merchant', 'the shops that receive payments and send texts', {
  create: changeVerb(
    'add a merchant; the first becomes the owner of all existing numbers',
    {
      name: required('<name>', 'the name that customers see', read(MerchantName)),
      momo: MOMO,
      contact: settingOption(settings.contact),
    },
    (outside, { name, momo = [], contact }) =>
      addedMerchant(outside, { name, momo_accounts: momo, contact: contact || undefined }),
    async (added, outside, { isJson }) => {
      const { merchant_id, momo_accounts } = added.merchant;
      const note = numbersNote(added);
      if (!isJson && note)
        console.error(
          `Note: ${note} Assign a number with: sender owner --number N --merchant ${merchant_id} (a new one: sender add)`,
        );
      if (!isJson) await warnOfAccounts(outside, merchant_id, momo_accounts);
      return { merchant_id, own_numbers: added.own, shared_numbers: added.shared };
    },
  ),
  suspend: suspension(
    true,
    'suspend a merchant: its keys are rejected, and its checkout pages do not ask for payment; texts that fall due during the suspension fail and are refunded',
  ),
  'take-back': suspension(false, 'end the suspension of a merchant'),
  'cancel-texts': verb(
    "cancel all of a merchant's texts that have not been passed to a phone yet, and refund their credits",
    { merchant: MERCHANT },
    async ({ outside }, { merchant }) => {
      const { merchant_id } = await requireMerchant(outside, merchant);
      const noted = audited(outside, () => ({ merchant_id, by: COMMAND_LINE, action: 'merchant cancel-texts' }));
      return { merchant_id, cancelled: await cancelWaiting(noted, merchant_id) };
    },
  ),
  list: verb(
    'show merchants, oldest first',
    { after: optional('<id>', 'the last merchant of the previous page', String) },
    async ({ outside }, { after }) => {
      const { merchants: page, next } = await listMerchantsAfter(outside, after, MERCHANTS_A_PAGE);
      const withNumbers = await Promise.all(page.map((merchant) => withWaitingNumber(outside, merchant)));
      return { merchants: withNumbers, ...(next && { more: `merchant list --after ${next}` }) };
    },
  ),
  'approve-number': changeVerb(
    'add a number that an owner requested and this service already knows; first make sure that the number is theirs',
    { merchant: MERCHANT, number: required('<number>', 'the number that `merchant list` shows', phoneNumber) },
    approveNumber,
    ({ approved }, outside) => inForce(outside, approved),
  ),
  set: verb('change a merchant', { merchant: MERCHANT, ...CHANGEABLE }, setMerchant),
});

async function withWaitingNumber(outside: AdminOutside, merchant: Merchant) {
  const asked = numbersForOperator(merchant, await listChanges(outside, merchant.merchant_id));
  if (asked.length === 0) return merchant;
  return { ...merchant, numbers_to_approve: asked.map(({ change: { number, network } }) => `${number}:${network}`) };
}

/**
 * Approves only a number that the merchant's owner requested. The owner may have suggested this command, so a number
 * that another shop uses must be added with `merchant set`.
 */
async function approveNumber(
  outside: AdminOutside,
  { merchant: merchantId, number }: { readonly merchant: string; readonly number: string },
) {
  const merchant = await requireMerchant(outside, merchantId);
  const asked = numbersForOperator(merchant, await listChanges(outside, merchantId));
  const waiting = asked.find(({ change }) => change.number === number);
  if (!waiting)
    throw new OperatorError(
      `Nobody at ${merchant.name} has requested ${number}. To see the numbers waiting for approval, run: merchant list`,
    );
  const others = await othersPaidOn(outside, merchantId, number);
  if (others.length > 0)
    throw new OperatorError(
      `${number} already belongs to ${others.join(', ')}, so nothing was done. If both shops should receive payments on that number, use merchant set --momo with all numbers of ${merchantId}.`,
    );
  const approved = approve(outside, merchant, waiting, COMMAND_LINE);
  if (!approved)
    throw new OperatorError(
      `The numbers of ${merchant.name} have changed since ${number} was requested, so nothing was done. Ask the owner to add it again.`,
    );
  const after = { momo_accounts: `${numberHint(number)} approved` };
  const entry = { merchant_id: merchantId, action: 'merchant approve-number', after };
  return { approved: approved.after, writes: approved.writes, entry };
}

function suspension(isSuspended: boolean, description: string): Verb {
  return changeVerb(
    description,
    { merchant: MERCHANT },
    (outside, { merchant }) => prepareSuspension(outside, merchant, isSuspended),
    ({ merchant_id, name, writes }, outside) => {
      if (writes.length > 0) return inForce(outside, { merchant_id, suspended: isSuspended });
      throw new OperatorError(`${name} is ${isSuspended ? 'already suspended' : 'not suspended'}.`);
    },
  );
}

async function setMerchant(
  deployment: Pick<Deployment, 'outside'>,
  given: Given<typeof CHANGES & { merchant: typeof MERCHANT }> & Readonly<Record<string, unknown>>,
  { isJson }: { readonly isJson: boolean },
) {
  const { merchant: merchant_id, momo, logo, creditsLowBelow, balanceLimit } = given;
  if (Object.keys(CHANGEABLE).every((name) => given[name] === undefined))
    throw new OperatorError(
      `There is nothing to change. Add one or more of ${Object.keys(CHANGEABLE).map(dashed).join(', ')}.`,
    );
  const set = Object.fromEntries(settingNames.map((name) => [settings[name].field, given[optionNameOf(name)]]));
  const before = await requireMerchant(deployment.outside, merchant_id);
  const after = await merchantAfter(deployment.outside, before, {
    ...set,
    momo_accounts: momo,
    balance_limit: balanceLimit,
  });
  const difference = auditedDifference(before, after);
  const noted: Readonly<Record<string, string | number>> = {
    ...(logo !== undefined && { logo: logo === null ? 'removed' : 'changed' }),
    ...(creditsLowBelow !== undefined && { credits_low_below: creditsLowBelow }),
  };
  const entry = { ...difference, after: { ...difference?.after, ...noted } };
  const outside = audited(deployment.outside, () => ({
    merchant_id,
    by: COMMAND_LINE,
    action: 'merchant set',
    ...entry,
  }));
  await outside.table.write(replaceMerchant(before, after));
  const withLogo = logo === undefined ? undefined : setLogo(outside, after, logo ?? undefined);
  if (withLogo) await outside.table.write(withLogo.writes);
  if (creditsLowBelow !== undefined) await setLowBelow(outside, merchant_id, creditsLowBelow);
  if (!isJson) await warnOfAccounts(outside, merchant_id, momo ?? []);
  return inForce(outside, { ...(withLogo?.after ?? after), credits_low_below: creditsLowBelow });
}

async function warnOfAccounts(outside: AdminOutside, merchantId: string, accounts: readonly MomoAccount[]) {
  for (const { number, network } of accounts) {
    const others = await othersPaidOn(outside, merchantId, number);
    if (others.length > 0) {
      console.error(
        `Note: ${number} also belongs to ${others.join(', ')}. Payments without a charge are not shown to any of these merchants. List them with: receipt list`,
      );
    }
    const note = unreadNote(network);
    if (note) console.error(`Note on ${number}: ${note}`);
  }
}
