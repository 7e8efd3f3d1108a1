import * as z from 'zod/mini';
import { Network } from '../../ghana/network.ts';
import {
  confirmsUnprovenUpToPesewas,
  MAX_MOMO_ACCOUNTS,
  type Merchant,
  type MomoAccount,
  nameDecidesUpToPesewas,
  newWalletDailyLimitPesewas,
} from './merchant.ts';

/** Limits up to which payments are confirmed, or goods released, automatically. Raising a limit increases the risk. */
export const CONFIRMATION_LIMITS = [
  'match_by_name_up_to',
  'confirm_unproven_up_to',
  'new_wallet_daily_limit',
  'confirm_always_above',
] as const;
type ConfirmationLimit = (typeof CONFIRMATION_LIMITS)[number];

const ofAccount = { number: z.string(), network: Network, account_name: z.string() };

/** A change to a payment account or a confirmation limit. */
export const MoneyChange = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('add'), ...ofAccount, first: z.optional(z.string()) }),
  z.object({ kind: z.literal('remove'), ...ofAccount, first: z.optional(z.string()) }),
  z.object({ kind: z.literal('order'), from: z.array(z.string()), to: z.array(z.string()) }),
  z.object({ kind: z.literal('name'), number: z.string(), network: Network, from: z.string(), to: z.string() }),
  /** Amounts in pesewas. Unset means no limit. */
  z.object({
    kind: z.literal('limit'),
    limit: z.enum(CONFIRMATION_LIMITS),
    from: z.optional(z.number()),
    to: z.optional(z.number()),
  }),
]);
export type MoneyChange = z.infer<typeof MoneyChange>;
/** A change to the price of a payment link or sticker. Takes effect immediately. */
export const PriceChange = z.object({
  kind: z.literal('price'),
  slug: z.string(),
  title: z.string(),
  from: z.string(),
  to: z.string(),
});
/** A balance that an owner named. The amount is left out. */
export const NamedBalance = z.object({
  kind: z.literal('balance'),
  number: z.string(),
  network: Network,
  outcome: z.enum(['first look', 'agrees', 'leads there', 'look again', 'new anchor']),
});
export type NotifiedChange = MoneyChange | z.infer<typeof PriceChange> | z.infer<typeof NamedBalance>;
export type AddedNumber = Extract<MoneyChange, { kind: 'add' }>;

export function moneyChangesOf(before: Merchant, after: Merchant): MoneyChange[] {
  const [had, has] = [before.momo_accounts, after.momo_accounts];
  const first = has[0]?.number;
  const kept = had.filter((one) => has.some((other) => isSame(one, other)));
  const from = kept.map(({ number }) => number);
  const to = has.filter((one) => kept.some((other) => isSame(one, other))).map(({ number }) => number);
  const accountOf = ({ number, network, account_name }: MomoAccount) => ({ number, network, account_name });
  return [
    ...had.filter((one) => !kept.includes(one)).map((one) => ({ kind: 'remove' as const, ...accountOf(one), first })),
    ...has
      .filter((one) => !kept.some((other) => isSame(one, other)))
      .map((one) => ({ kind: 'add' as const, ...accountOf(one), first })),
    ...(from.join() === to.join() ? [] : [{ kind: 'order' as const, from, to }]),
    ...kept.flatMap((one) => {
      const renamed = has.find((other) => isSame(one, other) && other.account_name !== one.account_name);
      const { number, network, account_name } = one;
      return renamed ? [{ kind: 'name' as const, number, network, from: account_name, to: renamed.account_name }] : [];
    }),
    ...CONFIRMATION_LIMITS.flatMap((limit) => {
      const [was, is] = [limitOf(before, limit), limitOf(after, limit)];
      return was === is ? [] : [{ kind: 'limit' as const, limit, from: was, to: is }];
    }),
  ];
}

/** Returns the part of a change that needs no approval. */
export function withoutRisk(before: Merchant, after: Merchant) {
  const momo_accounts = before.momo_accounts.map((one) => {
    const { balance_limit_pesewas, ...account } = after.momo_accounts.find((other) => isSame(one, other)) ?? one;
    const { number, network } = account;
    return { number, network, account_name: one.account_name, ...(balance_limit_pesewas && { balance_limit_pesewas }) };
  });
  const limits = Object.fromEntries(
    CONFIRMATION_LIMITS.map((limit) => [`${limit}_pesewas`, before[`${limit}_pesewas`]] as const),
  );
  const safe = moneyChangesOf(before, after)
    .filter((change) => !isRisky(change))
    .reduce<Merchant>((merchant, change) => applied(merchant, change), { ...after, ...limits, momo_accounts });
  return { safe, waits: moneyChangesOf(safe, after) };
}

function isRisky(change: MoneyChange): boolean {
  if (change.kind !== 'limit') return change.kind !== 'remove';
  const { from = Number.POSITIVE_INFINITY, to = Number.POSITIVE_INFINITY } = change;
  return to > from;
}

/** Returns the merchant after a change, or undefined if the change no longer fits the merchant's settings. */
export function applyChange(merchant: Merchant, change: MoneyChange): Merchant | undefined {
  const { momo_accounts } = merchant;
  const after = applied(merchant, change);
  const isWhole = after.momo_accounts.length <= MAX_MOMO_ACCOUNTS;
  const made = moneyChangesOf(merchant, after);
  const isRepeated = change.kind === 'add' && momo_accounts.some(({ number }) => number === change.number);
  return isWhole && !isRepeated && made.length === 1 && isEqual(made[0], change) ? after : undefined;
}

function applied(merchant: Merchant, change: MoneyChange): Merchant {
  const { momo_accounts } = merchant;
  switch (change.kind) {
    case 'add': {
      const { number, network, account_name } = change;
      return { ...merchant, momo_accounts: [...momo_accounts, { number, network, account_name }] };
    }
    case 'remove':
      return { ...merchant, momo_accounts: momo_accounts.filter((one) => !isSame(one, change)) };
    case 'order': {
      const placeOf = ({ number }: MomoAccount) => change.to.indexOf(number);
      return { ...merchant, momo_accounts: momo_accounts.toSorted((one, other) => placeOf(one) - placeOf(other)) };
    }
    case 'name': {
      const renamed = (one: MomoAccount) => (isSame(one, change) ? { ...one, account_name: change.to } : one);
      return { ...merchant, momo_accounts: momo_accounts.map(renamed) };
    }
    case 'limit':
      return { ...merchant, [`${change.limit}_pesewas`]: change.to };
  }
}

function limitOf(merchant: Merchant, limit: ConfirmationLimit): number | undefined {
  if (limit === 'match_by_name_up_to') return nameDecidesUpToPesewas(merchant);
  if (limit === 'confirm_unproven_up_to') return confirmsUnprovenUpToPesewas(merchant);
  if (limit === 'new_wallet_daily_limit') return newWalletDailyLimitPesewas(merchant);
  return merchant.confirm_always_above_pesewas;
}

function isSame(one: Pick<MomoAccount, 'number' | 'network'>, other: Pick<MomoAccount, 'number' | 'network'>): boolean {
  return one.number === other.number && one.network === other.network;
}

function isEqual(one: MoneyChange | undefined, other: MoneyChange): boolean {
  return JSON.stringify(MoneyChange.parse(one)) === JSON.stringify(MoneyChange.parse(other));
}
