import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { requireMerchant } from '../../shared/merchants/merchant/manage-merchant.ts';
import { referenceOfAccessCode } from '../../shared/money/charge/charge.table.ts';
import { addTill } from '../../shared/money/till/shift.ts';
import { makeSticker } from '../../shared/money/till/sticker.ts';
import { signIn } from '../support/dashboard.ts';
import { atShop, storiesOf, WITH_SCRIPT } from '../support/dashboard-story.ts';
import type { Hand } from '../support/hand.ts';
import { openLink } from '../support/links.ts';
import { tell } from '../support/pushed.ts';
import { mtn, pay, rows } from '../support/receipts.ts';
import { textDelaysSeconds } from '../support/text-delays.ts';

// Tests a cashier's shift at the till, and the till's sticker.

/** Minimum size of a key in pixels, for a thumb. */
const THUMB = 48;

const story = storiesOf(async () => {
  const { world, shop, by } = await atShop('cashier');
  const { till, writes } = await addTill(world.outside, shop.id, 'Counter 1');
  await world.outside.table.write(writes);
  /** Creates the till's sticker. Returns a function that scans the sticker and pays. */
  const stick = async () => {
    const merchant = await requireMerchant(world.outside, shop.id);
    const slug = await makeSticker(world.outside, merchant, till.till_id, async (made, _, more) => {
      await world.outside.table.write(more);
      return made;
    });
    return async () => {
      const { reference } = await openLink(world, slug, { amount: '36' });
      await tell(world);
      await pay(world, shop, mtn({ reference, from: 'ESI OWUSU' }));
      await tell(world);
    };
  };
  const routes = ['pay/page', 'pay/open', 'pay/poster', 'pay/qr-svg', 'checkout/page', 'checkout/status'] as const;
  return { world, shop, by, manager: await signIn(world, 'manager', shop.id), stick, routes };
});

/** The till ignores taps for half a second after its list has moved. */
const IGNORED_MS = 600;

story(
  'a payment appears without a reload, and one tap turns the till green',
  { usual: 'without JavaScript' },
  async ({ open, world, shop, isGood }) => {
    const { page, hand } = await open('till');
    await isGood(page);
    await hand.press(page.getByRole('button', { name: 'Start your shift at Counter 1' }));
    await page.locator('#amount').waitFor();
    await isGood(page, 'Nothing new in this shift. New payments');
    await hand.type(page.locator('#amount'), '36');
    await hand.press(page.getByRole('button', { name: 'Ask for this amount' }));
    await page.locator('.till-due').waitFor();
    await pay(world, shop, mtn());
    const payment = page.getByRole('button', { name: /KOFI MENSAH BOATENG/ });
    await isGood(page, payment);
    await page.waitForTimeout(IGNORED_MS);
    await hand.press(payment);
    await isGood(page, page.locator('.till-green'));
    expect((await rows(world, 'TRANSACTION')).map(({ state }) => state)).toEqual(['success']);
    await hand.press(page.getByRole('button', { name: 'Undo GHS 36.00' }));
    await isGood(page, 'the payment is waiting again');
    expect((await rows(world, 'TRANSACTION')).map(({ state }) => state)).toEqual(['cancelled']);
  },
);

story(
  'the keypad, its button and the first payment are on the first screen',
  { usual: 'by hand', told: WITH_SCRIPT },
  async ({ open, world, shop }) => {
    const { page, hand } = await open('till');
    await hand.press(page.getByRole('button', { name: 'Start your shift at Counter 1' }));
    const keys = page.locator('[data-key]');
    await keys.first().waitFor();
    for (let n = 0; n < 3; n++) await pay(world, shop, mtn());
    await page.locator('.till-list li').first().waitFor();
    await page.evaluate('scrollTo(0, 0)');
    const top = await page.locator('.bar').boundingBox();
    const lastPixel = top?.y ?? page.viewportSize()?.height ?? 0;
    for (const shown of [
      page.getByRole('button', { name: 'Ask for this amount' }),
      page.locator('.till-list li').first(),
    ]) {
      const { y, height } = (await shown.boundingBox()) ?? { y: lastPixel, height: 1 };
      expect(y + height).toBeLessThanOrEqual(lastPixel);
    }
    for (const key of await keys.all()) {
      const { width, height } = (await key.boundingBox()) ?? { width: 0, height: 0 };
      expect(Math.min(width, height)).toBeGreaterThanOrEqual(THUMB);
    }
  },
);

story(
  'the screen stays on while the till is visible, also after a look at another app',
  { usual: 'by hand', told: WITH_SCRIPT },
  async ({ open }) => {
    const { page, hand } = await open('till');
    await page.context().grantPermissions(['screen-wake-lock']);
    await page.addInitScript(`{
      window.locks = [];
      const usual = WakeLock.prototype.request;
      WakeLock.prototype.request = function (...given) {
        const asked = usual.apply(this, given);
        locks.push(asked.then(({ type }) => type, ({ name }) => name));
        return asked;
      };
      window.show = (isShown) => {
        Object.defineProperty(document, 'hidden', { value: !isShown, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      };
    }`);
    await hand.press(page.getByRole('button', { name: 'Start your shift at Counter 1' }));
    await page.locator('[data-key]').first().waitFor();
    const locks = () => page.evaluate('Promise.all(locks)');
    expect(await locks()).toEqual(['screen']);
    await page.evaluate('show(false)');
    expect(await locks()).toEqual(['screen']);
    await page.evaluate('show(true)');
    expect(await locks()).toEqual(['screen', 'screen']);
  },
);

