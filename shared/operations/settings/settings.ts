import * as z from 'zod/mini';
import { ghsOf } from '../../ghana/money.ts';
import { NUMBER_RULE, parsePhoneNumber, WHATSAPP_EXAMPLE } from '../../ghana/phone-number.ts';
import { isQuietHours, NIGHT, QUIET_HOURS_RULE } from '../../ghana/quiet-hours.ts';
import { shownNumber } from '../../ghana/shown-number.ts';
import { AmountFromZero, fieldAmount, typed, wholeNumber } from '../../ghana/typed.ts';
import { type AuditEntry, numberHint } from '../../merchants/audit/audit.table.ts';
import { parseContact } from '../../merchants/merchant/contact.ts';
import type { MerchantChanges } from '../../merchants/merchant/manage-merchant.ts';
import {
  confirmsUnprovenUpToPesewas,
  DEFAULT_CONFIRM_UNPROVEN_UP_TO_PESEWAS,
  DEFAULT_MATCH_BY_NAME_UP_TO_PESEWAS,
  DEFAULT_NEW_WALLET_DAILY_LIMIT_PESEWAS,
  type Merchant,
  nameDecidesUpToPesewas,
  newWalletDailyLimitPesewas,
} from '../../merchants/merchant/merchant.ts';
import { parseStopWords } from '../../texts/conversation/keywords.ts';

/** A shop setting. Defines its form fields, its `merchant set` option and its audit log entries. */
export interface Setting<Value = unknown> {
  readonly field: keyof MerchantChanges;
  readonly read: z.ZodMiniType<Value, string>;
  readonly written: (merchant: Merchant) => string;
  readonly audited?: (merchant: Merchant) => string | number | null;
  /** Keyword that clears the setting on the command line. Unset if the setting always has a value. */
  readonly none?: 'none' | 'off';
  readonly isSwitch?: boolean;
  readonly inputMode?: 'decimal' | 'numeric' | 'tel';
  readonly label: string;
  readonly hint?: string;
  /** Details that the form shows collapsed. */
  readonly details?: { readonly summary: string; readonly text: string };
  readonly option: readonly [value: string, description: string];
}

const CONTACT = `must be a Ghanaian number (0241234567), an e-mail address, or a WhatsApp link with the full number (${WHATSAPP_EXAMPLE})`;
const ON_OFF = 'must be on or off';
/** Maximum daily limit on payment texts, to protect people who are not customers. */
const MAX_PAY_TEXTS_PER_DAY = 1_000;

/** Defines a limit in cedis. In the audit log, a default value is shown as empty. */
const limit = <Field extends LimitField>(field: Field) =>
  ({
    field,
    read: AmountFromZero,
    audited: (merchant: Merchant) => {
      const pesewas: number | undefined = merchant[field];
      return pesewas === undefined ? null : ghsOf(pesewas);
    },
    inputMode: 'decimal',
  }) as const;
type LimitField = Extract<keyof Merchant, `${string}_pesewas`>;

const onOrOff = {
  read: typed(ON_OFF, (written, refuse) => (written === 'on' ? true : written === 'off' ? false : refuse())),
  isSwitch: true,
} as const;

