import { ghsOf } from '../../../shared/ghana/money.ts';
import { unreadNote } from '../../../shared/ghana/network.ts';
import { WHATSAPP_EXAMPLE } from '../../../shared/ghana/phone-number.ts';
import { COMMAND_LINE, numberHint } from '../../../shared/merchants/audit/audit.table.ts';
import { MAX_LOGO_BYTES } from '../../../shared/merchants/logo/image.ts';
import { setLogo } from '../../../shared/merchants/logo/set-logo.ts';
import { addedMerchant, numbersNote } from '../../../shared/merchants/merchant/add-merchant.ts';
import { changeMerchant, othersPaidOn, requireMerchant } from '../../../shared/merchants/merchant/manage-merchant.ts';
import { listMerchantsAfter } from '../../../shared/merchants/merchant/merchant.table.ts';
import {
  DEFAULT_CONFIRM_UNPROVEN_UP_TO_PESEWAS,
  DEFAULT_MATCH_BY_NAME_UP_TO_PESEWAS,
  DEFAULT_NEW_WALLET_DAILY_LIMIT_PESEWAS,
  type Merchant,
  type MomoAccount,
} from '../../../shared/merchants/merchant/merchant.ts';
import { approve, listChanges, numbersForOperator } from '../../../shared/merchants/merchant/money-change.table.ts';
import { suspendMerchant } from '../../../shared/merchants/merchant/suspend-merchant.ts';
import { OperatorError } from '../../../shared/runtime/stage/operator-error.ts';
import type { AdminOutside, Place } from '../../../shared/runtime/stage/place.ts';
import { DEFAULT_LOW_BELOW, setLowBelow } from '../../../shared/texts/credits/credits.table.ts';
import { cancelWaiting } from '../../../shared/texts/sms/waiting-texts.ts';
import { type Given, inForce, notedVerb, noun, oneOf, optional, required, type Verb, verb } from '../command.ts';
import {
  amountInPesewas,
  amountOrOff,
  balanceLimit,
  contact,
  logoIn,
  MERCHANT,
  momoAccount,
  phoneNumber,
  quietHours,
  someText,
  stopWords,
  wholeNumber,
} from '../options.ts';

const MOMO = optional(
  '<number:network:account name>',
  'where it is paid; repeatable, customers see the first one by default',
  momoAccount,
);
const CONTACT = optional(
  '<number, e-mail or WhatsApp link>',
  `whom customers ask, on the page of each new charge: 0241234567, shop@example.com, ${WHATSAPP_EXAMPLE}; none removes it`,
  contact,
);

/** What `merchant set` may change. */
const CHANGES = {
  defaultFrom: optional('<number>', 'the sender of texts if the caller names none', phoneNumber),
  momo: MOMO,
  contact: CONTACT,
  logo: optional(
    '<file>',
    `the picture at the top of its checkout pages: a PNG, JPEG or WebP of at most ${MAX_LOGO_BYTES / 1024} KB; none removes it`,
    logoIn,
  ),
  payTextsPerDay: optional(
    '<count>',
    'how many customers a day may have what they are to pay texted, for a credit each; beyond them each address may ask for three, up to ten times as many; 0 means none (for a new merchant: 0)',
    wholeNumber,
  ),
  matchByNameUpTo: optional(
    '<cedis>',
    `the largest amount that a payer's name confirms; 0 means never (for a new merchant: ${ghsOf(DEFAULT_MATCH_BY_NAME_UP_TO_PESEWAS)})`,
    amountInPesewas,
  ),
  confirmUnprovenUpTo: optional(
    '<cedis>',
    `the largest sum that payments confirm which their wallet's balance does not prove; 0 means never (for a new merchant: ${ghsOf(DEFAULT_CONFIRM_UNPROVEN_UP_TO_PESEWAS)})`,
    amountInPesewas,
  ),
  newWalletDailyLimit: optional(
    '<cedis>',
    `for how much a day goods leave while a wallet's texts are too few to prove anything; 0 means never (for a new merchant: ${ghsOf(DEFAULT_NEW_WALLET_DAILY_LIMIT_PESEWAS)})`,
    amountInPesewas,
  ),
  confirmAlwaysAbove: optional(
    '<cedis>',
    'the amount above which a person confirms each payment; off means never',
    amountOrOff,
  ),
  textReceipts: oneOf('<state>', 'text a receipt to whoever paid a charge, for a credit of the merchant', [
    'on',
    'off',
  ]),
  quietHours: optional(
    '<from-to>',
    'the hours of Ghana in which its texts do not leave, such as 21:00-07:00, unless one says otherwise; codes, links and receipts do; none removes them',
    quietHours,
  ),
  answers: oneOf('<state>', 'keep what people answer to its texts, and show it to the merchant', ['on', 'off']),
  stopWords: optional('<words>', 'its own words for STOP, with commas; none removes them', stopWords),
  balanceLimit: optional(
    '<[number:]cedis>',
    'how much its wallets may hold, or one of them: 5000, 40000, 75000, or unknown',
    balanceLimit,
  ),
  creditsLowBelow: optional(
    '<credits>',
    `the balance below which it is notified that its SMS credits are low; 0 means never (for a new merchant: ${DEFAULT_LOW_BELOW})`,
    wholeNumber,
  ),
};