story(
  'a till works in a browser that cannot keep the screen on',
  { usual: 'by hand', told: WITH_SCRIPT },
  async ({ open, isGood }) => {
    const { page, hand } = await open('till');
    await page.addInitScript("Object.defineProperty(navigator, 'wakeLock', { value: undefined })");
    await hand.press(page.getByRole('button', { name: 'Start your shift at Counter 1' }));
    await isGood(page, page.locator('[data-key]').first());
  },
);

story(
  'a new payment can be tapped unless it has just moved',
  { usual: 'by hand', told: WITH_SCRIPT },
  async ({ open, world, shop, isGood }) => {
    const { page, hand } = await open('till');
    await hand.press(page.getByRole('button', { name: 'Start your shift at Counter 1' }));
    await page.getByText('Nothing new in this shift. New payments').waitFor();
    const tapped = page.evaluate(`new Promise((done) => {
      const tap = () => document.querySelector('button.payment-line').click();
      new MutationObserver((_, observer) => {
        if (!document.querySelector('button.payment-line')) return;
        observer.disconnect();
        setTimeout(() => done(tap()), 100);
      }).observe(document.getElementById('main'), { childList: true, subtree: true });
    })`);
    await pay(world, shop, mtn());
    await tapped;
    await page.waitForTimeout(IGNORED_MS);
    expect(await rows(world, 'TRANSACTION')).toEqual([]);
    await isGood(page);
    await hand.press(page.getByRole('button', { name: /KOFI MENSAH BOATENG/ }));
    await isGood(page, 'You can hand over the goods. This payment is not verified, but it is within the shop’s limit.');
    await hand.press(page.getByRole('link', { name: 'Today' }).filter({ visible: true }));
    await page.getByRole('heading', { name: 'Today' }).waitFor();
  },
);

story(
  'a tap with a lost response is retried and accepts the payment once',
  { usual: 'by hand', told: WITH_SCRIPT },
  async ({ open, world, shop }) => {
    const { page, hand } = await open('till');
    await hand.press(page.getByRole('button', { name: 'Start your shift at Counter 1' }));
    await page.locator('#amount').waitFor();
    await pay(world, shop, mtn());
    for (const key of ['3', '6', '.', '0']) await hand.press(page.locator(`[data-key="${key}"]`));
    expect(await page.locator('#amount').inputValue()).toBe('36.0');
    await hand.press(page.getByRole('button', { name: 'Ask for this amount' }));
    await page.getByRole('button', { name: /KOFI MENSAH BOATENG/ }).waitFor();
    await page.evaluate(`{
      const send = window.fetch;
      let lost = 0;
      window.fetch = (address, options) =>
        options?.method === 'POST' && lost++ === 0
          ? send(address, options).then(() => Promise.reject(new TypeError('lost')))
          : send(address, options);
    }`);
    await hand.press(page.getByRole('button', { name: /KOFI MENSAH BOATENG/ }));
    await page.getByText('This payment may not have been taken').waitFor();
    await page.locator('.till-green').waitFor();
    expect((await rows(world, 'TRANSACTION')).map(({ state }) => state)).toEqual(['success']);
    expect(page.url()).toContain('?taken=MK-');
  },
);

