import { html } from 'hono/html';
import * as z from 'zod/mini';
import { auditedDifference } from '../../../care/settings/settings.ts';
import { CURRENCY } from '../../../ghana/country.ts';
import { shownMoney } from '../../../ghana/money.ts';
import { networks } from '../../../ghana/network.ts';
import { numbersIn } from '../../../ghana/phone-number.ts';
import { shownNumber, wholeNumber } from '../../../ghana/shown-number.ts';
import { COMMAND_LINE } from '../../../merchants/audit/audit.table.ts';
import type { Merchant } from '../../../merchants/merchant/merchant.ts';
import {
  approve,
  endWaiting,
  listChanges,
  type MadeChange,
  noLongerWaits,
  noteSeen,
  numbersForOperator,
  type ShopChanges,
  type WaitingChange,
} from '../../../merchants/merchant/money-change.table.ts';
import { type AddedNumber, applyChange, type ToldChange } from '../../../merchants/merchant/money-change.ts';
import { may } from '../../../merchants/user/permissions.ts';
import { getUsers, type User } from '../../../merchants/user/user.table.ts';
import { namingOperator } from '../../../runtime/outside/operator.ts';
import { isoOf, nowIso, type Outside, type TableOutside } from '../../../runtime/outside/outside.ts';
import { PublicError } from '../../../runtime/values/errors.ts';
import { CHANGES, merchantAddress, SETTINGS } from '../parts/addresses.ts';
import { copyable, emptyState, facts, type Html, pill, section, shownTime, whatsAppUrl } from '../parts/content.ts';
import { form } from '../parts/form.ts';
import type { Going, MerchantVisit, Shown } from '../parts/visit.ts';
import { isKnown, knownAs } from './numbers.ts';

/** The newest change that the page showed (ISO). */
export const SeenForm = z.object({ until: z.string().check(z.maxLength(30)) });

type People = ReadonlyMap<string, User>;

/** Changes that wait for an owner, and recent changes to where the money goes. */
export async function showChanges(visit: MerchantVisit, outside: Outside): Promise<Shown> {
  const { merchant } = visit;
  const changes = await listChanges(outside, merchant.merchant_id);
  const people = await peopleOf(outside, changes);
  const { made } = changes;
  const waiting = openOf(merchant, changes);
  return {
    title: 'Changes',
    main: html`${
      waiting.length > 0
        ? await Promise.all(waiting.map((one) => waitingSection(visit, outside, one, people)))
        : emptyState(
            'Nothing waits',
            'Changes that add, reorder or rename numbers, or raise a limit, wait here for an owner.',
          )
    }
${made.length > 0 && madeSection(visit, changes, people)}
<p><a href="${SETTINGS}">All settings</a></p>`,
  };
}

/** Waiting changes, except a number that the operator has already added. */
export function openOf(merchant: Merchant, changes: Pick<ShopChanges, 'waiting'>): WaitingChange[] {
  const forOperator = numbersForOperator(merchant, changes);
  return changes.waiting.filter(({ id, needs }) => needs === undefined || forOperator.some((one) => one.id === id));
}

export async function peopleOf(outside: TableOutside, { waiting, made }: ShopChanges): Promise<People> {
  const ids = [
    ...waiting.map(({ by }) => by),
    ...made.flatMap(({ by, proposed_by }) => [by, ...(proposed_by ? [proposed_by] : [])]),
  ];
  const users = await getUsers(outside, ids);
  return new Map(users.map((user) => [user.user_id, user]));
}

/** `Kofi (manager)` with the current role. A key is named as in the audit. */
export function personInWords(people: People, userId: string): string {
  const { name, role, removed_at } = people.get(userId) ?? {};
  const as = role === 'operator' ? 'support' : role;
  if (name !== undefined) return `${name} (${removed_at === undefined ? as : 'not in the team any more'})`;
  if (userId.startsWith('key ')) return userId;
  return userId === COMMAND_LINE ? 'Support' : 'Somebody who has left';
}

async function waitingSection(
  visit: MerchantVisit,
  outside: Outside,
  one: WaitingChange,
  people: People,
): Promise<Html> {
  const { merchant, user } = visit;
  const { change, by, needs, at, expires_at_epoch_seconds } = one;
  const { what, before, after } = changeInWords(change);
  const fits = applyChange(merchant, change) !== undefined;
  return section(what, [
    facts([
      ['Now', before],
      ['Then', after],
      ['Proposed by', personInWords(people, by)],
      ['At', shownTime(at)],
      ['Ends', shownTime(isoOf(expires_at_epoch_seconds * 1000))],
      [
        'Known here',
        change.kind === 'add' && may(user, 'operator') ? await knownInWords(outside, one, change) : undefined,
      ],
    ]),
    ...(fits && needs && change.kind === 'add' && may(user, 'settings:approve') && !may(user, 'operator')
      ? [messageSection(outside, merchant, change)]
      : []),
    html`${!fits && html`<p>${pill('look', 'Outdated')} The settings have changed since. It can only be proposed again.</p>`}`,
    decision(visit, one, fits),
  ]);
}

