import { html, raw } from 'hono/html';
import { may } from '../../merchants/user/permissions.ts';
import { namingOperator } from '../../runtime/outside/operator.ts';
import * as checkoutIcons from '../frame/drawings.ts';
import { icon } from '../frame/icon.ts';
import { assetPath } from './asset-path.ts';
import { backOf, barOf, type Entry, type MenuItem, menuOf, type Spot, spotOf } from './menu.ts';
import { MAX_COUNTED, type MenuFacts } from './menu-facts.ts';
import type { Back } from './parts/action.ts';
import { APP, ON_PHONE, PUSH_SCRIPT, SEARCH, SIGN_IN } from './parts/addresses.ts';
import { type Html, notice, tabs } from './parts/content.ts';
import { icons } from './parts/icons.ts';
import type { Notice } from './parts/notice.ts';
import { titleLine } from './parts/title.ts';
import type { InlineStyle, Shown, Visitor } from './parts/visit.ts';

interface Around {
  readonly visitor: Visitor | undefined;
  readonly here: string;
  /** URL of the page that linked here. */
  readonly cameFrom: string | undefined;
  readonly notice: Notice | undefined;
  /** Reason why a form was rejected, if the form is no longer on the page. */
  readonly fault: string | undefined;
  readonly version: string | undefined;
  readonly refreshSeconds: number | undefined;
  readonly menuFacts: MenuFacts;
  readonly operator: string | undefined;
  readonly host: string;
}

