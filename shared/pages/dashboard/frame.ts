import { html, raw } from 'hono/html';
import { may, type Permission, type Rights } from '../../merchants/user/permissions.ts';
import { namingOperator } from '../../runtime/outside/operator.ts';
import { icons as checkoutIcons, icon } from '../checkout/icons.ts';
import {
  ACCOUNT,
  APP,
  CUSTOMERS,
  HELD,
  HOME,
  LINKS,
  MANY,
  MERCHANT_WALLETS,
  ON_PHONE,
  OPERATOR_MERCHANTS,
  OPERATOR_PHONES,
  OPERATOR_REPAIR,
  OPERATOR_WALLETS,
  PUSH_SCRIPT,
  REQUESTS,
  SEARCH,
  SETTINGS,
  SIGN_IN,
  TEAM,
  TEXTS,
  TILL,
} from './addresses.ts';
import { assetPath } from './asset-path.ts';
import { icons } from './icons.ts';
import type { Html } from './parts/content.ts';
import type { InlineStyle, Shown, Visitor } from './visit.ts';

interface Around {
  readonly visitor: Visitor | undefined;
  /** The page's own address. */
  readonly here: string;
  readonly notice: string | undefined;
  /** Why a form was refused that is not on the page any more. */
  readonly fault: string | undefined;
  readonly version: string | undefined;
  readonly refreshSeconds: number | undefined;
  /** How many payments wait for a person. */
  readonly toCheck: number;
  /** Who runs the stage, where that is known. */
  readonly operator: string | undefined;
}

/** A whole page: what it shows, the way to the others, and what was just done. */
export function frame({ title, action, main, style, script, isWhole, reloadSeconds }: Shown, around: Around): Html {
  const { visitor, notice, fault, version, refreshSeconds } = around;
  const fresh = refreshSeconds === undefined ? '' : ` data-refresh="${refreshSeconds}"`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title}${visitor?.merchant && ` · ${visitor.merchant.name}`}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="#f4f2ee" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#14161a" media="(prefers-color-scheme: dark)">
<meta name="format-detection" content="telephone=no">
${reloadSeconds && html`<noscript><meta http-equiv="refresh" content="${reloadSeconds}"></noscript>`}
<link rel="icon" href="${checkoutIcons.tab}">
<link rel="manifest" href="${APP}/manifest.json">
<link rel="apple-touch-icon" href="${APP}/icon/icon-192.png">
${style ? styleInside(style) : styleLink()}
<script src="${assetPath('dashboard.js')}" defer></script>
${script && html`<script src="${script === PUSH_SCRIPT ? script : assetPath(script)}" defer></script>`}
</head>
<body${bodyClass(visitor, isWhole)}>
<a class="skip" href="#main">To the content</a>
${visitor && !isWhole && head(visitor, around.here)}
${visitor?.merchant && visitor.session.is_test && testBand()}
<main id="main" tabindex="-1"${raw(fresh)}${version !== undefined && html` data-version="${version}"`}>
${action ? html`<div class="head-line"><h1>${title}</h1>${action}</div>` : html`<h1>${title}</h1>`}
${visitor?.shop?.suspended_at && suspended(visitor, around.operator)}
${notice && html`<p class="notice" role="status">${icon(checkoutIcons.check)}<span>${notice}</span></p>`}
${fault && html`<p class="fault" tabindex="-1" autofocus role="alert">${fault}</p>`}
${main}
</main>
${visitor ? !isWhole && navigation(visitor, around) : style && styleLink()}
</body>
</html>
`;
}

function bodyClass(visitor: Visitor | undefined, isWhole = false) {
  if (!visitor) return raw(' class="alone"');
  return isWhole && raw(' class="alone whole"');
}

function styleLink(): Html {
  return html`<link rel="stylesheet" href="${assetPath('dashboard.css')}">`;
}

/** The file is loaded at the end of such a page all the same: the next one finds it there. */
function styleInside({ text }: InlineStyle): Html {
  return html`<style>${raw(text)}</style>`;
}

function head({ user, merchant, session }: Visitor, here: string): Html {
  const name = merchant?.name ?? 'Operator';
  return html`<header class="head">