/** Tells the operator who may own a number. */
async function knownInWords(outside: Outside, { merchant_id }: WaitingChange, { number }: AddedNumber): Promise<Html> {
  const { others, isSender, isHeard } = await knownAs(outside, merchant_id, number);
  const shops = others.map(
    (id) => html`${pill('bad', 'Another shop is paid on it')} <a href="${merchantAddress(id)}">${id}</a> `,
  );
  const more = [
    ...(isSender ? ['Its SIM is in a connected phone'] : []),
    ...(isHeard ? ['Texts of its wallet have arrived'] : []),
  ];
  return html`${shops}${more.join('. ') || (others.length === 0 && 'Nobody’s')}`;
}

/**
 * A message for the owner to send to the operator, whose page has the button. It contains none of the owner's own
 * words.
 */
function messageSection(outside: Outside, { merchant_id, name }: Merchant, { number, network }: AddedNumber): Html {
  const message = `Please confirm that ${shownNumber(number)} (${networks[network].name}) is the MoMo number of ${name}: ${outside.baseUrl}${merchantAddress(merchant_id)}`;
  const supportNumber = numbersIn(outside.operator ?? '').find((number) => number.startsWith('+'));
  return html`<p>${namingOperator(outside, 'This service knows the number already: its SIM may be in a phone of the service, or another shop may be paid on it. So that nobody takes the number of somebody else, support confirms that it is yours. Tell support by this message; support does the rest:')}</p>
<p>${copyable(message, 'message')}</p>
<p class="actions"><a class="plain button" href="${whatsAppUrl(message, supportNumber)}" target="_blank" rel="noreferrer">Send by WhatsApp</a></p>
<p class="hint">${!supportNumber && 'Support is whoever opened this dashboard for you: choose them where WhatsApp asks. '}Until support has confirmed the number, customers cannot pay to it; from then on it is under Wallets, Numbers.</p>`;
}

function decision(visit: MerchantVisit, { id, by, needs }: WaitingChange, fits: boolean): Html {
  const { user } = visit;
  const formOf = (verb: string, submit: string, isDangerous: boolean) =>
    form(visit, { path: `/changes/{id}/${verb}`, ids: { id }, submit, isDangerous });
  const isOwn = by === user.user_id;
  if (!may(user, 'settings:approve'))
    return isOwn
      ? formOf('drop', 'Withdraw it', true)
      : html`<p class="hint">${needs ? 'Support' : 'An owner'} decides about it.</p>`;
  if (needs && !may(user, 'operator')) return formOf('drop', 'Withdraw it', true);
  return html`<div class="actions">${fits && formOf('approve', 'Approve', false)}
${formOf('drop', isOwn ? 'Withdraw it' : 'Refuse', true)}</div>
${!isOwn && html`<p class="hint">If you did not expect this, ask the person who proposed it, face to face.</p>`}`;
}

function madeSection(visit: MerchantVisit, { made, seenUntil }: ShopChanges, people: People): Html {
  const { user } = visit;
  const news = unseenBy(user, { made, seenUntil });
  const [newest] = made;
  const until = newest?.at ?? '';
  const seen = { path: '/changes/seen', submit: 'I have seen this', carries: { until } };
  return section('Changed in the last seven days', [
    ...made.map((one) => madeEntry(one, people, news.includes(one))),
    news.length > 0 ? form(visit, seen) : html``,
  ]);
}

function madeEntry({ changes, by, proposed_by, at }: MadeChange, people: People, isNew: boolean): Html {
  const who = proposed_by
    ? `${personInWords(people, by)}, proposed by ${personInWords(people, proposed_by)}`
    : personInWords(people, by);
  return html`<p>${isNew && pill('look', 'New')} ${shownTime(at)}, ${who}</p>
${facts(changes.map((change) => [changeInWords(change).what, html`${changeInWords(change).after} <span class="hint">(was: ${changeInWords(change).before})</span>`]))}`;
}

/** Changes by others that an owner has not marked as seen. */
export function unseenBy(
  { user_id, role }: Pick<User, 'user_id' | 'role'>,
  { made, seenUntil }: Pick<ShopChanges, 'made' | 'seenUntil'>,
): readonly MadeChange[] {
  if (role !== 'owner') return [];
  return made.filter(({ by, at }) => by !== user_id && at > (seenUntil.get(user_id) ?? ''));
}

/**
 * Makes exactly the change that was shown, because its id changes with its content.
 * @throws PublicError if it no longer waits, or the shop has changed since the proposal.
 */
