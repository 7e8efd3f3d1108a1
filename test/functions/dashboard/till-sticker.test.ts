import { beforeEach, expect, test } from 'vitest';
import { handler as links } from '../../../functions/dashboard/links.ts';
import { handler } from '../../../functions/dashboard/till.ts';
import { handler as showLink } from '../../../functions/link/show.ts';
import { handler as payPage } from '../../../functions/pay/page.ts';
import { handler as poster } from '../../../functions/pay/poster.ts';
import { listTills } from '../../../shared/money/till/till.table.ts';
import { type Person, signIn, visit } from '../../support/dashboard.ts';
import { followChanges } from '../../support/pushed.ts';
import { arrive, createShop, mtn, pay, reversal, rows, type Shop } from '../../support/receipts.ts';
import { scan } from '../../support/rows.ts';
import { call, createWorld, type World } from '../../support/world.ts';
import { openLink, pressPay } from '../pay/open-link.ts';

const TILL = '/dashboard/till';
const MINUTE_MS = 60_000;

let world: World;
let shop: Shop;
let manager: Person;
let ama: Person;
let till: string;
let sticker: string;
beforeEach(async () => {
  world = await createWorld({ inMemory: true });
  shop = await createShop(world);
  [manager, ama] = [await signIn(world, 'manager', shop.id), await signIn(world, 'cashier', shop.id)];
  await visit(world, handler, `${TILL}/new`, { by: manager, form: { name: 'Counter 1' } });
  till = (await listTills(world.outside, shop.id))[0]?.till_id ?? '';
  await visit(world, handler, `${TILL}/${till}/begin`, { by: ama, form: {} });
  await make(ama);
  sticker = (await rows(world, 'LINK'))[0]?.slug as string;
});

test('a till has one sticker, however often it is made, and the page to print it says what to do', async () => {
  await Promise.all([make(ama), make(manager)]);
  expect(await rows(world, 'LINK')).toMatchObject([{ title: 'Counter 1', till }]);
  expect((await scan(world)).filter(({ action }) => action === 'sticker create')).toMatchObject([{ about: sticker }]);
  for (const by of [ama, manager]) {
    const { text } = await visit(world, handler, TILL, { by });
    expect([text.includes(`/pay/${sticker}/poster`), text.includes('Make the sticker')]).toEqual([true, false]);
  }
  const sheet = await call(world, poster, { parameters: { slug: sticker } });
  expect(sheet.text).toContain('Type the amount that the cashier says.');
  expect((await visit(world, links, `/dashboard/links/${sticker}`, { by: manager })).text).toContain('Sticker of');
  const { json } = await call(world, showLink, { key: shop.liveKey, parameters: { slug: sticker } });
  expect(json.data.till).toBe(till);
});

test('is made by who may make links, and not of another shop’s till', async () => {
  const viewer = await signIn(world, 'viewer', shop.id);
  expect((await visit(world, handler, `${TILL}/${till}/sticker`, { by: viewer, form: {} })).status).toBe(403);
  const stranger = await signIn(world, 'owner', (await createShop(world)).id);
  expect((await visit(world, handler, `${TILL}/${till}/sticker`, { by: stranger, form: {} })).status).toBe(404);
  expect(await rows(world, 'LINK')).toHaveLength(1);
});

test('what a customer opens shows at the till, which is green when it is paid, by its reference alone', async () => {
  expect((await see()).text).toContain('Nobody has scanned it in this shift');
  const { reference } = await scanned('36');
  const waiting = await see();
  expect([waiting.text.includes('Not paid yet'), isGreen(waiting.text)]).toEqual([true, false]);
  // Of the right amount, in whatever name: it waits for the cashier or a person.
  await pay(world, shop, mtn({ reference: 'table' }));
  expect((await rows(world, 'TRANSACTION')).map(({ state }) => state)).toEqual(['pending']);
  await pay(world, shop, mtn({ reference, from: 'ESI OWUSU' }));
  const paid = await see();
  expect([isGreen(paid.text), paid.text.includes('ESI OWUSU'), paid.text.includes('>Paid<')]).toEqual([
    true,
    true,
    true,
  ]);
  world.clock.nowMs += 2 * MINUTE_MS;
  const later = await see();
  expect([isGreen(later.text), later.text.includes('>Paid<')]).toEqual([false, true]);
});

test('a charge of the sticker is no reason to hold a payment back that the cashier takes', async () => {
  await scanned('36');
  const receipt = mtn({ reference: 'table' });
  await pay(world, shop, receipt);
  const { text } = await see({ amount: '36' });
  const [, id = ''] = /name="receipt" value="([^"]+)"/.exec(text) ?? [];
  const [, shift = ''] = /name="shift" value="([^"]+)"/.exec(text) ?? [];
  const form = { receipt: id, shift, amount: '36' };
  expect((await visit(world, handler, `${TILL}/${till}/take`, { by: ama, form })).status).toBe(303);
});

test('another amount than what is due makes nothing green', async () => {
  const { reference } = await scanned('3');
  await pay(world, shop, mtn({ reference, amount: '3.00' }));
  expect(isGreen((await see({ amount: '36' })).text)).toBe(false);
  expect(isGreen((await see({ amount: '3' })).text)).toBe(true);
});

