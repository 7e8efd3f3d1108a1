import { CURRENCY } from '../../../ghana/country.ts';
import { shownMoney } from '../../../ghana/money.ts';
import { networks } from '../../../ghana/network.ts';
import { numbersIn } from '../../../ghana/phone-number.ts';
import { shownNumber, wholeNumber } from '../../../ghana/shown-number.ts';
import { COMMAND_LINE } from '../../../merchants/audit/audit.table.ts';
import type { Merchant } from '../../../merchants/merchant/merchant.ts';
import {
  type MadeChange,
  numbersForOperator,
  type ShopChanges,
  type WaitingChange,
} from '../../../merchants/merchant/money-change.table.ts';
import { type AddedNumber, applyChange, type NotifiedChange } from '../../../merchants/merchant/money-change.ts';
import { may } from '../../../merchants/user/permissions.ts';
import type { User } from '../../../merchants/user/user.table.ts';
import { namingOperator } from '../../../runtime/outside/operator.ts';
import { isoOf, type Outside } from '../../../runtime/outside/outside.ts';
import { merchantAddress } from '../parts/addresses.ts';
import { shownTime, whatsAppUrl } from '../parts/content.ts';
import type { KnownAs } from './numbers.ts';

export type People = ReadonlyMap<string, User>;

export interface ChangesRows {
  readonly merchant: Merchant;
  readonly user: User;
  readonly changes: ShopChanges;
  readonly people: People;
  /** Details about each proposed number, by the change's id. Read only for the operator. */
  readonly known: ReadonlyMap<string, KnownAs>;
}

export interface ChangesView {
  readonly waiting: readonly WaitingView[];
  readonly made: readonly MadeView[];
  /** Time of the newest change, if the owner has not seen all changes. */
  readonly unseenUntil: string | undefined;
}

interface WaitingView extends ChangeInWords {
  readonly id: string;
  readonly proposedBy: string;
  readonly at: string;
  readonly ends: string;
  readonly known: { readonly shops: readonly string[]; readonly more: string } | undefined;
  readonly support: SupportView | undefined;
  readonly isOutdated: boolean;
  /** Says where customers' money will go. */
  readonly warning: string | undefined;
  readonly decision: Decision;
}

interface SupportView {
  readonly explanation: string;
  readonly message: string;
  readonly url: string;
  readonly hint: string;
}

type Decision =
  | { readonly kind: 'decide'; readonly canApprove: boolean; readonly drop: string; readonly isOwn: boolean }
  | { readonly kind: 'withdraw' }
  | { readonly kind: 'watch'; readonly decidedBy: string };

interface MadeView {
  readonly isNew: boolean;
  readonly at: string;
  readonly who: string;
  readonly changes: readonly ChangeInWords[];
}

export function changesView(outside: Pick<Outside, 'baseUrl' | 'operator'>, rows: ChangesRows): ChangesView {
  const { merchant, user, changes, people } = rows;
  const news = unseenBy(user, changes);
  return {
    waiting: openOf(merchant, changes).map((one) => waitingView(outside, rows, one)),
    made: changes.made.map((one) => madeView(people, one, news.includes(one))),
    unseenUntil: news.length > 0 ? changes.made[0]?.at : undefined,
  };
}

function waitingView(
  outside: Pick<Outside, 'baseUrl' | 'operator'>,
  { merchant, user, people, known }: ChangesRows,
  one: WaitingChange,
): WaitingView {
  const { id, change, by, needs, at, expires_at_epoch_seconds } = one;
  const fits = applyChange(merchant, change) !== undefined;
  const asksSupport = fits && needs && may(user, 'settings:approve') && !may(user, 'operator');
  return {
    ...changeInWords(change),
    id,
    proposedBy: personInWords(people, by),
    at: shownTime(at),
    ends: shownTime(isoOf(expires_at_epoch_seconds * 1000)),
    known: knownView(known.get(id)),
    support: asksSupport && change.kind === 'add' ? supportView(outside, merchant, change) : undefined,
    isOutdated: !fits,
    warning: change.kind === 'add' && fits ? whereMoneyGoes(change) : undefined,
    decision: decisionOf(user, one, fits),
  };
}