story(
  'a sticker payment turns green and stays until the goods are handed over',
  { usual: 'without JavaScript' },
  async ({ open, world, shop, manager, isGood }) => {
    const { page, hand } = await open('till', { by: manager });
    const till = page.url();
    await isGood(page);
    await hand.press(page.getByRole('button', { name: 'Create a sticker for Counter 1' }));
    await isGood(page, 'The sticker for Counter 1 is ready.');
    const poster = await page.getByRole('link', { name: /Sticker to print/ }).getAttribute('href');
    await hand.press(page.getByRole('button', { name: 'Start your shift at Counter 1' }));
    await isGood(page, 'Nobody has scanned the sticker in this shift');

    await page.goto(poster ?? '');
    await isGood(page, 'Type the amount that the cashier tells you.');
    await page.goto(poster?.replace('/poster', '') ?? '');
    await hand.type(page.locator('#amount'), '36');
    await hand.press(page.getByRole('button', { name: 'Pay', exact: true }));
    await page.waitForURL(/\/checkout\//);
    const reference = referenceOfAccessCode(new URL(page.url()).pathname.split('/')[2] ?? '');
    if (!reference) throw new Error(`${page.url()} is no checkout page`);
    await tell(world);

    await page.goto(till);
    await hand.press(page.getByRole('link', { name: 'Continue at Counter 1' }));
    await isGood(page, 'Still to pay');
    await pay(world, shop, mtn({ reference }));
    await tell(world);
    await hand.press(page.getByRole('link', { name: 'Refresh' }));
    await isGood(page, page.locator('.till-green'));
    await hand.press(page.getByRole('button', { name: 'Mark as handed over' }));
    await page.getByText('Handed over: GHS 36.00 (not verified).').waitFor();
    expect(await page.locator('.till-green').count()).toBe(0);
    await isGood(page);
  },
);

// A payment at the sticker is shown in green for half a minute, even if the till is offline.

const byHand = { usual: 'by hand', told: ['by hand'] } as const;

story('the green confirmation ends even if More is open', byHand, async ({ open, world, stick }) => {
  const paid = await stick();
  const { page, hand } = await open('till');
  await seeGreen(page, hand, paid);
  await hand.press(page.locator('.till-more > summary'));
  world.clock.nowMs += 40_000;
  await page.clock.runFor(40_000);
  expect(await page.locator('.till-green').count()).toBe(0);
});

story('the green confirmation ends even if there is no connection', byHand, async ({ open, world, stick }) => {
  const paid = await stick();
  const { page, hand } = await open('till');
  await seeGreen(page, hand, paid);
  await page.context().setOffline(true);
  world.clock.nowMs += 10 * 60_000;
  await page.clock.runFor(10 * 60_000);
  expect(await page.locator('[data-offline]').textContent()).toContain('No connection');
  expect(await page.locator('.till-green').count()).toBe(0);
});

async function seeGreen(page: Page, hand: Hand, paid: () => Promise<void>): Promise<void> {
  await page.clock.install();
  await hand.press(page.getByRole('button', { name: 'Start your shift at Counter 1' }));
  await page.getByText('Nobody has scanned the sticker in this shift').waitFor();
  await paid();
  await page.clock.runFor(5_000);
  await page.locator('.till-green').waitFor();
}

story('the sound for a payment is played only once', byHand, async ({ open, world, stick }) => {
  const paid = await stick();
  const { page, hand } = await open('till');
  await page.addInitScript(`{
    const heard = () => sessionStorage.setItem('heard', String(Number(sessionStorage.getItem('heard') ?? 0) + 1));
    const usual = AudioContext.prototype.createOscillator;
    AudioContext.prototype.createOscillator = function () { heard(); return usual.call(this); };
  }`);
  const heard = () => page.evaluate(`Number(sessionStorage.getItem('heard') ?? 0)`);
  await hand.press(page.getByRole('button', { name: 'Start your shift at Counter 1' }));
  await page.getByText('Nobody has scanned the sticker in this shift').waitFor();
  await paid();
  await page.locator('.till-green').waitFor();
  // An unverified payment plays one soft tone.
  await expect.poll(heard).toBe(1);
  world.clock.nowMs += 60_000;
  for (const key of ['3', '6']) await hand.press(page.locator(`[data-key="${key}"]`));
  await hand.press(page.getByRole('button', { name: 'Ask for this amount' }));
  await page.locator('.till-due').waitFor();
  await page.waitForTimeout(1_000);
  expect(await heard()).toBe(1);
});

const SHIFT_SECONDS = 8 * 60 * 60;
const SALES = 140;
/** Time from the typed amount to the payment, plus the time from the payment to the tap. */
const PAYS_AND_TAPS_SECONDS = 22;

/** Responds to each poll after 0.1 s without changes, and records its time. */
const NOTHING_NEW = `
  window.asks = [];
  window.fetch = () => {
    window.asks.push(performance.now());
    return new Promise((done) => setTimeout(() => done(new Response(null, { status: 304 })), 100));
  };
`;

story('a shift makes no more requests than the till of 1.0.0', byHand, async (story) => {
  const { page, hand } = await story.open('till');
  await page.clock.install();
  await page.addInitScript(NOTHING_NEW);
  const asksIn = async (seconds: number): Promise<number[]> => {
    const startMs: number = await page.evaluate('performance.now()');
    await page.clock.runFor(seconds * 1000);
    const asks: number[] = await page.evaluate('window.asks');
    return asks.map((atMs) => (atMs - startMs) / 1000);
  };
  await hand.press(page.getByRole('button', { name: 'Start your shift at Counter 1' }));
  await page.locator('#amount').waitFor();
  const idle = await asksIn(600);
  await hand.type(page.locator('#amount'), '36');
  await hand.press(page.getByRole('button', { name: 'Ask for this amount' }));
  await page.locator('.till-due').waitFor();
  const due = await asksIn(600);

  const sales = textDelaysSeconds(SALES).map((delay) => PAYS_AND_TAPS_SECONDS + delay);
  const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
  const whileDue = sum(sales.map((seconds) => due.filter((second) => second < seconds).length));
  const idleShare = (SHIFT_SECONDS - sum(sales)) / 600;
  const asked = whileDue + idleShare * idle.filter((second) => second < 600).length;
  expect(due.filter((second) => second < 60).length).toBeGreaterThan(60);
  expect(asked).toBeLessThanOrEqual(SHIFT_SECONDS / 2);
});