export async function approveChange(visit: MerchantVisit<'id'>, outside: Outside): Promise<Going> {
  const { merchant, user } = visit;
  const waiting = await requireWaiting(visit, outside);
  const { change, by: proposed_by } = waiting;
  const approved = approve(outside, merchant, waiting, user.user_id);
  if (!approved)
    throw new PublicError(
      'invalid_request',
      'The settings have changed since this was proposed, so nothing was done. Refuse it, and have it proposed again.',
    );
  if (change.kind === 'add' && !may(user, 'operator')) {
    // The number may have become known since the proposal.
    if (isKnown(await knownAs(outside, merchant.merchant_id, change.number)))
      throw new PublicError('forbidden', `${shownNumber(change.number)} ${waiting.needs ? ASKED : ADD_IT_YOURSELF}`);
  }
  const { before, after: values } = auditedDifference(merchant, approved.after) ?? {};
  const entry = { action: 'change approve', before, after: { ...values, proposed_by } };
  const notice = `Done. ${changeInWords(change).what}: ${changeInWords(change).after}.`;
  return visit.commit(approved.writes, { goTo: CHANGES, notice }, entry);
}

const ASKED = 'waits for support, who alone can confirm it.';
const ADD_IT_YOURSELF =
  'is known to this service since it was proposed: refuse this, and add the number yourself. It then waits for support.';

/** Ends a waiting change: an owner refuses it, or its proposer withdraws it. */
export async function dropChange(visit: MerchantVisit<'id'>, outside: Outside): Promise<Going> {
  const { merchant, user } = visit;
  const waiting = await requireWaiting(visit, outside);
  const isOwn = waiting.by === user.user_id;
  if (!isOwn && !may(user, 'settings:approve'))
    throw new PublicError('forbidden', 'Only an owner, or the person who proposed this change, can end it.');
  const wanted = applyChange(merchant, waiting.change);
  const { before, after } = (wanted && auditedDifference(merchant, wanted)) ?? {};
  const action = isOwn ? 'change withdraw' : 'change refuse';
  const entry = { action, before, after: { ...after, proposed_by: waiting.by } };
  const notice = isOwn ? 'It is withdrawn: nothing was changed.' : 'It is refused: nothing was changed.';
  return visit.commit([endWaiting(waiting)], { goTo: CHANGES, notice }, entry);
}

/** Marks changes as seen, up to the newest that the page showed. */
export async function seeChanges(visit: MerchantVisit<never, typeof SeenForm>, outside: Outside): Promise<Going> {
  const { merchant, user, form } = visit;
  // A future change cannot have been seen.
  const until = [form.until, nowIso(outside)].sort()[0] ?? form.until;
  const seen = noteSeen(outside, { merchant_id: merchant.merchant_id, user_id: user.user_id, until });
  return visit.commit([seen], { goTo: CHANGES });
}

async function requireWaiting(
  { merchant, path }: Pick<MerchantVisit<'id'>, 'merchant' | 'path'>,
  outside: Outside,
): Promise<WaitingChange> {
  const { waiting } = await listChanges(outside, merchant.merchant_id);
  const found = waiting.find(({ id }) => id === path.id);
  if (!found) throw noLongerWaits();
  return found;
}

export const KINDS_OF_CHANGE = {
  add: 'New number',
  remove: 'Number removed',
  order: 'New order',
  name: 'New name',
  limit: 'New limit',
  price: 'New price',
} as const satisfies Record<ToldChange['kind'], string>;

/** A change with its old and new values, for the person who decides. */
interface ChangeInWords {
  readonly what: string;
  readonly before: string;
  readonly after: string;
}

const LIMITS = {
  match_by_name_up_to: { name: 'Match by name up to', none: `${CURRENCY} 0.00` },
  confirm_unproven_up_to: { name: 'Confirm unverified up to', none: `${CURRENCY} 0.00` },
  new_wallet_daily_limit: { name: 'New wallet, each day up to', none: `${CURRENCY} 0.00` },
  confirm_always_above: { name: 'Confirm by hand above', none: 'nobody has to' },
} as const;

export function changeInWords(change: ToldChange): ChangeInWords {
  switch (change.kind) {
    case 'add': {
      const { number, network, account_name, first } = change;
      const order = first === number || !first ? 'as the first number' : `after ${wholeNumber(first)}`;
      return {
        what: `Add ${shownNumber(number)}, ${networks[network].name}`,
        before: 'No customer is shown it',
        after: `Customers are shown it as ${account_name}, ${order}`,
      };
    }
    case 'remove': {
      const { number, network, account_name, first } = change;
      return {
        what: `Remove ${shownNumber(number)}, ${networks[network].name}`,
        before: `Customers are shown it as ${account_name}`,
        after: first ? `No customer is shown it; ${shownNumber(first)} is the first number` : 'No customer is shown it',
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
    case 'price':
      return { what: `Change the price of ${change.title}`, before: change.from, after: change.to };
  }
}

function listed(numbers: readonly string[]): string {
  return numbers.map(shownNumber).join(', ');
}
