import { ghsOf } from '../../../ghana/money.ts';
import { type AuditEntry, numberHint } from '../../../merchants/audit/audit.table.ts';
import type { Merchant } from '../../../merchants/merchant/merchant.ts';

/** What the audit may say of each setting. Of numbers it has the last digits, of names and contacts that they were changed. */
const shownOf: Readonly<Record<string, (merchant: Merchant) => string | number | null>> = {
  default_from: ({ default_from }) => (default_from ? numberHint(default_from) : null),
  momo_accounts: ({ momo_accounts }) =>
    momo_accounts.map(({ network, number }) => `${network} ${numberHint(number)}`).join(', '),
  match_by_name_up_to: ({ match_by_name_up_to_pesewas }) => cedis(match_by_name_up_to_pesewas),
  confirm_unproven_up_to: ({ confirm_unproven_up_to_pesewas }) => cedis(confirm_unproven_up_to_pesewas),
  confirm_always_above: ({ confirm_always_above_pesewas }) => cedis(confirm_always_above_pesewas),
  balance_limits: ({ momo_accounts }) =>
    momo_accounts
      .flatMap(({ number, balance_limit_pesewas: limit }) => (limit ? [`${numberHint(number)}: ${ghsOf(limit)}`] : []))
      .join(', '),
};

/** What a change of a merchant's settings leaves in the audit; undefined where nothing is different. */
export function auditedDifference(before: Merchant, after: Merchant): Pick<AuditEntry, 'before' | 'after'> | undefined {
  const names = Object.keys(shownOf).filter((name) => shownOf[name]?.(before) !== shownOf[name]?.(after));
  const valuesOf = (merchant: Merchant) =>
    Object.fromEntries(names.map((name) => [name, shownOf[name]?.(merchant) ?? null]));
  const isRenamed = namesOf(before) !== namesOf(after) && !names.includes('momo_accounts');
  const hidden = {
    ...(isRenamed && { account_names: 'changed' }),
    ...(before.contact !== after.contact && { contact: after.contact ? 'changed' : 'removed' }),
  };
  if (names.length === 0 && Object.keys(hidden).length === 0) return undefined;
  return { before: valuesOf(before), after: { ...valuesOf(after), ...hidden } };
}

function namesOf({ momo_accounts }: Merchant): string {
  return JSON.stringify(momo_accounts.map(({ account_name }) => account_name));
}

function cedis(pesewas: number | undefined): number | null {
  return pesewas === undefined ? null : ghsOf(pesewas);
}