const MERCHANTS_A_PAGE = 100;

export const merchants = noun('merchant', 'who is paid and who sends texts', {
  create: notedVerb(
    'add a merchant; the first becomes the owner of the numbers that are there',
    { name: required('<name>', 'as customers see it', someText), momo: MOMO, contact: CONTACT },
    ({ name }) => ({ after: { name } }),
    async ({ outside }, { name, momo = [], contact }, { isJson }) => {
      const fields = { name, momo_accounts: momo, contact: contact || undefined };
      const { writes, ...added } = await addedMerchant(outside, fields);
      await outside.table.write(writes);
      const { merchant_id } = added.merchant;
      const note = numbersNote(added);
      if (!isJson && note)
        console.error(
          `Note: ${note} To give it one: sender owner --number N --merchant ${merchant_id} (a new one: sender add)`,
        );
      if (!isJson) await warnOfAccounts(outside, merchant_id, momo);
      return { merchant_id, own_numbers: added.own, shared_numbers: added.shared };
    },
  ),
  suspend: suspension(
    true,
    'refuse its keys and payments to its charges; texts that fall due meanwhile fail, refunded',
  ),
  'take-back': suspension(false, 'end the suspension of a merchant'),
  'cancel-texts': notedVerb(
    'cancel all its texts that no phone was given, and give their credits back',
    { merchant: MERCHANT },
    () => ({}),
    async ({ outside }, { merchant }) => {
      const { merchant_id } = await requireMerchant(outside, merchant);
      return { merchant_id, cancelled: await cancelWaiting(outside, merchant_id) };
    },
  ),
  list: verb(
    'show merchants, oldest first',
    { after: optional('<id>', 'the last merchant of the page before', String) },
    async ({ outside }, { after }) => {
      const { merchants: page, next } = await listMerchantsAfter(outside, after, MERCHANTS_A_PAGE);
      const withNumbers = await Promise.all(page.map((merchant) => withWaitingNumber(outside, merchant)));
      return { merchants: withNumbers, ...(next && { more: `merchant list --after ${next}` }) };
    },
  ),
  'approve-number': notedVerb(
    'add a number that an owner asks for and this service knows already: make sure first that it is theirs',
    { merchant: MERCHANT, number: required('<number>', 'as merchant list shows it', phoneNumber) },
    ({ number }) => ({ after: { momo_accounts: `${numberHint(number)} approved` } }),
    approveNumber,
  ),
  set: notedVerb('change a merchant', { merchant: MERCHANT, ...CHANGES }, changedFields, setMerchant),
});

/** A merchant, with the numbers that its owners ask the operator for. */
async function withWaitingNumber(outside: AdminOutside, merchant: Merchant) {
  const asked = numbersForOperator(merchant, await listChanges(outside, merchant.merchant_id));
  if (asked.length === 0) return merchant;
  return { ...merchant, numbers_to_approve: asked.map(({ change: { number, network } }) => `${number}:${network}`) };
}

/**
 * Adds exactly the number that is named, with the name that its owner gave. One that another shop is paid on needs `merchant set`: an owner
 * may have sent the command.
 */
