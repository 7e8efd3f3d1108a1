import * as z from 'zod/mini';
import { BALANCE_LIMITS_PESEWAS } from '../../../ghana/balance-limit.ts';
import { ghsOf } from '../../../ghana/money.ts';
import { parseContact } from '../../../merchants/merchant/contact.ts';
import { MAX_MOMO_ACCOUNTS, type MomoAccount, parseMomoAccount } from '../../../merchants/merchant/merchant.ts';
import type { Html } from '../html.ts';
import { field, textField } from '../parts/field.ts';
import type { Filled } from '../parts/form.ts';
import { AmountFromZero } from '../parts/typed-amount.ts';

/** A merchant's wallets, one a line, as the command line writes them. */
const Accounts = parsed('must be one wallet a line', (written) => {
  const accounts: MomoAccount[] = [];
  for (const line of written.split(/\r?\n/).filter((one) => one.trim() !== '')) {
    const account = parseMomoAccount(line);
    if (typeof account === 'string') return `is not understood. ${account}`;
    accounts.push(account);
  }
  return accounts.length > MAX_MOMO_ACCOUNTS ? `has more than ${MAX_MOMO_ACCOUNTS} wallets` : { accounts };
});
const Contact = parsed('must be a contact', (written) => {
  const contact = parseContact(written);
  return contact ? { contact } : 'must be a Ghanaian number, an e-mail address or a WhatsApp link with the full number';
});

export const NewMerchantForm = z.object({
  name: z.string().check(z.maxLength(80)),
  momo: z.optional(Accounts),
  contact: z.optional(Contact),
});

export const SettingsForm = z.object({
  momo: z.optional(Accounts),
  contact: z.optional(Contact),
  default_from: z.optional(z.string().check(z.maxLength(64))),
  match_by_name_up_to: AmountFromZero,
  confirm_unproven_up_to: AmountFromZero,
  confirm_always_above: z.optional(AmountFromZero),
  balance_limit: z.enum(
    ['keep', 'unknown', ...BALANCE_LIMITS_PESEWAS.map((one) => String(ghsOf(one)))],
    'must be one of the limits',
  ),
});

export function accountsField(filled: Filled, accounts: readonly MomoAccount[] = []): Html {
  return textField(filled, {
    name: 'momo',
    label: 'Paid on',
    rows: 3,
    value: accounts.map(({ number, network, account_name }) => `${number}:${network}:${account_name}`).join('\n'),
    hint: 'One wallet a line: 0241234567:MTN:AMA STORES, with the name that payers see. Customers see the first one by default.',
  });
}

export function contactField(filled: Filled, contact?: string): Html {
  return field(filled, {
    name: 'contact',
    label: 'Whom customers ask',
    value: contact,
    hint: 'A number, an e-mail address or a WhatsApp link; empty for nobody. Charges made from then on show it.',
  });
}

function parsed<Value extends object>(what: string, parse: (written: string) => Value | string) {
  return z.pipe(
    z.string(what),
    z.transform((written: string, { issues }): Value => {
      const value = parse(written);
      if (typeof value !== 'string') return value;
      issues.push({ code: 'custom', input: written, message: value });
      return z.NEVER;
    }),
  );
}