function whereMoneyGoes({ number, account_name }: AddedNumber): string {
  return `Customers’ money will go to ${wholeNumber(number)}. Approve it only if ${account_name} is the shop’s own wallet.`;
}

function knownView(known: KnownAs | undefined): WaitingView['known'] {
  if (!known) return undefined;
  const { others, isSender, isHeard } = known;
  const more = [
    ...(isSender ? ['Its SIM is in a connected phone'] : []),
    ...(isHeard ? ['Texts from its wallet have arrived'] : []),
  ];
  return { shops: others, more: more.join('. ') || (others.length === 0 ? 'Nobody’s' : '') };
}

/** Builds the message to support. Contains nothing typed by the owner. */
function supportView(
  outside: Pick<Outside, 'baseUrl' | 'operator'>,
  { merchant_id, name }: Merchant,
  { number, network }: AddedNumber,
): SupportView {
  const message = `Please confirm that ${shownNumber(number)} (${networks[network].name}) is the MoMo number of ${name}: ${outside.baseUrl}${merchantAddress(merchant_id)}`;
  const supportNumber = numbersIn(outside.operator ?? '').find((one) => one.startsWith('+'));
  const whoIsSupport = supportNumber
    ? ''
    : 'Support is the person who set up this dashboard for you. Choose them when WhatsApp asks. ';
  return {
    explanation: namingOperator(
      outside,
      'The service already knows this number. Its SIM may be in one of our phones, or another shop may use it. Ask support to confirm that the number is yours. Send this message:',
    ),
    message,
    url: whatsAppUrl(message, supportNumber),
    hint: `${whoIsSupport}Customers cannot pay this number until support has confirmed it. The number will then appear under Wallets, Numbers.`,
  };
}

function decisionOf(user: User, { by, needs }: WaitingChange, fits: boolean): Decision {
  const isOwn = by === user.user_id;
  if (!may(user, 'settings:approve'))
    return isOwn ? { kind: 'withdraw' } : { kind: 'watch', decidedBy: needs ? 'Support' : 'An owner' };
  if (needs && !may(user, 'operator')) return { kind: 'withdraw' };
  return { kind: 'decide', canApprove: fits, drop: isOwn ? 'Withdraw it' : 'Reject', isOwn };
}

function madeView(people: People, { changes, by, proposed_by, at }: MadeChange, isNew: boolean): MadeView {
  const proposer = proposed_by ? `, proposed by ${personInWords(people, proposed_by)}` : '';
  const who = `${personInWords(people, by)}${proposer}`;
  return { isNew, at: shownTime(at), who, changes: changes.map(changeInWords) };
}

/** Returns the pending changes, except numbers that the operator has already added. */
export function openOf(merchant: Merchant, changes: Pick<ShopChanges, 'waiting'>): WaitingChange[] {
  const forOperator = numbersForOperator(merchant, changes);
  return changes.waiting.filter(({ id, needs }) => needs === undefined || forOperator.some((one) => one.id === id));
}

/** Formats a person with their current role: `Kofi (manager)`. Keys are named as in the audit log. */
function personInWords(people: People, userId: string): string {
  const { name, role, removed_at } = people.get(userId) ?? {};
  const as = role === 'operator' ? 'support' : role;
  if (name !== undefined) return `${name} (${removed_at === undefined ? as : 'no longer in the team'})`;
  if (userId.startsWith('key ')) return userId;
  return userId === COMMAND_LINE ? 'Support' : 'A former team member';
}

