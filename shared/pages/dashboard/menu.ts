import { may, type Permission, type Rights } from '../../merchants/user/permissions.ts';
import type { MenuFacts } from './menu-facts.ts';
import type { Back } from './parts/action.ts';
import * as at from './parts/addresses.ts';
import { icons } from './parts/icons.ts';
import type { Visitor } from './parts/visit.ts';

/** A menu entry, which links to its first place. If it has several places, its pages show them as tabs. */
export interface Entry {
  readonly name: string;
  readonly icon: string;
  readonly places: readonly MenuItem[];
  /**
   * True to show the entry in a phone's navigation bar only if the shop has a till. The entry then links to the till.
   */
  readonly isForTill?: boolean;
}

export interface MenuItem {
  readonly name: string;
  readonly path: string;
  /** Permission required by the page. `session` marks a person's own settings, which shared phones hide. */
  readonly needs: Permission | 'session';
  /** Pages under this path also belong to this place. */
  readonly also?: string;
  readonly pages?: readonly MenuItem[];
  readonly counts?: boolean;
  /** True if this place's page lists the entry's other places, so that no tabs are needed. */
  readonly listsOthers?: boolean;
  /** Heading and short description under which another place's page lists this place. */
  readonly group?: string;
  readonly about?: string;
}

const shopEntries: readonly Entry[] = [
  { name: 'Today', icon: icons.today, places: [{ name: 'Today', path: at.HOME, needs: 'charges:read' }] },
  {
    name: 'Sell',
    icon: icons.till,
    isForTill: true,
    places: [
      { name: 'Tills', path: at.TILL, needs: 'till:take' },
      { name: 'Links', path: at.LINKS, needs: 'charges:read' },
      { name: 'Requests', path: at.REQUESTS, needs: 'charges:read' },
    ],
  },
  {
    name: 'Payments',
    icon: icons.charges,
    places: [
      { name: 'Bills', path: at.CHARGES, needs: 'charges:read', also: at.RECEIPTS },
      { name: 'To check', path: at.HELD, needs: 'receipts:read', counts: true },
    ],
  },
  {
    name: 'Texts',
    icon: icons.texts,
    places: [
      { name: 'Sent', path: at.TEXTS, needs: 'texts:read', also: at.MANY },
      { name: 'Replies', path: at.INBOX, needs: 'texts:read' },
      { name: 'Credits', path: at.CREDITS, needs: 'credits:read' },
      { name: 'Senders', path: at.SENDERS, needs: 'texts:read' },
    ],
  },
  {
    name: 'Customers',
    icon: icons.team,
    places: [{ name: 'Customers', path: at.CUSTOMERS, needs: 'texts:read' }],
  },
  {
    name: 'Wallets',
    icon: icons.money,
    places: [
      { name: 'Wallets', path: at.MERCHANT_WALLETS, needs: 'balances:read' },
      { name: 'Numbers', path: at.NUMBERS, needs: 'settings:read' },
    ],
  },
  { name: 'Reports', icon: icons.reports, places: [{ name: 'Reports', path: at.REPORTS, needs: 'reports:read' }] },
  {
    name: 'Settings',
    icon: icons.settings,
    places: [
      { name: 'Settings', path: at.SETTINGS, needs: 'settings:read', listsOthers: true },
      { name: 'Team', path: at.TEAM, needs: 'settings:read', group: 'People', about: 'Who can sign in' },
      {
        name: 'Shared phones',
        path: at.SHARED_PHONES,
        needs: 'team:write',
        group: 'People',
        about: 'PINs for a phone at the counter',
      },
      { name: 'Notifications', path: at.APP, needs: 'session', group: 'You', about: 'On your phone' },
      { name: 'Your account', path: at.ACCOUNT, needs: 'session', group: 'You', about: 'Name and passkeys' },
      { name: 'Audit', path: at.AUDIT, needs: 'audit:read', group: 'People', about: 'Who changed what' },
      {
        name: 'Developers',
        path: at.DEVELOPERS,
        needs: 'keys:read',
        group: 'Your website',
        about: 'Keys, and messages to your website',
        pages: [
          { name: 'Keys', path: at.DEVELOPERS, needs: 'keys:read' },
          { name: 'Webhooks', path: at.WEBHOOKS, needs: 'webhooks:read' },
          { name: 'Events', path: at.EVENTS, needs: 'webhooks:read' },
          { name: 'Requests', path: at.FAILED_REQUESTS, needs: 'keys:read' },
        ],
      },
    ],
  },
];

