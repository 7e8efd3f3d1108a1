import { html } from 'hono/html';
import * as z from 'zod/mini';
import { shownNumber } from '../../../ghana/shown-number.ts';
import {
  approve,
  endWaiting,
  listChanges,
  noLongerWaits,
  noteSeen,
  type ShopChanges,
  type WaitingChange,
} from '../../../merchants/merchant/money-change.table.ts';
import { applyChange } from '../../../merchants/merchant/money-change.ts';
import { may } from '../../../merchants/user/permissions.ts';
import { getUsers } from '../../../merchants/user/user.table.ts';
import { auditedDifference } from '../../../operations/settings/settings.ts';
import { nowIso, type Outside, type TableOutside } from '../../../runtime/outside/outside.ts';
import { counted } from '../../../runtime/values/counted.ts';
import { PublicError } from '../../../runtime/values/errors.ts';
import { CHANGES } from '../parts/addresses.ts';
import { type Html, notice } from '../parts/content.ts';
import type { Going, MerchantVisit, Shown } from '../parts/visit.ts';
import { renderChanges, waitingNotice } from './changes-template.ts';
import { changeInWords, changesView, openOf, type People } from './changes-view.ts';
import { isKnown, type KnownAs, knownAs } from './numbers.ts';

/** Time of the newest change on the page (ISO). */
export const SeenForm = z.object({ until: z.string().check(z.maxLength(30)) });

export async function showChanges(visit: MerchantVisit, outside: Outside): Promise<Shown> {
  const changes = await listChanges(outside, visit.merchant.merchant_id);
  return { title: 'Changes', main: renderChanges(visit, await viewChanges(visit, outside, changes)) };
}

async function viewChanges({ merchant, user }: MerchantVisit, outside: Outside, changes: ShopChanges) {
  const people = await peopleOf(outside, changes);
  const known = may(user, 'operator') ? await readKnown(outside, openOf(merchant, changes)) : new Map();
  return changesView(outside, { merchant, user, changes, people, known });
}

const MAX_NOTICES = 2;

/** Renders the oldest pending changes that can be approved, for the top of another page. */
export async function waitingNotices(
  visit: MerchantVisit,
  outside: Outside,
  { waiting, seenUntil }: ShopChanges,
): Promise<Html | undefined> {
  if (waiting.length === 0) return undefined;
  const shown = await viewChanges(visit, outside, { waiting, made: [], seenUntil });
  const open = shown.waiting.filter(({ isOutdated }) => !isOutdated).slice(0, MAX_NOTICES);
  const outdated = shown.waiting.filter(({ isOutdated }) => isOutdated).length;
  const more = shown.waiting.length - open.length - outdated;
  const others = [
    ...(more > 0 ? [counted(more, open.length > 0 ? 'more change' : 'change')] : []),
    ...(outdated > 0 ? [counted(outdated, 'outdated setting change')] : []),
  ].join(', ');
  return html`${open.map((one) => waitingNotice(visit, one))}
${others && notice('look', html`<b>${others}</b><br><a href="${CHANGES}">See the changes</a>`)}`;
}

async function readKnown(outside: TableOutside, waiting: readonly WaitingChange[]): Promise<Map<string, KnownAs>> {
  const read = waiting.flatMap(({ id, merchant_id, change }) =>
    change.kind === 'add' ? [knownAs(outside, merchant_id, change.number).then((known) => [id, known] as const)] : [],
  );
  return new Map(await Promise.all(read));
}

async function peopleOf(outside: TableOutside, { waiting, made }: ShopChanges): Promise<People> {
  const ids = [
    ...waiting.map(({ by }) => by),
    ...made.flatMap(({ by, proposed_by }) => [by, ...(proposed_by ? [proposed_by] : [])]),
  ];
  const users = await getUsers(outside, ids);
  return new Map(users.map((user) => [user.user_id, user]));
}

/**
 * Applies the change that was shown. Every write gives a change a new id, so an altered change is rejected.
 * @throws PublicError if the change is no longer pending, or if the shop has changed since the proposal.
 */
export async function approveChange(visit: MerchantVisit<'id'>, outside: Outside): Promise<Going> {
  const { merchant, user } = visit;
  const waiting = await requireWaiting(visit, outside);
  const { change, by: proposed_by } = waiting;
  const approved = approve(outside, merchant, waiting, user.user_id);
  if (!approved)
    throw new PublicError(
      'invalid_request',
      'The settings have changed since this was proposed, so nothing was done. Reject this change and ask for a new proposal.',
    );
  if (change.kind === 'add' && !may(user, 'operator')) {
    // The number may have become known since the change was proposed.
    if (isKnown(await knownAs(outside, merchant.merchant_id, change.number)))
      throw new PublicError('forbidden', `${shownNumber(change.number)} ${waiting.needs ? ASKED : ADD_IT_YOURSELF}`);
  }
  const { before, after: values } = auditedDifference(merchant, approved.after) ?? {};
  const entry = { action: 'change approve', before, after: { ...values, proposed_by } };
  const done = `Done. ${changeInWords(change).what}: ${changeInWords(change).after}.`;
  return visit.commit(approved.writes, { goTo: CHANGES, notice: done }, entry);
}

const ASKED = 'is waiting for support. Only support can confirm it.';
const ADD_IT_YOURSELF =
  'has been added to this service since this change was proposed. Reject the change, then add the number yourself. Support will have to confirm it.';

/** Removes a pending change, rejected by an owner or withdrawn by its proposer. */
export async function dropChange(visit: MerchantVisit<'id'>, outside: Outside): Promise<Going> {
  const { merchant, user } = visit;
  const waiting = await requireWaiting(visit, outside);
  const isOwn = waiting.by === user.user_id;
  if (!isOwn && !may(user, 'settings:approve'))
    throw new PublicError('forbidden', 'Only an owner or the person who proposed this change can withdraw it.');
  const wanted = applyChange(merchant, waiting.change);
  const { before, after } = (wanted && auditedDifference(merchant, wanted)) ?? {};
  const action = isOwn ? 'change withdraw' : 'change refuse';
  const entry = { action, before, after: { ...after, proposed_by: waiting.by } };
  const done = isOwn
    ? 'The change was withdrawn. Nothing was changed.'
    : 'The change was rejected. Nothing was changed.';
  return visit.commit([endWaiting(waiting)], { goTo: CHANGES, notice: done }, entry);
}

/** Marks changes as seen, up to the newest on the page. */
export async function seeChanges(visit: MerchantVisit<never, typeof SeenForm>, outside: Outside): Promise<Going> {
  const { merchant, user, form } = visit;
  // A time in the future would also mark changes as seen that do not exist yet.
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
