import { listChanges } from '../../../merchants/merchant/money-change.table.ts';
import type { MoneyChange } from '../../../merchants/merchant/money-change.ts';
import type { User } from '../../../merchants/user/user.table.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { CHANGES } from '../addresses.ts';
import type { Html } from '../html.ts';
import { tile } from '../parts/status.ts';
import { changeInWords, KINDS_OF_CHANGE } from '../settings/change-words.ts';
import { peopleOf, personInWords, unseenBy } from '../settings/changes.ts';
import { shownTime } from '../shown-time.ts';

/** Each has a tile of its own. */
const MAX_TILES = 4;

/** What only an owner decides, and what others have changed since this one looked. */
export async function changeTiles(
  outside: Pick<Outside, 'table' | 'now'>,
  merchantId: string,
  user: User,
): Promise<Html[]> {
  const changes = await listChanges(outside, merchantId);
  const [waits, news] = [changes.waiting, unseenBy(user, changes)];
  const more = waits.length + news.length - MAX_TILES;
  if (waits.length + news.length === 0) return [];
  const people = await peopleOf(outside, changes);
  const who = ({ by, at }: { readonly by: string; readonly at: string }) =>
    `By ${personInWords(people, by)}, ${shownTime(at)}`;
  const shown = [
    ...waits.map((one) => changeTile('Waits for your word', [one.change], ['Now', 'Then'], who(one))),
    ...news.map((one) => changeTile('Was changed', one.changes, ['Was', 'Now'], who(one))),
  ].slice(0, MAX_TILES);
  const hint = 'Of numbers, names and limits';
  return more > 0 ? [...shown, tile('Changes', `${more} more`, { href: CHANGES, hint, isUrgent: true })] : shown;
}

function changeTile(
  name: string,
  changes: readonly MoneyChange[],
  [before, after]: readonly [string, string],
  who: string,
): Html {
  const kinds = [...new Set(changes.map(({ kind }) => KINDS_OF_CHANGE[kind]))].join(', ');
  const [first] = changes.map(changeInWords);
  const rest = changes.length > 1 ? ` And ${changes.length - 1} more.` : '';
  const hint = `${first?.what}. ${before}: ${first?.before}. ${after}: ${first?.after}.${rest} ${who}`;
  return tile(name, kinds, { href: CHANGES, hint, isUrgent: true });
}
