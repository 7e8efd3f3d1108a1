import { type Network, networks, unreadNote } from '../../../ghana/network.ts';
import { localNumber, shownNumber } from '../../../ghana/shown-number.ts';
import type { Merchant } from '../../../merchants/merchant/merchant.ts';
import { MAX_MOMO_ACCOUNTS } from '../../../merchants/merchant/merchant.ts';
import { may, type Rights } from '../../../merchants/user/permissions.ts';
import { NUMBERS } from '../parts/addresses.ts';
import type { Remark } from '../parts/content.ts';
import { nothingFrom } from '../parts/wallet-pill.ts';

/** Data for the list of numbers. `others` and `isHeard` have one item per number, in the same order. */
export interface NumbersRows {
  readonly merchant: Pick<Merchant, 'momo_accounts'>;
  readonly user: Rights;
  readonly others: readonly (readonly string[])[];
  readonly isHeard: readonly boolean[];
  readonly asked: readonly string[];
}

export interface NumbersView {
  readonly asked: readonly string[];
  readonly mayChange: boolean;
  readonly numbers: readonly NumberView[];
  readonly advice: readonly Advice[];
  readonly unread: readonly string[];
}

interface NumberView {
  readonly number: string;
  readonly network: string;
  readonly name: string;
  readonly remarks: readonly Remark[];
  readonly href: string | undefined;
}

type Advice = 'order' | 'no_payment' | 'shared';

export function numbersView({ merchant, user, others, isHeard, asked }: NumbersRows): NumbersView {
  const { momo_accounts } = merchant;
  const mayChange = may(user, 'settings:write');
  const isShared = others.map((merchants) => merchants.length > 0);
  const notes = momo_accounts.flatMap(({ network }) => unreadNote(network) ?? []);
  return {
    asked: asked.map(shownNumber),
    mayChange,
    numbers: momo_accounts.map(({ number, network, account_name }, n) => ({
      number: shownNumber(number),
      network: networks[network].name,
      name: account_name,
      remarks: remarksOf({
        isFirst: n === 0,
        isShared: isShared[n] === true,
        network,
        isHeard: isHeard[n] !== false,
      }),
      href: mayChange ? numberAddress(number) : undefined,
    })),
    advice: [
      ...(momo_accounts.length > 1 ? (['order'] as const) : []),
      ...(momo_accounts.some(({ network }, n) => networks[network].isRead && isHeard[n] === false)
        ? (['no_payment'] as const)
        : []),
      ...(isShared.includes(true) ? (['shared'] as const) : []),
    ],
    unread: [...new Set(notes)],
  };
}

function remarksOf(number: {
  readonly isFirst: boolean;
  readonly isShared: boolean;
  readonly network: Network;
  readonly isHeard: boolean;
}): Remark[] {
  const { isFirst, isShared, network, isHeard } = number;
  const remarks: readonly (Remark | false)[] = [
    isFirst && { tone: 'plain', label: 'Shown first' },
    isShared && { tone: 'look', label: 'Shared' },
    !networks[network].isRead && { tone: 'look', label: 'Checked by you' },
    !isHeard && { tone: 'waiting', label: nothingFrom(network) },
  ];
  const shown = remarks.filter((remark) => remark !== false);
  return shown.length > 0 ? shown : [{ tone: 'plain', label: 'In use' }];
}

export function mayAddNumber({ momo_accounts }: Pick<Merchant, 'momo_accounts'>, user: Rights): boolean {
  return may(user, 'settings:write') && momo_accounts.length < MAX_MOMO_ACCOUNTS;
}

export function numberAddress(number: string): string {
  return `${NUMBERS}/${localNumber(number)}`;
}
