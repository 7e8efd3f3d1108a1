import { html } from 'hono/html';
import { expect, test } from 'vitest';
import type { Role } from '../../../shared/merchants/user/permissions.ts';
import { stopBefore } from '../../../shared/pages/dashboard/area.ts';
import { openPage, page, personPage } from '../../../shared/pages/dashboard/page.ts';
import { OPERATOR_PHONES } from '../../../shared/pages/dashboard/parts/addresses.ts';
import type { Visitor } from '../../../shared/pages/dashboard/parts/visit.ts';

const AT = '2026-11-20T10:00:00.000Z';
const shop = { merchant_id: 'shop', name: 'Shop', prefix: 'MK', momo_accounts: [], created_at: AT };
const suspended = { ...shop, suspended_at: AT };

/** Returns a signed-in user, optionally by PIN on a shared phone. */
function visitor(role: Role, { merchant, shop, byPin = false }: Partial<Visitor> & { byPin?: boolean }): Visitor {
  const user = { user_id: 'ama', name: 'Ama', role, created_at: AT, ...(byPin && { at_most: 'cashier' as const }) };
  const by_pin = byPin ? { phone_id: 'phone', set_at: AT, role, activity_key: 'key' } : undefined;
  const ends = { fresh_until_ms: 0, expires_at_epoch_seconds: 0 };
  const session = { user_id: 'ama', hash: 'hash', started_at: AT, browser: 'Chrome on Android', by_pin, ...ends };
  const rate = { countedBy: {}, requestsPerSecond: 10 };
  return { user, session, user_id: 'ama', merchant_id: merchant?.merchant_id, merchant, shop, rate };
}

const act = async () => ({ goTo: '/' });
const show = async () => ({ title: 'Keys', main: html`` });
const [keysForm] = page({ path: '/keys', needs: 'keys:write', needsFresh: true, act });
const [keysPage] = page({ path: '/keys', needs: 'keys:read', show });
const [stageForm] = personPage({ path: '/stage', needs: 'operator', act });
const [ownForm] = personPage({ path: '/own', needs: 'session', act });
const [phoneForm] = personPage({ path: '/phone', needs: 'session', onSharedPhone: true, act });
const [openForm] = openPage({ path: '/open', act });

type Asked = Parameters<typeof stopBefore>[2];
const good: Asked = { shownAt: '/keys', isLooking: false, isFromOurPage: true, hasFreshPasskey: true };
const stale: Asked = { ...good, hasFreshPasskey: false };

function stopOf(form: typeof keysForm, who: Visitor | undefined, asked: Asked) {
  if (!form) throw new Error('The page is in the table');
  return stopBefore(form, who, asked);
}

const without = { merchant: undefined, shop: suspended };

test.each<[who: string, asked: Asked, visitor: Visitor | undefined, stop: ReturnType<typeof stopBefore>]>([
  [
    'a signed-out user opens the page',
    { ...stale, isLooking: true, isFromOurPage: false },
    undefined,
    { goTo: '/keys' },
  ],
  ['the form is sent from another site', { ...stale, isFromOurPage: false }, undefined, { refused: 'foreign form' }],
  ['a signed-out user submits the form', stale, undefined, { goTo: '/dashboard/sign-in?next=%2Fkeys&unsent=1' }],
  [
    'an owner is signed in with a PIN',
    stale,
    visitor('owner', { ...without, byPin: true }),
    { refused: 'by passkey alone' },
  ],
  ['a cashier submits the form', stale, visitor('cashier', without), { refused: 'not allowed' }],
  ['an owner has no merchant', stale, visitor('owner', without), { refused: 'no merchant' }],
  ['the shop is suspended', stale, visitor('owner', { merchant: shop, shop: suspended }), { refused: 'suspended' }],
  [
    'the passkey confirmation has expired',
    stale,
    visitor('owner', { merchant: shop, shop }),
    { goTo: '/dashboard/sign-in/confirm?next=%2Fkeys&unsent=1' },
  ],
  ['nothing is wrong', good, visitor('owner', { merchant: shop, shop }), undefined],
])('a form reports the first problem: %s', (_, asked, who, stop) => {
  expect(stopOf(keysForm, who, asked)).toEqual(stop);
});

test.each<[what: string, form: typeof keysForm, who: Visitor | undefined, stop: ReturnType<typeof stopBefore>]>([
  ['shows pages of a suspended shop', keysPage, visitor('owner', { merchant: shop, shop: suspended }), undefined],
  [
    'accepts an operator’s form in a suspended shop',
    keysForm,
    visitor('operator', { merchant: shop, shop: suspended }),
    undefined,
  ],
  ['redirects an operator without an open merchant', keysForm, visitor('operator', without), { goTo: OPERATOR_PHONES }],
  [
    'rejects an owner’s operator form',
    stageForm,
    visitor('owner', { merchant: shop, shop }),
    { refused: 'not allowed' },
  ],
  [
    'rejects account changes in a PIN session',
    ownForm,
    visitor('cashier', { ...without, byPin: true }),
    { refused: 'by passkey alone' },
  ],
  [
    'accepts shared-phone forms in a PIN session',
    phoneForm,
    visitor('cashier', { ...without, byPin: true }),
    undefined,
  ],
  ['accepts a public form without a session', openForm, undefined, undefined],
])('a request check %s', (_, form, who, stop) => {
  expect(stopOf(form, who, good)).toEqual(stop);
});