async function approveNumber(
  { outside }: Pick<Place, 'outside'>,
  { merchant: merchantId, number }: { readonly merchant: string; readonly number: string },
) {
  const merchant = await requireMerchant(outside, merchantId);
  const asked = numbersForOperator(merchant, await listChanges(outside, merchantId));
  const waiting = asked.find(({ change }) => change.number === number);
  if (!waiting)
    throw new OperatorError(`Nobody asks for ${number} at ${merchant.name}. See: merchant list, numbers_to_approve.`);
  const others = await othersPaidOn(outside, merchantId, number);
  if (others.length > 0)
    throw new OperatorError(
      `${number} belongs to ${others.join(', ')} already, so nothing was done. If both shops are to be paid on it, use merchant set --momo with all numbers of ${merchantId}.`,
    );
  const approved = approve(outside, merchant, waiting, COMMAND_LINE);
  if (!approved)
    throw new OperatorError(
      `The numbers of ${merchant.name} have changed since ${number} was asked for, so nothing was done. Have the owner add it again.`,
    );
  await outside.table.write(approved.writes);
  return inForce(outside, approved.after);
}

function suspension(isSuspended: boolean, description: string): Verb {
  return notedVerb(
    description,
    { merchant: MERCHANT },
    () => ({}),
    async ({ outside }, { merchant: merchant_id }) => {
      await suspendMerchant(outside, merchant_id, isSuspended);
      return inForce(outside, { merchant_id, suspended: isSuspended });
    },
  );
}

async function setMerchant(
  { outside }: Pick<Place, 'outside'>,
  given: Given<typeof CHANGES & { merchant: typeof MERCHANT }>,
  { isJson }: { readonly isJson: boolean },
) {
  const { merchant, momo, logo, creditsLowBelow } = given;
  const changes = {
    default_from: given.defaultFrom,
    momo_accounts: momo,
    match_by_name_up_to_pesewas: given.matchByNameUpTo,
    confirm_unproven_up_to_pesewas: given.confirmUnprovenUpTo,
    new_wallet_daily_limit_pesewas: given.newWalletDailyLimit,
    confirm_always_above_pesewas: given.confirmAlwaysAbove,
    contact: given.contact,
    pay_texts_per_day: given.payTextsPerDay,
    text_receipts: given.textReceipts === undefined ? undefined : given.textReceipts === 'on',
    quiet_hours: given.quietHours,
    answers: given.answers === undefined ? undefined : given.answers === 'on',
    stop_words: given.stopWords,
    balance_limit: given.balanceLimit,
  };
  if ([...Object.values(changes), logo, creditsLowBelow].every((change) => change === undefined))
    throw new OperatorError(
      'Nothing to change: add --default-from, --momo, --contact, --logo, --pay-texts-per-day, --match-by-name-up-to, --confirm-unproven-up-to, --new-wallet-daily-limit, --confirm-always-above, --balance-limit, --quiet-hours, --text-receipts, --answers, --stop-words or --credits-low-below.',
    );
  let changed = await changeMerchant(outside, merchant, changes);
  if (logo !== undefined) {
    const set = setLogo(outside, changed, logo ?? undefined);
    await outside.table.write(set.writes);
    changed = set.after;
  }
  if (creditsLowBelow !== undefined) await setLowBelow(outside, merchant, creditsLowBelow);
  if (!isJson) await warnOfAccounts(outside, merchant, momo ?? []);
  const lowBelow = creditsLowBelow === undefined ? {} : { credits_low_below: creditsLowBelow };
  return inForce(outside, { ...changed, ...lowBelow });
}

/** For the audit, which says of numbers and contacts only that they were changed. */
function changedFields(given: Given<typeof CHANGES>) {
  const {
    defaultFrom,
    momo,
    contact,
    logo,
    payTextsPerDay,
    matchByNameUpTo,
    newWalletDailyLimit,
    balanceLimit,
    creditsLowBelow,
    textReceipts,
    quietHours,
    answers,
    stopWords,
  } = given;
  return {
    after: {
      default_from: defaultFrom && 'changed',
      momo_accounts: momo && `${momo.length} given`,
      contact: contact === undefined ? undefined : contact === '' ? 'removed' : 'changed',
      pay_texts_per_day: payTextsPerDay,
      logo: logo === undefined ? undefined : logo === null ? 'removed' : 'changed',
      match_by_name_up_to: matchByNameUpTo === undefined ? undefined : ghsOf(matchByNameUpTo),
      new_wallet_daily_limit: newWalletDailyLimit === undefined ? undefined : ghsOf(newWalletDailyLimit),
      balance_limit: balanceLimit && (balanceLimit.limit_pesewas ? ghsOf(balanceLimit.limit_pesewas) : 'unknown'),
      credits_low_below: creditsLowBelow,
      text_receipts: textReceipts,
      quiet_hours: quietHours === '' ? 'none' : quietHours,
      answers,
      stop_words: stopWords?.join(', '),
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