test('a part, a reversal and what nobody paid are said', async () => {
  const [part, back] = [await scanned('50'), await scanned('20')];
  await pay(world, shop, mtn({ reference: part.reference, amount: '30.00' }));
  const receipt = mtn({ reference: back.reference, amount: '20.00' });
  await pay(world, shop, receipt);
  await arrive(world, shop, reversal(receipt.id));
  await scanned('7.77');
  const { text } = await see();
  for (const said of ['Only GHS 30.00 paid', 'Taken back', 'GHS 7.77']) expect(text).toContain(said);
  expect(isGreen(text)).toBe(false);
  world.clock.nowMs += 31 * MINUTE_MS;
  expect((await see()).text).not.toContain('GHS 7.77');
});

test('an open till is made anew when a charge is opened, paid, and green no more', async () => {
  const versions = [await version()];
  expect(await version()).toBe(versions[0]);
  const { reference } = await scanned('36');
  versions.push(await version());
  await pay(world, shop, mtn({ reference }));
  versions.push(await version());
  world.clock.nowMs += 2 * MINUTE_MS;
  versions.push(await version());
  expect(new Set(versions).size).toBe(4);
});

test('however many are opened, what was paid shows, and makes the till green', async () => {
  const { reference } = await scanned('36');
  await pay(world, shop, mtn({ reference, from: 'ESI OWUSU' }));
  for (let n = 0; n < 45; n++) {
    world.clock.nowMs += 200;
    await scanned('5');
  }
  const { text } = await see();
  expect([isGreen(text), text.includes('ESI OWUSU')]).toEqual([true, true]);
});

test('the daily closing has what was paid at the sticker, by the day on which it was paid, for who reads reports', async () => {
  const closing = async (by: Person, query: Record<string, string> = {}) =>
    (await visit(world, handler, `${TILL}/closing`, { by, query })).text;
  expect(await closing(manager)).not.toContain('paid at the sticker');
  world.clock.nowMs = Date.parse('2026-11-20T23:50:00Z');
  const [late, back] = [await scanned('36'), await scanned('20')];
  await scanned('5');
  const receipt = mtn({ reference: back.reference, amount: '20.00' });
  await pay(world, shop, receipt);
  world.clock.nowMs += 15 * MINUTE_MS;
  await pay(world, shop, mtn({ reference: late.reference }));
  await arrive(world, shop, reversal(receipt.id));
  await followChanges(world);
  const [before, after] = [await closing(manager, { day: '2026-11-20' }), await closing(manager)];
  expect(before).toMatch(/Counter 1 · paid at the sticker[\s\S]*GHS 0.00 \(0\)[\s\S]*GHS 20.00 \(1\)/);
  expect(after).toMatch(/Counter 1 · paid at the sticker[\s\S]*GHS 36.00 \(1\)[\s\S]*GHS 0.00 \(0\)/);
  expect(await closing(ama)).not.toContain('paid at the sticker');
});

test('what was opened at a sticker that was lost shows at its till, and counts, when it is paid', async () => {
  const { reference } = await scanned('36');
  await visit(world, links, `/dashboard/links/${sticker}/end`, { by: manager, form: {} });
  expect((await visit(world, handler, TILL, { by: ama })).text).not.toContain(`/pay/${sticker}/poster`);
  await make(ama);
  const [other] = (await rows(world, 'LINK')).filter(({ slug }) => slug !== sticker);
  expect((await visit(world, handler, TILL, { by: ama })).text).toContain(`/pay/${other?.slug}/poster`);
  await pay(world, shop, mtn({ reference, from: 'ESI OWUSU' }));
  await followChanges(world);
  const { text } = await see();
  expect([isGreen(text), text.includes('ESI OWUSU')]).toEqual([true, true]);
  expect((await visit(world, handler, `${TILL}/closing`, { by: manager })).text).toMatch(
    /paid at the sticker[\s\S]*GHS 36.00 \(1\)/,
  );
});

test('a till that is removed ends its sticker', async () => {
  await visit(world, handler, `${TILL}/${till}/remove`, { by: manager, form: {} });
  expect((await call(world, payPage, { parameters: { slug: sticker } })).text).toContain('This link has ended');
  expect((await pressPay(world, sticker, { amount: '36' })).status).toBe(410);
  expect((await make(manager)).status).toBe(404);
});

test('another till does not show it', async () => {
  await visit(world, handler, `${TILL}/new`, { by: manager, form: { name: 'Counter 2' } });
  const other = (await listTills(world.outside, shop.id)).find(({ name }) => name === 'Counter 2')?.till_id ?? '';
  await visit(world, handler, `${TILL}/${other}/begin`, { by: ama, form: {} });
  await visit(world, handler, `${TILL}/${other}/sticker`, { by: ama, form: {} });
  await scanned('36');
  expect((await visit(world, handler, `${TILL}/${other}`, { by: ama })).text).toContain('Nobody has scanned it');
});

function make(by: Person) {
  return visit(world, handler, `${TILL}/${till}/sticker`, { by, form: {} });
}

function see(query: Record<string, string> = {}) {
  return visit(world, handler, `${TILL}/${till}`, { by: ama, query });
}

async function version(): Promise<string> {
  return /data-version="([\w-]+)"/.exec((await see()).text)?.[1] ?? '';
}

/** A customer scans, types an amount and presses Pay; the stream carries it on. */
async function scanned(amount: string) {
  const opened = await openLink(world, sticker, { amount });
  await followChanges(world);
  return opened;
}

function isGreen(text: string): boolean {
  return text.includes('class="till-green" data-chime="MK-');
}