const operatorEntries: readonly Entry[] = [
  {
    name: 'Phones',
    icon: icons.phones,
    places: [
      { name: 'Phones', path: at.OPERATOR_PHONES, needs: 'operator' },
      { name: 'Wallets', path: at.OPERATOR_WALLETS, needs: 'operator' },
    ],
  },
  {
    name: 'Merchants',
    icon: icons.team,
    places: [
      { name: 'Merchants', path: at.OPERATOR_MERCHANTS, needs: 'operator' },
      { name: 'Credits', path: at.OPERATOR_CREDITS, needs: 'operator' },
      { name: 'Unassigned', path: at.UNASSIGNED, needs: 'operator' },
      { name: 'Unread', path: at.UNREAD, needs: 'operator' },
    ],
  },
  {
    name: 'Repair',
    icon: icons.repair,
    places: [
      { name: 'Dead letters', path: at.OPERATOR_REPAIR, needs: 'operator' },
      { name: 'Doctor', path: at.DOCTOR, needs: 'operator' },
      { name: 'Audit', path: at.OPERATOR_AUDIT, needs: 'operator' },
    ],
  },
];

interface Who {
  readonly user: Rights;
  readonly merchant: object | undefined;
  readonly session: Pick<Visitor['session'], 'by_pin'>;
}

export function menuOf({ user, merchant, session }: Who): Entry[] {
  const sees = ({ needs }: MenuItem) =>
    needs === 'session' ? !session.by_pin : may(user, needs) && (merchant !== undefined || needs === 'operator');
  const seen = (places: readonly MenuItem[]): MenuItem[] =>
    places.filter(sees).map((place) => (place.pages ? { ...place, pages: seen(place.pages) } : place));
  const entries = merchant ? [...shopEntries, ...operatorEntries] : [...operatorEntries, ...shopEntries];
  return entries.map((entry) => ({ ...entry, places: seen(entry.places) })).filter(({ places }) => places.length > 0);
}

/** Number of entries in a phone's navigation bar, next to the menu button. */
const BAR_ENTRIES = 4;

export function barOf(entries: readonly Entry[], { hasTill }: Pick<MenuFacts, 'hasTill'>): Entry[] {
  const isInBar = ({ isForTill, places: [first] }: Entry) => !isForTill || (hasTill && first?.path === at.TILL);
  return entries.filter(isInBar).slice(0, BAR_ENTRIES);
}

export interface Spot {
  readonly entry: Entry;
  readonly place: MenuItem;
  /** The innermost place or page of the menu. */
  readonly list: MenuItem;
  /** Same as `list`. Unset on subpages, which have no tabs. */
  readonly page: MenuItem | undefined;
}

export function spotOf(entries: readonly Entry[], here: string): Spot | undefined {
  const path = here.split('?')[0] ?? '';
  const spots = entries.flatMap((entry) =>
    entry.places.flatMap((place) =>
      [place, ...(place.pages ?? [])].flatMap((page) =>
        [page.path, page.also ?? page.path]
          .filter((one) => path === one || path.startsWith(`${one}/`))
          .map(({ length }) => ({ entry, place, list: page, page: path === page.path ? page : undefined, length })),
      ),
    ),
  );
  // Places can be nested: reports are under Today, for example. The innermost wins.
  return spots.toSorted((one, other) => other.length - one.length)[0];
}

/** Returns the list that a page belongs to. Undefined on pages with tabs. */
export function backOf({ entry: { places }, place, list, page }: Spot): Back | undefined {
  if (!page) return list;
  return place !== places[0] && places[0]?.listsOthers ? places[0] : undefined;
}