/** Settings by form field. The option for `match_by_name_up_to` is `--match-by-name-up-to`. */
export const settings = {
  default_from: {
    field: 'default_from',
    read: typed(NUMBER_RULE, (written, refuse) => parsePhoneNumber(written) ?? refuse()),
    written: ({ default_from = '' }) => default_from,
    audited: ({ default_from }) => (default_from ? numberHint(default_from) : null),
    none: 'none',
    inputMode: 'tel',
    label: 'Texts are sent from',
    hint: 'Used unless you choose a number for a text. Leave it empty for any number.',
    option: ['<number>', 'the default sender of its texts; none removes it'],
  },
  contact: {
    field: 'contact',
    read: typed(CONTACT, (written, refuse) => parseContact(written) ?? refuse()),
    written: ({ contact = '' }) => shownNumber(contact),
    none: 'none',
    label: 'Number, e-mail or WhatsApp link',
    hint: 'Shown on each new bill’s page, for customers with a question. If it is a mobile number, we also text you there, such as questions about your balance. Leave it empty to show none.',
    option: [
      '<number, e-mail or WhatsApp link>',
      `the contact that customers see on each new charge's page: 0241234567, shop@example.com, ${WHATSAPP_EXAMPLE}; none removes it`,
    ],
  },
  pay_texts_per_day: {
    field: 'pay_texts_per_day',
    read: z.pipe(
      wholeNumber(0, MAX_PAY_TEXTS_PER_DAY),
      z.transform((count: number) => count || null),
    ),
    written: ({ pay_texts_per_day = 0 }) => String(pay_texts_per_day),
    audited: ({ pay_texts_per_day = 0 }) => pay_texts_per_day,
    inputMode: 'numeric',
    label: 'Texts a day',
    hint: 'Customers cannot see the page while they dial. Each text costs 1 credit. Anyone with a bill’s link can ask for a text, three times per bill. Each phone number gets at most three texts a day. Once the day’s texts are used up, each internet address can still get three. At most ten times the number you set are sent in total. This way, a few people cannot use up everyone’s texts. 0 means none.',
    option: [
      '<count>',
      'how many customers a day can get payment instructions by text, for one credit each; after that, three for each internet address, up to ten times as many in total; 0 means none (for a new merchant: 0)',
    ],
  },
  match_by_name_up_to: {
    ...limit('match_by_name_up_to_pesewas'),
    written: (merchant) => fieldAmount(nameDecidesUpToPesewas(merchant)),
    label: 'Match by name up to',
    hint: 'A payment without a reference pays the bill with the same amount and name. Two people may have the same name, so larger payments wait in To check. 0 means never.',
    option: [
      '<cedis>',
      `the largest amount that a payer's name can confirm; 0 means never (for a new merchant: ${ghsOf(DEFAULT_MATCH_BY_NAME_UP_TO_PESEWAS)})`,
    ],
  },
  confirm_unproven_up_to: {
    ...limit('confirm_unproven_up_to_pesewas'),
    written: (merchant) => fieldAmount(confirmsUnprovenUpToPesewas(merchant)),
    label: 'Accept unverified payments up to',
    hint: 'Payments up to this amount count even if we could not verify them, at most three times this amount in 24 hours. Larger payments wait for you. In the mode “Warn only”, larger payments count at once, but their goods are held. 0 means never.',
    option: [
      '<cedis>',
      `the largest amount that an unverified payment can confirm; 0 means never (for a new merchant: ${ghsOf(DEFAULT_CONFIRM_UNPROVEN_UP_TO_PESEWAS)})`,
    ],
  },
  new_wallet_daily_limit: {
    ...limit('new_wallet_daily_limit_pesewas'),
    written: (merchant) => fieldAmount(newWalletDailyLimitPesewas(merchant)),
    label: 'Daily limit for a new wallet',
    hint: 'The highest value of goods released in 24 hours while a new wallet cannot verify payments yet. 0 means none.',
    details: {
      summary: 'When a new wallet verifies payments',
      text: 'Its texts verify payments from the moment when an owner enters the balance that the wallet shows. Until then, forged texts cannot cost you more than this limit. Taps at tills can use at most three quarters of it. So can codes and orders together.',
    },
    option: [
      '<cedis>',
      `the highest value of goods released in a day while the balance of a wallet has not been named; 0 means never (for a new merchant: ${ghsOf(DEFAULT_NEW_WALLET_DAILY_LIMIT_PESEWAS)})`,
    ],
  },
  confirm_always_above: {
    ...limit('confirm_always_above_pesewas'),
    written: ({ confirm_always_above_pesewas: above }) => (above === undefined ? '' : fieldAmount(above)),
    none: 'off',
    label: 'Confirm manually above',
    hint: 'Larger payments wait in To check until someone has checked the wallet, even if they are verified. Empty means never.',
    option: ['<cedis>', 'the amount above which a person must confirm each payment; off means never'],
  },
  text_receipts: {
    ...onOrOff,
    field: 'text_receipts',
    written: ({ text_receipts }) => (text_receipts ? 'on' : 'off'),
    label: 'Text a receipt to the payer',
    option: ['<on|off>', "text a receipt to each charge's payer, for one of the merchant's credits"],
  },
  quiet_hours: {
    field: 'quiet_hours',
    read: typed(QUIET_HOURS_RULE, (written, refuse) => (isQuietHours(written) ? written : refuse())),
    written: ({ quiet_hours = '' }) => quiet_hours,
    audited: ({ quiet_hours = null }) => quiet_hours,
    none: 'none',
    label: 'Quiet hours',
    hint: `Ghana time, such as ${NIGHT}: texts due in these hours wait, unless you choose otherwise. Leave it empty for none.`,
    option: [
      '<from-to>',
      'the hours in Ghana when its texts are not sent, such as 21:00-07:00, unless a text says otherwise; codes, links and receipts are always sent; none removes them',
    ],
  },
  answers: {
    ...onOrOff,
    field: 'answers',
    written: ({ answers }) => (answers ? 'on' : 'off'),
    label: 'Keep and show replies',
    option: ['<on|off>', 'keep the replies to its texts, and show them to the merchant'],
  },
  stop_words: {
    field: 'stop_words',
    read: typed('must be a list of words', (written, refuse) => {
      const words = parseStopWords(written);
      return typeof words === 'string' ? refuse(words) : words;
    }),
    written: ({ stop_words = [] }) => stop_words.join(', '),
    none: 'none',
    label: 'Your own words for STOP',
    hint: 'Separate them with commas: GYAE, NO MORE. They work like STOP, but only on your own numbers. STOP always works. Whoever sends one of these words gets no more offers or reminders from you. We confirm this by text, for one credit.',
    option: ['<words>', 'its own words for STOP, separated by commas; none removes them'],
  },
} as const satisfies Readonly<Record<string, Setting>>;