<p class="monogram" aria-hidden="true">${[...name][0]}</p>
<p class="whose"><b>${name}</b><span>${user.name}</span></p>
${merchant && may(user, 'charges:read') && here.split('?')[0] !== SEARCH && html`<form class="find" role="search" aria-label="Search everywhere" method="get" action="${SEARCH}"><input name="q" type="search" aria-label="Search" placeholder="Search" maxlength="100" autocomplete="off"></form>`}
${session.by_pin && html`<form method="post" action="${ON_PHONE}/change"><button class="plain button">Change<span class="unseen"> person</span></button></form>`}
</header>`;
}

/** Above every page of test mode, so that nobody takes a test for money or a text that was sent. */
function testBand(): Html {
  return html`<form class="band" aria-label="Test mode" method="post" action="${SIGN_IN}/test-mode">
<p><b>TEST MODE</b> Nothing here is real.</p>
<input type="hidden" name="next" value="${HOME}">
<button class="plain button">Leave</button>
</form>`;
}

/** On every page of a shop that is suspended, so that nobody fills in a form only to learn it then. */
function suspended({ user }: Visitor, operator: string | undefined): Html {
  const who = may(user, 'operator')
    ? 'Its people can'
    : namingOperator({ operator }, 'Ask the operator. Until then you can');
  return html`<p class="notice look"><span><b>This shop is suspended.</b> Customers cannot pay. ${who} view everything but change nothing.</span></p>`;
}

/** On a phone a bar for the thumb, whose last button opens the list of all pages; on a wide screen that list is beside the page. */
function navigation({ user, merchant, session }: Visitor, { here, toCheck }: Pick<Around, 'here' | 'toCheck'>): Html {
  const entries = entriesFor(user, merchant !== undefined);
  // An operator who has a merchant open sees where the merchant's pages end: both have wallets, and an audit.
  const [operators] = merchant ? entries.filter(({ needs }) => needs === 'operator') : [];
  // Contacts and texts to many are an area of their own, below the entry of texts.
  const path = (here.split('?')[0] ?? '').replace(MANY, TEXTS);
  // A page may be below another entry's, as held payments are below charges.
  const [current] = entries
    .filter((entry) => path === entry.path || path.startsWith(`${entry.path}/`))
    .toSorted((one, other) => other.path.length - one.path.length);
  const link = (entry: Entry) =>
    html`<a href="${entry.path}"${entry === current && raw(' aria-current="page"')}>${icon(entry.icon)}<span>${entry.name}</span>${entry.path === HELD && count(toCheck)}</a>`;
  return html`<nav class="bar" aria-label="Main pages">
${entries.slice(0, BAR_ENTRIES).map(link)}
<a href="#menu"${!entries.slice(0, BAR_ENTRIES).some((entry) => entry === current) && raw(' aria-current="true"')}>${icon(icons.more)}<span>More</span></a>
</nav>
<nav class="menu" id="menu" aria-label="All pages">
<a class="close" href="#main">${icon(icons.close)}<span>Close</span></a>
${entries.map((entry) => [entry === operators && html`<p class="apart">Operator</p>`, link(entry)])}
${!session.by_pin && ownEntries({ user, merchant, session }, path, current)}
</nav>`;
}

/** What is about a person's own access, which is not for a shared phone. */
function ownEntries(
  { user, merchant, session }: Pick<Visitor, 'user' | 'merchant' | 'session'>,
  path: string,
  current: Entry | undefined,
): Html {
  return html`