export interface ChangesToReview {
  /** Changes that can be approved. */
  readonly waiting: readonly WaitingChange[];
  /** Changes that can only be rejected, because the shop has changed since. */
  readonly outdated: readonly WaitingChange[];
  readonly unseen: readonly MadeChange[];
}

/** Returns the changes to decide or review. Excludes numbers that only the operator can approve. */
export function changesToReview(merchant: Merchant, user: User, changes: ShopChanges): ChangesToReview {
  const open = openOf(merchant, changes).filter(({ needs }) => needs === undefined || may(user, 'operator'));
  const fits = ({ change }: WaitingChange) => applyChange(merchant, change) !== undefined;
  return {
    waiting: open.filter(fits),
    outdated: open.filter((one) => !fits(one)),
    unseen: unseenBy(user, changes),
  };
}

export function countOf(made: readonly MadeChange[]): number {
  return made.reduce((sum, { changes }) => sum + changes.length, 0);
}

function unseenBy(
  { user_id, role }: Pick<User, 'user_id' | 'role'>,
  { made, seenUntil }: Pick<ShopChanges, 'made' | 'seenUntil'>,
): readonly MadeChange[] {
  if (role !== 'owner') return [];
  return made.filter(({ by, at }) => by !== user_id && at > (seenUntil.get(user_id) ?? ''));
}

interface ChangeInWords {
  readonly what: string;
  readonly before: string;
  readonly after: string;
}

const LIMITS = {
  match_by_name_up_to: { name: 'Match by name up to', none: `${CURRENCY} 0.00` },
  confirm_unproven_up_to: { name: 'Accept unverified payments up to', none: `${CURRENCY} 0.00` },
  new_wallet_daily_limit: { name: 'Daily limit for a new wallet', none: `${CURRENCY} 0.00` },
  confirm_always_above: { name: 'Confirm manually above', none: 'no limit' },
} as const;

export function changeInWords(change: NotifiedChange): ChangeInWords {
  switch (change.kind) {
    case 'add': {
      const { number, network, account_name, first } = change;
      const order = first === number || !first ? 'as the first number' : `after ${wholeNumber(first)}`;
      return {
        what: `Add ${shownNumber(number)}, ${networks[network].name}`,
        before: 'Customers do not see it',
        after: `Customers see it as ${account_name}, ${order}`,
      };
    }
    case 'remove': {
      const { number, network, account_name, first } = change;
      return {
        what: `Remove ${shownNumber(number)}, ${networks[network].name}`,
        before: `Customers see it as ${account_name}`,
        after: first
          ? `Customers do not see it; ${shownNumber(first)} becomes the first number`
          : 'Customers do not see it',
      };
    }
    case 'order':
      return { what: 'Change the order of the numbers', before: listed(change.from), after: listed(change.to) };
    case 'name':
      return {
        what: `Change the name of ${shownNumber(change.number)}, ${networks[change.network].name}`,
        before: change.from,
        after: change.to,
      };
    case 'limit': {
      const { name, none } = LIMITS[change.limit];
      const shown = (pesewas: number | undefined) => (pesewas === undefined ? none : shownMoney(pesewas));
      return { what: name, before: shown(change.from), after: shown(change.to) };
    }
    case 'balance':
      return {
        what: `Name the balance of ${shownNumber(change.number)}, ${networks[change.network].name}`,
        before: '–',
        after: NAMED[change.outcome],
      };
    case 'price':
      return { what: `Change the price of ${change.title}`, before: change.from, after: change.to };
  }
}

const NAMED: Readonly<Record<Extract<NotifiedChange, { kind: 'balance' }>['outcome'], string>> = {
  'first look': 'Its texts are verified from then on',
  agrees: 'It agrees with the texts',
  'leads there': 'It decides the texts that waited',
  'look again': 'It does not agree with the texts, so it must be named again',
  'new anchor': 'Verification begins again from it',
};

function listed(numbers: readonly string[]): string {
  return numbers.map(shownNumber).join(', ');
}
