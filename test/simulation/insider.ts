import { MoneyChange } from '../../shared/merchants/merchant/money-change.ts';
import type { Role } from '../../shared/merchants/user/permissions.ts';
import type { User } from '../../shared/merchants/user/user.table.ts';
import { signIn } from '../support/dashboard.ts';
import type { Kiosk } from './kiosk.ts';
import { enter, type FilledForm, tap, tapOnceOrTwice } from './person.ts';
import type { Chance } from './random.ts';

const SETTINGS = '/dashboard/settings';
const ROLES: readonly Role[] = ['manager', 'manager', 'cashier'];
const NAMES = ['SHOP', 'EVE', 'AMA STORES'];
const LIMITS_CEDIS = [0, 400, 600, 900];

/** A form, and the values that customers may see after an owner submits it. */
interface Tried extends Pick<FilledForm, 'path' | 'fields'> {
  readonly approves?: string | undefined;
}

/** Creates each shop's people whose changes need approval. */
export async function peopleOf(kiosk: Kiosk): Promise<User[]> {
  const people = [];
  for (const { id } of kiosk.shops) for (const role of ROLES) people.push((await signIn(kiosk, role, id)).user);
  return people;
}

/**
 * Changes where a shop is paid, or accepts or rejects a pending change, sometimes at the other shop and sometimes
 * twice.
 */
export async function changeShop(kiosk: Kiosk, chance: Chance, people: readonly User[]): Promise<void> {
  const user = chance.pick([...people]);
  const token = await enter(kiosk, user);
  if (token === undefined) return;
  const { path, fields, approves } = chance.pick([
    ...formsOf(kiosk, chance, user),
    ...decisionsOf(kiosk, chance, user),
  ]);
  // The change may be stored even if the response was lost.
  if (user.role === 'owner' && approves !== undefined) kiosk.approved.add(`${user.merchant_id} ${approves}`);
  await tapOnceOrTwice(kiosk, chance, token, { path: `${SETTINGS}${path}`, fields });
}

/** Changes a link's price or stock as a person or with a key, sometimes at the other shop. */
export async function changeLinks(kiosk: Kiosk, chance: Chance, people: readonly User[]): Promise<void> {
  if (chance.between(1, 3) > 1) return changeLinkAs(kiosk, chance, chance.pick([...people]));
  const slugs = slugsOf(kiosk);
  if (slugs.length === 0) return;
  const key = chance.pick(kiosk.shops).liveKey;
  const body = { amount: chance.pick([0.01, 25, 30]) };
  await kiosk.request('link/change', { key, parameters: { slug: chance.pick(slugs) }, body });
}

/** Attempts to change a link or its codes in the dashboard. */
export async function changeLinkAs(kiosk: Kiosk, chance: Chance, user: User): Promise<void> {
  const slugs = slugsOf(kiosk);
  const token = await enter(kiosk, user);
  if (token === undefined || slugs.length === 0) return;
  const path = `/dashboard/links/${chance.pick(slugs)}`;
  const title = `Wi-Fi canary of a ${user.role}`;
  const codes = Array.from({ length: 3 }, () => `canary-code-${chance.between(1, 60)}`).join('\n');
  const amount = chance.pick(['0.01', '25', '30']);
  const { to, fields } = chance.pick<{ to: string; fields: Record<string, string> }>([
    { to: 'change', fields: { title, amount } },
    { to: 'change', fields: { title, min_amount: amount } },
    { to: 'change', fields: { title } },
    { to: 'codes', fields: { codes } },
    { to: 'remove-codes', fields: {} },
  ]);
  await tap(kiosk, token, { path: `${path}/${to}`, fields }, `page-${chance.between(1, 1_000_000_000)}`);
}

const slugsOf = (kiosk: Kiosk): string[] =>
  kiosk.items().flatMap(({ sk, slug }) => (sk === 'LINK' ? [String(slug)] : []));

function formsOf(kiosk: Kiosk, chance: Chance, { merchant_id }: User): Tried[] {
  const own = kiosk.shops.find(({ id }) => id === merchant_id)?.number ?? '';
  // The other shop's number is already known, so the owner cannot add it.
  const theirs = kiosk.shops.filter(({ id }) => id !== merchant_id).map(({ number }) => number);
  const others = chance.pick([0, 1, 2].map((n) => `+23320000000${n}`).concat(theirs));
  const account_name = chance.pick(NAMES);
  const limit = chance.pick(LIMITS_CEDIS);
  const local = (number: string) => number.replace('+233', '0');
  const name = chance.pick([own, others]);
  const add = { number: others, network: 'TELECEL', account_name };
  const limits = {
    match_by_name_up_to: String(limit),
    confirm_unproven_up_to: '50',
    new_wallet_daily_limit: '1000',
    confirm_always_above: '',
  };
  return [
    {
      path: '/numbers/new',
      fields: add,
      approves: theirs.includes(others) ? undefined : `${others} ${account_name}`,
    },
    { path: `/numbers/${local(name)}/name`, fields: { account_name }, approves: `${name} ${account_name}` },
    { path: `/numbers/${local(chance.pick([own, others]))}/first`, fields: {} },
    // Without the shop's own number, nothing could be paid.
    { path: `/numbers/${local(others)}/remove`, fields: {} },
    { path: '/matching', fields: limits, approves: `limit ${limit * 100}` },
  ];
}

/** Returns decisions about any pending change. */
function decisionsOf(kiosk: Kiosk, chance: Chance, { merchant_id }: User): Tried[] {
  const waiting = kiosk.memory.items().filter(({ sk }) => String(sk).startsWith('WAITS#'));
  if (waiting.length === 0) return [];
  const { id, merchant_id: of, change, needs } = chance.pick(waiting);
  const approves = of === merchant_id && needs === undefined ? approvalOf(MoneyChange.parse(change)) : undefined;
  const approve = { path: `/changes/${id}/approve`, fields: {}, approves };
  return [approve, approve, approve, { path: `/changes/${id}/drop`, fields: {} }];
}

function approvalOf(change: MoneyChange): string | undefined {
  if (change.kind === 'add') return `${change.number} ${change.account_name}`;
  if (change.kind === 'name') return `${change.number} ${change.to}`;
  return change.kind === 'limit' && change.limit === 'match_by_name_up_to' ? `limit ${change.to}` : undefined;
}