export type SettingName = keyof typeof settings;
export const settingNames = Object.keys(settings) as SettingName[];

/** Builds the form schema of these settings. A field that can be cleared is optional. */
export function settingsForm<Name extends SettingName>(names: readonly Name[]) {
  const shape = names.map((name) => {
    const { read, none, isSwitch }: Setting = settings[name];
    return [name, none || isSwitch ? z.optional(read) : read] as const;
  });
  return z.object(Object.fromEntries(shape) as Record<Name, z.ZodMiniType<unknown, string | undefined>>);
}

export function changesIn<Name extends SettingName>(
  names: readonly Name[],
  form: Readonly<Record<Name, unknown>>,
): MerchantChanges {
  return Object.fromEntries(names.map((name) => [settings[name].field, form[name] ?? null]));
}

/**
 * Personal settings as shown in the audit log: only the last digits of phone numbers, and only `changed` for names and
 * contacts.
 */
const ofAccounts: Readonly<Record<string, NonNullable<Setting['audited']>>> = {
  momo_accounts: ({ momo_accounts }) =>
    momo_accounts.map(({ network, number }) => `${network} ${numberHint(number)}`).join(', '),
  balance_limits: ({ momo_accounts }) =>
    momo_accounts
      .flatMap(({ number, balance_limit_pesewas: limit }) => (limit ? [`${numberHint(number)}: ${ghsOf(limit)}`] : []))
      .join(', '),
};

const { contact: _, ...shown } = settings;
const auditedOf = Object.entries<NonNullable<Setting['audited']>>({
  ...ofAccounts,
  ...Object.fromEntries(
    Object.entries<Setting>(shown).map(([name, { audited, written }]) => [name, audited ?? written]),
  ),
});

export function auditedDifference(before: Merchant, after: Merchant): Pick<AuditEntry, 'before' | 'after'> | undefined {
  const changed = auditedOf.filter(([, audited]) => audited(before) !== audited(after));
  const valuesOf = (merchant: Merchant) =>
    Object.fromEntries(changed.map(([name, audited]) => [name, audited(merchant)]));
  const isRenamed = namesOf(before) !== namesOf(after) && !changed.some(([name]) => name === 'momo_accounts');
  const hidden = {
    ...(isRenamed && { account_names: 'changed' }),
    ...(before.contact !== after.contact && { contact: after.contact ? 'changed' : 'removed' }),
  };
  if (changed.length === 0 && Object.keys(hidden).length === 0) return undefined;
  return { before: valuesOf(before), after: { ...valuesOf(after), ...hidden } };
}

function namesOf({ momo_accounts }: Merchant): string {
  return JSON.stringify(momo_accounts.map(({ account_name }) => account_name));
}
