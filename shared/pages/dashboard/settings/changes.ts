import { html } from 'hono/html';
import * as z from 'zod/mini';
import { COMMAND_LINE } from '../../../merchants/audit/audit.table.ts';
import type { Merchant } from '../../../merchants/merchant/merchant.ts';
import {
  listChanges,
  type MadeChange,
  type ShopChanges,
  type WaitingChange,
} from '../../../merchants/merchant/money-change.table.ts';
import { applyChange } from '../../../merchants/merchant/money-change.ts';
import { may } from '../../../merchants/user/permissions.ts';
import { getUsers, type User } from '../../../merchants/user/user.table.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { CHANGES, SETTINGS } from '../addresses.ts';
import type { Html } from '../html.ts';
import { form } from '../parts/form.ts';
import { emptyState, facts, pill, section } from '../parts/status.ts';
import { shownTime } from '../shown-time.ts';
import type { MerchantVisit, Shown } from '../visit.ts';
import { changeInWords } from './change-words.ts';

/** Up to when the page showed what was changed (ISO). */
export const SeenForm = z.object({ until: z.string().check(z.maxLength(30)) });

type People = ReadonlyMap<string, User>;

/** What waits for an owner, and what was changed lately of where the money goes. */
export async function showChanges(visit: MerchantVisit, outside: Outside): Promise<Shown> {
  const { merchant } = visit;
  const changes = await listChanges(outside, merchant.merchant_id);
  const people = await peopleOf(outside, changes);
  const { waiting, made } = changes;
  return {
    title: 'Changes',
    main: html`${
      waiting.length > 0
        ? waiting.map((one) => waitingSection(visit, merchant, one, people))
        : emptyState(
            'Nothing waits',
            'What adds, reorders or renames numbers, or raises a limit, waits here for an owner.',
          )
    }
${made.length > 0 && madeSection(visit, changes, people)}
<p><a href="${SETTINGS}">All settings</a></p>`,
  };
}

/** Everybody who proposed or made one of the changes. */
export async function peopleOf(outside: Pick<Outside, 'table'>, { waiting, made }: ShopChanges): Promise<People> {
  const ids = [
    ...waiting,
    ...made.flatMap(({ by, proposed_by }) => [{ by }, ...(proposed_by ? [{ by: proposed_by }] : [])]),
  ];
  const users = ids.length > 0 ? await getUsers(outside, [...new Set(ids.map(({ by }) => by))]) : [];
  return new Map(users.map((user) => [user.user_id, user]));
}

/** `Kofi (manager)`, with what they are now. */
export function personInWords(people: People, userId: string): string {
  const { name, role, removed_at } = people.get(userId) ?? {};
  if (name === undefined) return userId === COMMAND_LINE ? 'The operator' : 'Somebody who is gone';
  return `${name} (${removed_at === undefined ? role : 'not in the team any more'})`;
}

function waitingSection(visit: MerchantVisit, merchant: Merchant, one: WaitingChange, people: People): Html {
  const { change, by, at, expires_at_epoch_seconds } = one;
  const { what, before, after } = changeInWords(change);
  const fits = applyChange(merchant, change) !== undefined;
  return section(what, [
    facts([
      ['Now', before],
      ['Then', after],
      ['Proposed by', personInWords(people, by)],
      ['At', shownTime(at)],
      ['Ends', shownTime(new Date(expires_at_epoch_seconds * 1000).toISOString())],
    ]),
    html`${!fits && html`<p>${pill('look', 'Outdated')} The settings have changed since. It can only be proposed again.</p>`}`,
    decision(visit, one, fits),
  ]);
}

/** What whoever looks may do about a change that waits. */
function decision(visit: MerchantVisit, { id, by }: WaitingChange, fits: boolean): Html {
  const { user } = visit;
  const formOf = (verb: string, submit: string, isDangerous: boolean) =>
    form(
      visit,
      { path: `/changes/{id}/${verb}`, action: `${CHANGES}/${id}/${verb}`, submit, isDangerous },
      () => html``,
    );
  const isOwn = by === user.user_id;
  if (!may(user, 'settings:approve'))
    return isOwn ? formOf('drop', 'Withdraw it', true) : html`<p class="hint">An owner decides about it.</p>`;
  return html`<div class="actions">${fits && formOf('approve', 'Approve', false)}
${formOf('drop', isOwn ? 'Withdraw it' : 'Refuse', true)}</div>
${!isOwn && html`<p class="hint">If you did not expect this, ask in person whoever proposed it.</p>`}`;
}

/** Newest first. */
function madeSection(visit: MerchantVisit, { made, seenUntil }: ShopChanges, people: People): Html {
  const { user } = visit;
  const news = unseenBy(user, { made, seenUntil });
  const [newest] = made;
  const until = newest?.at ?? '';
  const seen = { path: '/changes/seen', action: `${CHANGES}/seen`, submit: 'I have seen this' };
  return section('Changed in the last seven days', [
    ...made.map((one) => madeEntry(one, people, news.includes(one))),
    news.length > 0 ? form(visit, seen, () => html`<input type="hidden" name="until" value="${until}">`) : html``,
  ]);
}

function madeEntry({ changes, by, proposed_by, at }: MadeChange, people: People, isNew: boolean): Html {
  const who = proposed_by
    ? `${personInWords(people, by)}, proposed by ${personInWords(people, proposed_by)}`
    : personInWords(people, by);
  return html`<p>${isNew && pill('look', 'New')} ${shownTime(at)}, ${who}</p>
${facts(changes.map((change) => [changeInWords(change).what, html`${changeInWords(change).after} <span class="hint">(was: ${changeInWords(change).before})</span>`]))}`;
}

/** What an owner is told and has not said to have seen: what others made. */
export function unseenBy(
  { user_id, role }: Pick<User, 'user_id' | 'role'>,
  { made, seenUntil }: Pick<ShopChanges, 'made' | 'seenUntil'>,
): readonly MadeChange[] {
  if (role !== 'owner') return [];
  return made.filter(({ by, at }) => by !== user_id && at > (seenUntil.get(user_id) ?? ''));
}
