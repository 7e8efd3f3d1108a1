import { expect, test } from 'vitest';
import { openBusyDashboard } from '../../support/busy-dashboard.ts';
import { checkEach } from '../../support/check-each.ts';
import { allPages } from '../../support/dashboard.ts';
import { asScene } from '../../support/scene.ts';

// Opens every page and form with the ids of another merchant.

const busy = await openBusyDashboard();
const world = asScene(busy.world);
const other = await world.createShop();
const stranger = await world.signIn('owner', other.id);
const [refunded] = (await world.rows('TRANSACTION')).filter(({ refunds }) => refunds);
const examples: Readonly<Record<string, readonly string[]>> = {
  ...busy.examples,
  '/dashboard/charges/{reference}/refund/{refund_id}': [
    `/dashboard/charges/${refunded?.reference}/refund/${Object(refunded?.refunds)[0].refund_id}`,
  ],
};

/** Required fields of each form. */
const forms: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '/dashboard/held/{id}/give': { reference: await other.charge({ amount: 36 }), shown: 'unverified' },
  '/dashboard/charges/{reference}/note': { note: 'mine' },
  '/dashboard/charges/{reference}/refund/{refund_id}/close': { outcome: 'sent' },
  '/dashboard/charges/{reference}/send': { to: '0241112223' },
  '/dashboard/developers/keys/{hint}/roll': { overlap: '1h' },
  '/dashboard/links/{slug}/change': { title: 'Mine' },
  '/dashboard/links/{slug}/codes': { codes: 'MINE' },
  '/dashboard/settings/numbers/{number}/limit': { limit: '5000' },
  '/dashboard/settings/numbers/{number}/name': { account_name: 'EVE' },
  '/dashboard/settings/team/{id}/role': { role: 'owner' },
  '/dashboard/texts/inbox/{number}/reply': { message: 'Yes' },
  '/dashboard/till/{till}/end': { shift: 'any' },
  '/dashboard/till/{till}/hand-out': { reference: String(refunded?.reference) },
  '/dashboard/till/{till}/take': { receipt: '1-2', shift: 'any', amount: '36' },
  '/dashboard/till/{till}/undo': { reference: String(refunded?.reference) },
  '/dashboard/today/balance/{network}/{number}/balance': { balance: '1047' },
  '/dashboard/today/balance/{network}/{number}/confirm': { balance: '1047' },
  '/dashboard/today/balance/{network}/{number}/deny': { balance: '1047' },
};

/** Excludes kinds, devices, sessions and passkeys, which are not a merchant's ids. Changes are tested separately. */
const elsewhere = /\{(kind|what|slot|hash)\}|\/(passkey|changes)\//;
const pages = (await allPages()).filter(
  ({ pattern, page: { needs } }) =>
    pattern.includes('{') && !elsewhere.test(pattern) && !['nothing', 'operator'].includes(needs),
);

function addressOf(pattern: string): string {
  const begins = Object.keys(examples).filter((one) => pattern === one || pattern.startsWith(`${one}/`));
  const [longest = ''] = begins.toSorted((one, more) => more.length - one.length);
  const [example] = examples[longest] ?? [];
  if (!example) throw new Error(`There is no example of ${pattern}`);
  return pattern.replace(longest, example.split('?')[0] ?? '');
}

/** Returns all rows of the other merchant. */
async function kept() {
  return (await world.scan()).filter((row) => JSON.stringify(row).includes(busy.people.owner.user.merchant_id ?? ''));
}

test('a page returns 404 to another shop’s owner and changes nothing', () =>
  checkEach(pages, async ({ pattern, page }) => {
    const before = await kept();
    const by = await world.signInAgain(stranger.user);
    const sent = page.method === 'POST' ? { form: forms[pattern] ?? {} } : {};
    const { status, text } = await world.visit(addressOf(pattern), { by, ...sent });
    expect({ status, saysNothingHere: text.includes('Page not found') }).toEqual({
      status: 404,
      saysNothingHere: true,
    });
    expect(await kept()).toEqual(before);
  }));