<a href="${APP}"${path.startsWith(APP) && raw(' aria-current="page"')}>${icon(icons.bell)}<span>Notifications</span></a>
<a href="${ACCOUNT}"${path.startsWith(ACCOUNT) && raw(' aria-current="page"')}>${icon(icons.account)}<span>Your account</span></a>
${merchant && !session.is_test && html`<form method="post" action="${SIGN_IN}/test-mode"><input type="hidden" name="mode" value="test"><input type="hidden" name="next" value="${current?.path ?? HOME}"><button>${icon(icons.test)}<span>Test mode</span></button></form>`}
${may(user, 'operator') && merchant && html`<form method="post" action="${SIGN_IN}/open-merchant"><button>${icon(checkoutIcons.back)}<span>Leave ${merchant.name}</span></button></form>`}
<form method="post" action="${SIGN_IN}/sign-out"><button>${icon(checkoutIcons.back)}<span>Sign out</span></button></form>`;
}

/** Beside an entry, also where it is nothing: an open page takes up what it becomes. */
function count(waiting: number): Html {
  const shown = waiting > MAX_COUNTED ? `${MAX_COUNTED}+` : waiting;
  return html`<b class="count" data-count>${waiting > 0 && html`${shown}<span class="unseen"> waiting</span>`}</b>`;
}

/** A page that the navigation leads to. */
interface Entry {
  readonly name: string;
  readonly path: string;
  readonly needs: Permission;
  readonly icon: string;
}

/** A merchant's pages. The first four are in the bar at the bottom of a phone's screen. */
const merchantEntries: readonly Entry[] = [
  { name: 'Today', path: '/dashboard/today', needs: 'charges:read', icon: icons.today },
  { name: 'Charges', path: '/dashboard/charges', needs: 'charges:read', icon: icons.charges },
  { name: 'To check', path: HELD, needs: 'receipts:read', icon: icons.held },
  { name: 'Texts', path: '/dashboard/texts', needs: 'texts:read', icon: icons.texts },
  { name: 'Till', path: TILL, needs: 'till:take', icon: icons.till },
  { name: 'Links', path: LINKS, needs: 'charges:read', icon: icons.links },
  { name: 'Requests', path: REQUESTS, needs: 'charges:read', icon: icons.requests },
  { name: 'Wallets', path: MERCHANT_WALLETS, needs: 'balances:read', icon: icons.money },
  { name: 'Customers', path: CUSTOMERS, needs: 'reports:read', icon: icons.team },
  { name: 'Reports', path: '/dashboard/today/reports', needs: 'reports:read', icon: icons.reports },
  { name: 'Developers', path: '/dashboard/developers', needs: 'keys:read', icon: icons.developers },
  { name: 'Settings', path: SETTINGS, needs: 'settings:read', icon: icons.settings },
  { name: 'Team', path: TEAM, needs: 'settings:read', icon: icons.team },
  { name: 'Audit', path: '/dashboard/settings/audit', needs: 'audit:read', icon: icons.repair },
];

/** The operator's pages. */
const operatorEntries: readonly Entry[] = [
  { name: 'Phones', path: OPERATOR_PHONES, needs: 'operator', icon: icons.phones },
  { name: 'Wallets', path: OPERATOR_WALLETS, needs: 'operator', icon: icons.money },
  { name: 'Merchants', path: OPERATOR_MERCHANTS, needs: 'operator', icon: icons.team },
  { name: 'Unassigned', path: `${OPERATOR_MERCHANTS}/unassigned`, needs: 'operator', icon: icons.held },
  { name: 'Repair', path: OPERATOR_REPAIR, needs: 'operator', icon: icons.repair },
];

/** As many waiting payments as are counted; one more is read to know that there are more. */
export const MAX_COUNTED = 9;

/** How many pages a thumb reaches; beside them is the way to the others. */
const BAR_ENTRIES = 4;

/** The pages that a person may open, of the merchant that is open and of the operator's. */
export function entriesFor(user: Rights, hasMerchant: boolean): readonly Entry[] {
  const entries = [...(hasMerchant ? merchantEntries : []), ...operatorEntries];
  return entries.filter(({ needs }) => may(user, needs));
}