export function frame(shown: Shown, around: Around): Html {
  const { title, about, actions, back, main, style, script, reloadSeconds, soonSeconds } = shown;
  const { visitor, fault, version, refreshSeconds, menuFacts } = around;
  const menu = visitor ? menuOf(visitor) : [];
  const spot = spotOf(menu, around.here);
  const soon = soonSeconds === undefined ? '' : ` data-soon="${soonSeconds}"`;
  const fresh = refreshSeconds === undefined ? '' : ` data-refresh="${refreshSeconds}"${soon}`;
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
<body${visitor ? html` data-person="${visitor.user_id}"` : raw(' class="alone"')}>
<a class="skip" href="#main">Skip to the content</a>
${visitor && head(visitor, around.here)}
${visitor?.merchant && visitor.session.is_test && testBand()}
${visitor && navigation(visitor, menu, spot, menuFacts)}
<main id="main" tabindex="-1"${raw(fresh)}${version !== undefined && html` data-version="${version}"`}>
${!visitor && brand(around.host)}
${titleLine(title, actions, fromList(back ?? (spot && backOf(spot)), around.cameFrom), about)}
${spot && placeTabs(spot, menuFacts)}
${visitor?.shop?.suspended_at && suspended(visitor, around.operator)}
${around.notice && noticeShownOnce(around.notice)}
${fault && html`<p class="fault" tabindex="-1" autofocus role="alert">${fault}</p>`}
${main}
</main>
${!visitor && style && styleLink()}
</body>
</html>
`;
}

/** Makes the back link keep the list's filters if the visitor came from that list. */
function fromList(back: Back | undefined, cameFrom = ''): Back | undefined {
  const { pathname, search } = URL.parse(cameFrom) ?? { pathname: '', search: '' };
  return back && pathname === back.path.split('?')[0] ? { ...back, path: `${pathname}${search}` } : back;
}

/** Renders the product name and the host. The host distinguishes a test stage from production. */
function brand(host: string): Html {
  return html`<p class="whose brand"><img src="${checkoutIcons.tab}" alt="" width="48" height="48"><b>Momo Kiosk</b><span class="hint">${host}</span></p>`;
}

function noticeShownOnce({ notice: text, isWaiting, next }: Notice): Html {
  const shown = html`${text}${next && html` <a href="${next.href}">${next.name}</a>`}`;
  return notice(isWaiting ? 'waiting' : 'good', shown, { isNews: true });
}

function styleLink(): Html {
  return html`<link rel="stylesheet" href="${assetPath('dashboard.css')}">`;
}

/** Renders the stylesheet inline. The page also loads the file, to cache it for the next page. */
function styleInside({ text }: InlineStyle): Html {
  return html`<style>${raw(text)}</style>`;
}

function head({ user, merchant, session }: Visitor, here: string): Html {
  const name = merchant?.name ?? 'Operator';
  return html`<header class="head">
<p class="monogram" aria-hidden="true">${[...name][0]}</p>
<p class="whose"><b>${name}</b><span class="hint">${user.name}</span></p>
${merchant && may(user, 'charges:read') && here.split('?')[0] !== SEARCH && html`<form class="find" role="search" aria-label="Search everywhere" method="get" action="${SEARCH}"><input name="q" type="search" aria-label="Search" placeholder="Search" maxlength="100" autocomplete="off"></form>`}
${session.by_pin && html`<form method="post" action="${ON_PHONE}/change"><button class="plain button">Change<span class="unseen"> person</span></button></form>`}
</header>`;
}

function testBand(): Html {
  return html`<form class="test-band" aria-label="Test mode" method="post" action="${SIGN_IN}/test-mode">
<p><b>TEST MODE</b> Nothing here is real.</p>
<input type="hidden" name="next" value="${SIGN_IN}">
<button class="plain button">Leave</button>
</form>`;
}

function suspended({ user }: Visitor, operator: string | undefined): Html {
  const who = may(user, 'operator') ? 'Its team can' : namingOperator({ operator }, 'Ask support. Until then you can');
  return notice(
    'look',
    html`<b>This shop is suspended.</b> Customers cannot pay. ${who} view everything but change nothing.`,
  );
}

function placeTabs({ entry, place, page }: Spot, facts: MenuFacts): Html {
  const row = (name: string, places: readonly MenuItem[], current: MenuItem) =>
    places.length > 1 &&
    !places[0]?.listsOthers &&
    tabs(
      name,
      places.map((one) => ({
        address: one.path,
        name: html`${one.name}${one.counts && count(facts)}`,
        isCurrent: one.path === current.path,
      })),
      { areOfMenu: true },
    );
  return html`${page && html`${row(entry.name, entry.places, place)}${row(place.name, place.pages ?? [], page)}`}`;
}

/** Renders the menu. On wide screens, it is next to the page. On phones, the last button of the bottom bar opens it. */
function navigation(visitor: Visitor, menu: readonly Entry[], spot: Spot | undefined, facts: MenuFacts): Html {
  const bar = barOf(menu, facts);
  const inBar = bar.find((entry) => entry === spot?.entry);
  // A heading separates the operator's entries from the open merchant's, because some entries have the same names.
  const operators = visitor.merchant && menu.find(({ places }) => places[0]?.needs === 'operator');
  const link = (entry: Entry, isCurrent: boolean) =>
    html`<a href="${entry.places[0]?.path}"${isCurrent && raw(' aria-current="page"')}>${icon(entry.icon)}<span>${entry.name}</span>${entry.places.some(({ counts }) => counts) && count(facts)}</a>`;
  return html`<nav class="bar" aria-label="Main pages">
${bar.map((entry) => link(entry, entry === inBar))}
<a href="#menu"${!inBar && raw(' aria-current="true"')}>${icon(icons.more)}<span>More</span></a>
</nav>
<nav class="menu" id="menu" aria-label="All pages">
<a class="close" href="#main">${icon(icons.close)}<span>Close</span></a>
${menu.map((entry) => [entry === operators && html`<p class="apart">Operator</p>`, link(entry, entry === spot?.entry)])}
${!visitor.session.by_pin && ownForms(visitor, spot)}
</nav>`;
}

function ownForms({ user, merchant, session }: Visitor, spot: Spot | undefined): Html {
  return html`
${merchant && !session.is_test && html`<form method="post" action="${SIGN_IN}/test-mode"><input type="hidden" name="mode" value="test"><input type="hidden" name="next" value="${spot?.place.path ?? SIGN_IN}"><button>${icon(icons.test)}<span>Test mode</span></button></form>`}
${may(user, 'operator') && merchant && html`<form method="post" action="${SIGN_IN}/open-merchant"><button>${icon(checkoutIcons.back)}<span>Leave ${merchant.name}</span></button></form>`}
<form method="post" action="${SIGN_IN}/sign-out"><button>${icon(checkoutIcons.back)}<span>Sign out</span></button></form>`;
}

/** Renders the number of open tasks. Rendered even if zero, so that an open page can update it. */
function count({ toCheck }: MenuFacts): Html {
  const shown = toCheck > MAX_COUNTED ? `${MAX_COUNTED}+` : toCheck;
  return html`<b class="count" data-count>${toCheck > 0 && html`${shown}<span class="unseen"> waiting</span>`}</b>`;
}
