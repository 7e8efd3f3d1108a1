import { AxeBuilder } from '@axe-core/playwright';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterEach, describe, expect, test } from 'vitest';
import { readImage } from '../../shared/merchants/logo/image.ts';
import { setLogo } from '../../shared/merchants/logo/set-logo.ts';
import { changeMerchant, requireMerchant } from '../../shared/merchants/merchant/manage-merchant.ts';
import { DAY_MS } from '../../shared/runtime/values/calendar.ts';
import { topUp } from '../../shared/texts/credits/top-up.ts';
import { holdPayment, pay, paymentNow, reverse, setCharge } from '../functions/checkout/charges.ts';
import { appearancesOf } from '../support/appearances.ts';
import { browserForTests, serveToTests } from '../support/browser.ts';
import { PATIENCE } from '../support/http.ts';
import { pictures } from '../support/pictures.ts';
import { arrive, type CreatedCharge, createCharge, fromTelecel, newPayerNumber, rows } from '../support/receipts.ts';
import { sendsOf } from '../support/rows.ts';
import { textDelaysSeconds } from '../support/text-delays.ts';
import { createMerchant, createSender, createWorld } from '../support/world.ts';

const world = await createWorld();
const merchant = await createMerchant(world);
/** A merchant with numbers on two networks and a contact. */
const everywhere = await createMerchant(world);
await changeMerchant(world.outside, everywhere.id, {
  momo_accounts: [
    { number: '+233241234567', network: 'MTN', account_name: 'AMA STORES' },
    { number: '+233201234567', network: 'TELECEL', account_name: 'AMA STORES LTD' },
  ],
  contact: 'https://wa.me/233241234567',
  pay_texts_per_day: 20,
});
const picture = readImage(pictures.transparent);
if (typeof picture === 'string') throw new Error(picture);
const named = await requireMerchant(world.outside, everywhere.id);
await world.outside.table.write(setLogo(world.outside, named, picture).writes);
await topUp(world.outside, everywhere.id, 100);
await createSender(world, '+233240009999');
serveToTests(world, [
  ...(['checkout/page', 'checkout/receipt', 'checkout/status', 'checkout/claim'] as const),
  ...(['checkout/short-link', 'checkout/logo', 'checkout/text'] as const),
  ...(['checkout/ask-for-code', 'checkout/confirm-code'] as const),
]);
const browser = browserForTests();
const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
const DESKTOP = { viewport: { width: 1280, height: 800 } };

/** Status after an unverified payment. */
const NOT_VERIFIED = 'Payment not verified yet';

const startedAtMs = world.clock.nowMs;

afterEach(() => {
  world.clock.nowMs = startedAtMs;
});

describe('a checkout page opened before the payment arrives', () => {
  test('turns green and opens the callback URL', async () => {
    const waiting = await charge({ callback_url: 'https://shop.example.com/thanks?order=7#top' });
    const page = await newPage();
    await page.goto(`${world.outside.baseUrl}/c/${waiting.access_code}`);
    expect(page.url()).toBe(urlOf(waiting));
    expect(await statusOf(page)).toBe('Waiting for payment…');
    expect(await page.locator('#time').textContent()).toMatch(/^2[34] hours left to pay$/);
    const places = await placesOf(page);

    await pay(world, waiting);
    await page.clock.fastForward(20_000);
    await turnsInto(page, 'Payment received');
    expect(await placesOf(page)).toEqual(places);
    expect(await page.title()).toBe('Paid: GHS 36.00 to Ama Stores');
    expect(await page.locator('#back').getAttribute('href')).toBe(callbackOf(waiting));

    await page.clock.fastForward(3000);
    await page.waitForURL(callbackOf(waiting));
    // The finished page is no longer in the browser's history.
    expect(await page.evaluate('history.length')).toBe(2);
  });

  test('stays open if there is no callback URL', async () => {
    const waiting = await charge();
    const page = await open(waiting);
    await pay(world, waiting);
    await page.clock.fastForward(20_000);
    await turnsInto(page, 'Payment received');
    await page.clock.fastForward(60_000);
    expect(page.url()).toBe(urlOf(waiting));
  });

  describe('without a working script', () => {
    /** Opens a page whose script is broken. The page reloads after one second instead of twenty. */
    const openWith = async (waiting: CreatedCharge, words: string) => {
      const page = await newPage();
      await page.route('**/checkout/*', async (route) => {
        const answer = await route.fetch();
        const body = (await answer.text()).replace('(()=>{', words).replace('content="20"', 'content="1"');
        await route.fulfill({ response: answer, body });
      });
      await page.goto(urlOf(waiting));
      return page;
    };

    test.each([
      ['contains unsupported syntax', '(()=>{ ?'],
      ['throws immediately', '(()=>{ throw new RangeError("None");'],
      ['cannot reach the service', 'delete window.AbortController;(()=>{'],
    ])('opens the callback URL after a reload if the script %s', async (_, words) => {
      const waiting = await charge({ callback_url: 'https://shop.example.com/thanks?order=7#top' });
      const page = await openWith(waiting, words);
      expect(await page.getByText('I have paid but nothing happened').filter({ visible: true }).count()).toBe(1);
      await pay(world, waiting);
      await turnsInto(page, 'Payment received');
      await page.waitForURL(callbackOf(waiting));
      browser.complaints.length = 0;
    });

    test('does not reload while the customer is typing', async () => {
      const page = await openWith(await charge(), '(()=>{ ?');
      await page.getByRole('link', { name: 'I have paid but nothing happened' }).click();
      await page.getByLabel('Transaction ID').fill('612345');
      let loads = 0;
      page.on('load', () => loads++);
      // A page on which nobody types reloads twice meanwhile.
      const other = await openWith(await charge(), '(()=>{ ?');
      for (let n = 0; n < 2; n++) await other.waitForEvent('load');
      expect({ loads, typed: await page.getByLabel('Transaction ID').inputValue() }).toEqual({
        loads: 0,
        typed: '612345',
      });
      browser.complaints.length = 0;
    });
  });

  test('does not reload while the script works', async () => {
    const page = await newPage();
    await page.route('**/checkout/*', async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, body: (await answer.text()).replace('content="20"', 'content="1"') });
    });
    await page.goto(urlOf(await charge()));
    let loads = 0;
    page.on('load', () => loads++);
    await new Promise((done) => setTimeout(done, 2_000));
    expect({ loads, refreshes: await page.locator('meta[http-equiv]').count() }).toEqual({ loads: 0, refreshes: 0 });
  });

  test('accepts a claim without JavaScript', async () => {
    const waiting = await charge({ callback_url: 'https://shop.example.com/thanks?order=7#top' });
    const page = await open(waiting, { ...PHONE, javaScriptEnabled: false });
    expect(await page.locator('#time').textContent()).toMatch(/^Pay by \d/);
    expect(await page.getByRole('button', { name: 'Copy' }).count()).toBe(0);
    await page.getByRole('link', { name: 'I have paid but nothing happened' }).click();
    await page.getByLabel('Transaction ID').fill('61234567800');
    await page.getByLabel('Name on the wallet that paid').fill('Kofi Mensah');
    await page.getByRole('button', { name: 'Check' }).click();
    expect(await page.getByRole('alert').textContent()).toContain('We cannot confirm a payment with this ID');

    await holdPayment(world, merchant, '61234567800');
    await page.getByRole('button', { name: 'Check' }).click();
    expect(await statusOf(page)).toBe(NOT_VERIFIED);
    expect(page.url()).toBe(urlOf(waiting));
    await page.waitForURL(callbackOf(waiting));
  });
});

describe('a checkout page waiting for a payment', () => {
  test.each([
    ['on another device', undefined, 1.8, 32],
    ['on the same phone', 5, 1.8, 7],
  ])(
    'polls most often when a payment made %s is most likely to arrive',
    async (_, leavesAfterSeconds, medianSeconds, mostAsks) => {
      const waited: number[] = [];
      const counts: number[] = [];
      for (const paidAfter of [20, 60, 180]) {
        const page = await openNeverPaid();
        if (leavesAfterSeconds !== undefined) {
          await page.clock.runFor(leavesAfterSeconds * 1000);
          await show(page, false);
          await page.clock.runFor((paidAfter - leavesAfterSeconds) * 1000);
          await show(page, true);
        }
        await page.clock.runFor(1_200_000);
        const asks: number[] = await page.evaluate('window.asks');
        for (const delay of DELAYS_SECONDS) {
          const arrives = paidAfter + delay;
          const n = asks.findIndex((second) => second >= arrives);
          if (n < 0) throw new Error(`Nobody asks after ${arrives} s`);
          waited.push((asks[n] ?? 0) - arrives);
          counts.push(n + 1);
        }
      }
      const sorted = waited.toSorted((a, b) => a - b);
      const [half = 0, nineOfTen = 0] = [0.5, 0.9].map((share) => sorted[Math.floor(sorted.length * share)]);
      const asked = counts.reduce((sum, count) => sum + count, 0) / counts.length;
      expect(half).toBeLessThanOrEqual(medianSeconds);
      expect(nineOfTen).toBeLessThanOrEqual(3);
      expect(asked).toBeLessThanOrEqual(mostAsks);
    },
  );

  test('polls at most 1.3 times as often as version 1.0.0', async () => {
    const counts = { before: 0, now: 0, mostMore: 0 };
    for (const paidAfter of [30, 60, 180]) {
      const page = await openNeverPaid();
      await page.clock.runFor(paidAfter * 1000);
      await page.evaluate(`document.querySelector('[data-check]').click()`);
      await page.clock.runFor(300_000);
      const asks: number[] = await page.evaluate('window.asks');
      for (const arrives of DELAYS_SECONDS.map((delay) => paidAfter + delay)) {
        const [before, now] = [firstReleaseAsks(paidAfter), asks].map((all) => {
          const n = all.findIndex((second) => second >= arrives);
          if (n < 0) throw new Error(`Nobody asks after ${arrives} s`);
          const until = all.slice(0, n + 1);
          return { whole: until.length, said: until.filter((second) => second >= paidAfter).length };
        });
        if (!before || !now) throw new Error('There are two releases');
        counts.mostMore = Math.max(counts.mostMore, now.said - before.said);
        counts.before += before.whole;
        counts.now += now.whole;
      }
    }
    expect(counts.now / counts.before).toBeLessThanOrEqual(1.3);
    expect(counts.mostMore).toBeLessThanOrEqual(6);
  });

  test('slows down to one poll a minute', async () => {
    const page = await openNeverPaid();
    await page.clock.runFor(3_600_000);
    const asks: number[] = await page.evaluate('window.asks');
    expect(asks.length).toBeLessThan(150);
    expect((asks.at(-1) ?? 0) - (asks.at(-2) ?? 0)).toBeCloseTo(60, 0);
  });

  test('does not poll while hidden', async () => {
    const waiting = await charge();
    const page = await open(waiting);
    const asked = countAsks(page);
    await show(page, false);
    await page.clock.fastForward(60_000);
    expect(asked.count).toBe(0);
    await pay(world, waiting);
    await show(page, true);
    await turnsInto(page, 'Payment received');
  });

  test('keeps polling if a request fails', async () => {
    const waiting = await charge();
    const page = await open(waiting);
    await page.route('**/status', (route) => route.abort());
    const failed = page.waitForEvent('requestfailed');
    await page.clock.fastForward(20_000);
    await failed;
    expect(await statusOf(page)).toBe('Waiting for payment…');
    await page.unroute('**/status');
    await pay(world, waiting);
    await page.clock.fastForward(20_000);
    await turnsInto(page, 'Payment received');
  });

  test('continues when the browser is back online', async () => {
    const waiting = await charge();
    const page = await open(waiting);
    await page.context().setOffline(true);
    await turnsInto(page, 'You are offline');
    await page.clock.fastForward(1000);
    await expect
      .poll(() => page.locator('#time').textContent())
      .toBe('This page will continue when you are back online.');
    await page.context().setOffline(false);
    await turnsInto(page, 'Waiting for payment…');
    await page.clock.fastForward(1000);
    await expect.poll(() => page.locator('#time').textContent()).toMatch(/left to pay$/);

    await page.context().setOffline(true);
    await turnsInto(page, 'You are offline');
    await pay(world, waiting);
    await page.context().setOffline(false);
    await turnsInto(page, 'Payment received');
  });

  test('polls immediately when the customer taps “Check again”', async () => {
    const waiting = await charge();
    const page = await open(waiting);
    const asked = countAsks(page);
    const again = page.getByRole('link', { name: 'Check again' });
    await again.click();
    await page.locator('#checked').getByText('We checked just now. The payment has not arrived yet.').waitFor();
    expect(asked.count).toBe(1);
    await page.clock.fastForward(5000);
    await expect.poll(() => page.locator('#checked').textContent()).toBe('');

    await page.route('**/status', (route) => route.abort());
    await again.click();
    await page.locator('#checked').getByText('The connection failed. Try again.').waitFor();
    await page.unroute('**/status');
    await pay(world, waiting);
    await again.click();
    await turnsInto(page, 'Payment received');
  });

  test('stops polling when the charge expires', async () => {
    const page = await open(await charge());
    const asked = countAsks(page);
    world.clock.nowMs += DAY_MS;
    await page.clock.fastForward(DAY_MS);
    await turnsInto(page, 'This link has expired');
    const { count } = asked;
    await page.clock.fastForward(60_000);
    expect(asked.count).toBe(count);
  });

  test('counts down regardless of the phone’s clock', async () => {
    const page = await newPage();
    await page.clock.setSystemTime(startedAtMs + 3 * DAY_MS);
    await page.goto(urlOf(await charge()));
    expect(await page.locator('#time').textContent()).toMatch(/^2[34] hours left to pay$/);
    await page.clock.fastForward(DAY_MS - 9.5 * 60_000);
    await expect.poll(() => page.locator('#time').textContent()).toMatch(/^9 min \d\d s left to pay$/);
  });
});

describe('a checkout page with an unverified payment', () => {
  const shown = { unverified: NOT_VERIFIED, success: 'Payment received', reversed: 'Payment reversed' };

  test.each([
    ['turns green when the payment is verified', verify, shown.success, 'success'],
    ['shows a reversal', reverse, shown.reversed, 'reversed'],
    ['shows a refund', sendBack, 'GHS 36.00 was sent back', 'neutral'],
  ])('%s without a reload', async (_, happens, status, look) => {
    const paid = await chargePaidUnverified();
    const page = await open(paid);
    let loads = 0;
    page.on('load', () => loads++);
    expect(await statusOf(page)).toBe(shown.unverified);
    expect(await page.getByText('Keep this page open, or open it again later.').isVisible()).toBe(true);
    await happens(world, paid);
    await page.clock.fastForward(30_000);
    await turnsInto(page, status);
    expect({ look: await page.locator('#checkout').getAttribute('data-status'), loads }).toEqual({ look, loads: 0 });
  });

  test('stops polling after twenty requests', async () => {
    const page = await newPage();
    await page.addInitScript(STAYS_UNVERIFIED);
    await page.clock.pauseAt(Date.now() + 60_000);
    await page.goto(urlOf(await chargePaidUnverified()));
    const asks = (): Promise<number[]> => page.evaluate('window.asks');
    await page.clock.runFor(90_500);
    expect((await asks()).map(Math.round)).toEqual([30, 60, 90]);
    await show(page, false);
    await page.clock.runFor(600_000);
    expect(await asks()).toHaveLength(3);
    await show(page, true);
    await page.clock.runFor(3_600_000);
    expect(await asks()).toHaveLength(20);
    await show(page, true);
    await page.clock.runFor(3_600_000);
    expect(await asks()).toHaveLength(21);
  });

  async function chargePaidUnverified(): Promise<CreatedCharge> {
    const paid = await charge();
    await pay(world, paid, { proof: { state: 'unproven', why: 'not_anchored' } });
    return paid;
  }
});

describe('the copy buttons on the checkout page', () => {
  const CLIPBOARD = "navigator.permissions.query({ name: 'clipboard-write' }).then(({ state }) => state)";
  const NO_API = "Object.defineProperty(navigator, 'clipboard', { value: undefined })";

  test.each([
    ['permission for the clipboard', 'granted', ''],
    ['no permission for the clipboard', 'denied', ''],
    ['no clipboard API', 'granted', NO_API],
  ] as const)('copy the code, the number and the reference with %s', async (_, setting, script) => {
    const waiting = await charge();
    const page = await newPage();
    await setClipboard(page, setting);
    await page.addInitScript(script);
    await page.goto(urlOf(waiting));
    expect(await page.evaluate(CLIPBOARD)).toBe(setting);
    await page.locator('summary', { hasText: 'I have paid but nothing happened' }).click();
    for (const [name, shown, plain] of [
      ['Copy *170#', '*170#', '*170#'],
      ['Copy the number', '024 123 4567', '0241234567'],
      ['Copy the reference', waiting.reference, waiting.reference],
    ] as const) {
      await page.getByRole('button', { name }).click();
      await expect.poll(() => page.locator('#said').textContent()).toBe(`${shown} copied`);
      const input = page.getByLabel('Transaction ID');
      await input.fill('');
      await input.press('ControlOrMeta+v');
      expect(await input.inputValue()).toBe(plain);
    }
  });

  test('report an error if copying is not supported', async () => {
    const page = await newPage();
    await setClipboard(page, 'denied');
    await page.addInitScript('document.execCommand = () => false');
    await page.goto(urlOf(await charge()));
    const button = page.getByRole('button', { name: 'Copy *170#' });
    await button.click();
    await expect.poll(() => page.locator('#said').textContent()).toBe('Copying failed');
    expect(await page.locator('.dialing .word').textContent()).toBe('Failed');
    await page.clock.fastForward(2_000);
    await button.waitFor();
  });

  async function setClipboard(page: Page, setting: 'granted' | 'denied'): Promise<void> {
    const browserSession = await browser.browser.newBrowserCDPSession();
    const { targetInfo } = await (await page.context().newCDPSession(page)).send('Target.getTargetInfo');
    await browserSession.send('Browser.setPermission', {
      permission: { name: 'clipboard-write' },
      setting,
      origin: world.outside.baseUrl,
      ...(targetInfo.browserContextId && { browserContextId: targetInfo.browserContextId }),
    });
  }
});

test.each([240, 260, 300, 360])('the payment details are not truncated at a width of %i pixels', async (width) => {
  const waiting = await createCharge(world, everywhere, { amount: 100_000 });
  const page = await open(waiting, { ...PHONE, viewport: { width, height: 640 } });
  const copies = await boxesOf(page, '.copy');
  expect(copies).toHaveLength(3);
  const read = [
    ...(await boxesOf(page, '.amount')),
    ...(await boxesOf(page, '.steps .number')),
    ...(await boxesOf(page, '.account')),
  ];
  expect(read.length).toBeGreaterThanOrEqual(5);
  for (const box of read) {
    expect(box.x).toBeGreaterThanOrEqual(0);
    expect(box.x + box.width).toBeLessThanOrEqual(width);
    expect(copies.filter((copy) => overlaps(box, copy))).toEqual([]);
  }
  // Each value must fit on one line.
  const [amount, number, reference] = await boxesOf(page, '.steps .number');
  for (const box of [amount, number, reference]) expect(box?.height).toBeLessThan(50);
  expect(await page.locator('.digits').textContent()).toBe(waiting.reference);
});

describe('the top of the checkout page', () => {
  test.each([
    ['the smallest phone', { ...PHONE, viewport: { width: 240, height: 320 } }],
    ['a desktop screen', DESKTOP],
  ])('shows the logo and the contact on %s', async (_, options) => {
    const page = await open(await createCharge(world, everywhere), options);
    const logo = page.locator('img.monogram');
    await expect.poll(() => page.evaluate("document.querySelector('img.monogram').naturalWidth")).toBe(32);
    const contact = page.getByRole('link', { name: 'WhatsApp' });
    for (const box of [await logo.boundingBox(), await contact.boundingBox()])
      expect((box?.y ?? 1_000) + (box?.height ?? 0)).toBeLessThan(options.viewport.height / 2);
  });
});

describe('payment instructions by SMS', () => {
  test('are requested without leaving the page', async () => {
    const waiting = await createCharge(world, everywhere);
    const page = await open(waiting);
    await page.getByRole('link', { name: 'Telecel Cash' }).click();
    await page.getByRole('heading', { name: 'Pay with Telecel Cash' }).waitFor();
    await page.locator('summary', { hasText: 'Text me this' }).click();
    const number = page.getByLabel('Your number');
    await number.fill('020');
    await number.press('Enter');
    await page.getByRole('alert').getByText('Type a mobile number').waitFor();
    await number.fill('020 987 6543');
    await number.press('Enter');
    await page.locator('#text-me-said').getByText('the text is on its way').waitFor();
    expect(page.url()).toBe(`${urlOf(waiting)}?network=TELECEL`);
    const [text] = (await sendsOf(world, everywhere)).filter(({ reference }) => reference === waiting.reference);
    expect(text).toMatchObject({ to: ['+233209876543'], message: expect.stringContaining('0201234567 (Telecel)') });
  });

  test('work without JavaScript', async () => {
    const waiting = await createCharge(world, everywhere);
    const page = await open(waiting, { ...PHONE, javaScriptEnabled: false });
    await page.getByRole('link', { name: 'Text me this' }).click();
    await page.getByLabel('Your number').fill('0209876544');
    await page.getByRole('button', { name: 'Text me' }).click();
    await page.locator('#text-me-said').getByText('the text is on its way').waitFor();
    await page.getByRole('link', { name: 'Back to waiting for the payment' }).click();
    expect(page.url()).toBe(urlOf(waiting));
  });
});

describe('the selected network on the checkout page', () => {
  test('is kept after a reload', async () => {
    const page = await open(await createCharge(world, everywhere));
    const asked = countAsks(page);
    let loads = 0;
    page.on('load', () => loads++);
    await page.getByRole('link', { name: 'Telecel Cash' }).click();
    await page.getByRole('heading', { name: 'Pay with Telecel Cash' }).waitFor();
    expect(await page.locator('.pay-to .number').textContent()).toBe('020 123 4567');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Telecel Cash');
    expect(loads).toBe(0);
    await page.reload();
    expect(await page.locator('.pay-to .number').textContent()).toBe('020 123 4567');
    expect(asked.count).toBe(0);
  });

  test('is kept after a partial payment', async () => {
    const waiting = await createCharge(world, everywhere);
    const page = await open(waiting);
    await page.getByRole('link', { name: 'Telecel Cash' }).click();
    await page.getByRole('heading', { name: 'Pay with Telecel Cash' }).waitFor();
    const part = paymentNow(world, {
      network: 'TELECEL',
      transaction_id: '1',
      amount_pesewas: 3500,
      proof: { state: 'unproven', why: 'not_anchored' },
    });
    await setCharge(world, waiting, { parts: [part] });
    await page.getByRole('link', { name: 'Check again' }).click();
    await turnsInto(page, 'GHS 35.00 not verified yet, GHS 1.00 still due');
    expect(await page.locator('#amount').textContent()).toBe(
      'GHS 1.00 of GHS 36.00 still due (GHS 35.00 not verified yet)',
    );
    expect(await page.locator('.pay-to .number').textContent()).toBe('020 123 4567');
    expect(await page.locator('#checked').textContent()).toBe('');
  });

  test('cannot be changed after payment', async () => {
    const waiting = await createCharge(world, everywhere);
    const page = await open(waiting);
    const asked = countAsks(page);
    await pay(world, waiting);
    await page.getByRole('link', { name: 'AT Money' }).click();
    await turnsInto(page, 'Payment received');
    expect(asked.count).toBe(0);
  });

  test('is kept if loading fails', async () => {
    const page = await open(await createCharge(world, everywhere));
    await page.route('**/checkout/**', (route) => route.abort());
    await page.getByRole('link', { name: 'AT Money' }).click();
    await page.locator('#checked').getByText('The connection failed. Try again.').waitFor();
    expect(await page.getByRole('heading', { name: 'Pay with MTN MoMo' }).isVisible()).toBe(true);
  });

  test('can be changed without JavaScript', async () => {
    const waiting = await createCharge(world, everywhere, { description: 'Kente, two yards of it. '.repeat(10) });
    const page = await open(waiting, { ...PHONE, javaScriptEnabled: false });
    await page.getByRole('link', { name: 'AT Money' }).click();
    expect(await page.locator('.steps').textContent()).toContain('Ama Stores has no AT number.');
    await page.getByRole('link', { name: 'Check again' }).click();
    expect(page.url()).toBe(`${urlOf(waiting)}?network=AT`);
    await page.getByText('Show all').click();
    expect(await page.getByText('Show less').isVisible()).toBe(true);
  });
});

describe('the customer’s receipt', () => {
  test('can be shared from a phone', async () => {
    const paid = await charge({ callback_url: 'https://shop.example.com/thanks' });
    await pay(world, paid);
    const page = await newPage();
    await page.addInitScript('navigator.share = async (data) => { window.shared = data; }');
    await page.goto(urlOf(paid));
    await page.getByRole('link', { name: 'Share receipt' }).click();
    await expect
      .poll(() => page.evaluate('window.shared'))
      .toEqual({
        title: 'Paid: GHS 36.00 to Ama Stores',
        text: expect.stringContaining(`Reference ${paid.reference}. MTN transaction ID 83412345678.`),
        url: `${urlOf(paid)}/receipt`,
      });
    await page.clock.fastForward(20_000);
    await page.waitForTimeout(100);
    expect(page.url()).toBe(urlOf(paid));
    expect(await page.getByText('Taking you back').isVisible()).toBe(false);
  });

  test.each(appearancesOf(0))('can be printed without JavaScript in $name', async ({ name: _, ...appearance }) => {
    const paid = await charge({ callback_url: 'https://shop.example.com/thanks', description: 'Two yards of kente' });
    await pay(world, paid);
    const page = await newPage({ ...appearance, javaScriptEnabled: false });
    await page.goto(urlOf(paid));
    await page.getByRole('link', { name: 'Receipt to print or keep' }).click();
    await page.getByText('Two yards of kente').waitFor();
    expect(await page.getByRole('button', { name: 'Print' }).count()).toBe(0);
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByText(paid.reference).isVisible()).toBe(true);
  });

  test('stops the redirect once it is shared', async () => {
    const paid = await charge({ callback_url: 'https://shop.example.com/thanks' });
    await pay(world, paid);
    const page = await newPage();
    await page.addInitScript('navigator.share = async () => undefined');
    await page.goto(urlOf(paid));
    await page.getByRole('link', { name: 'Share receipt' }).click();
    await page.clock.fastForward(20_000);
    await page.waitForTimeout(100);
    expect(page.url()).toBe(urlOf(paid));
    expect(await page.getByText('Taking you back').isVisible()).toBe(false);
  });

  test.each([
    ['copies the receipt if sharing is unavailable', 'undefined', 'Copied'],
    [
      'copies the receipt if sharing is denied',
      "async () => { throw new DOMException('', 'NotAllowedError') }",
      'Copied',
    ],
    [
      'does nothing if sharing is cancelled',
      "async () => { throw new DOMException('', 'AbortError') }",
      'Share receipt',
    ],
  ])('has a share button that %s', async (_, share, word) => {
    const paid = await charge();
    await pay(world, paid);
    const page = await newPage();
    await page.context().grantPermissions(['clipboard-write', 'clipboard-read'], { origin: world.outside.baseUrl });
    await page.addInitScript(`navigator.share = ${share}`);
    await page.goto(urlOf(paid));
    const link = page.locator('[data-share]');
    await link.click();
    await page.waitForTimeout(100);
    await expect.poll(() => link.textContent()).toBe(word);
    await page.clock.fastForward(2000);
    await expect.poll(() => link.textContent()).toBe('Share receipt');
  });
});

test('the QR code is hidden on a phone', async () => {
  const waiting = await charge();
  for (const [options, isShown] of [
    [PHONE, false],
    [DESKTOP, true],
  ] as const) {
    const page = await open(waiting, options);
    const code = page.getByRole('img', { name: 'QR code' });
    expect(await code.isVisible()).toBe(isShown);
    if (!isShown) continue;
    const [qr, dial] = [await code.boundingBox(), await page.getByRole('link', { name: 'Dial' }).boundingBox()];
    expect(qr && dial && qr.y + qr.height < dial.y && qr.width > 150 && dial.height < 48).toBe(true);
  }
});

describe('the claim form on the checkout page', () => {
  test('shows the payment in amber after a correct id', async () => {
    const waiting = await charge();
    const page = await open(waiting);
    await page.locator('summary', { hasText: 'I have paid but nothing happened' }).click();
    const input = page.getByLabel('Transaction ID');
    await input.fill('61234567801');
    await page.getByLabel('Name on the wallet that paid').fill('Kofi Mensah');
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByRole('alert').getByText('We cannot confirm a payment with this ID, name and amount').waitFor();
    expect(await page.getByText('Still not confirmed?').isVisible()).toBe(true);
    expect(page.url()).toBe(urlOf(waiting));
    expect(await input.getAttribute('aria-invalid')).toBe('true');
    expect(await page.evaluate('document.activeElement.id')).toBe('transaction-id');

    await holdPayment(world, merchant, '61234567801');
    await input.press('Enter');
    await turnsInto(page, NOT_VERIFIED);
    expect(await page.locator('#checkout').getAttribute('data-status')).toBe('look');
    // For screen readers, the focus moves to the changed part.
    const focused = await page.evaluate('document.activeElement.textContent');
    expect(focused).toBe('Ama Stores has not verified this payment yet.');
  });

  test.each([60, 100, 200])('shows errors below the status bar if the field is %i pixels from the top', async (y) => {
    const page = await newPage();
    await page.goto(`${urlOf(await charge({ callback_url: 'https://shop.example.com/' }))}?claim`);
    await page.getByLabel('Transaction ID').fill('61234567802');
    await page.getByLabel('Name on the wallet that paid').fill('Kofi Mensah');
    await page.evaluate(`scrollBy(0, document.getElementById('transaction-id').getBoundingClientRect().top - ${y})`);
    await page.locator('#payer-name').press('Enter');
    await page.getByRole('alert').waitFor();
    await page.waitForTimeout(100);
    const [bar, fault] = [await page.locator('.status-bar').boundingBox(), await page.getByRole('alert').boundingBox()];
    expect(fault?.y).toBeGreaterThan((bar?.y ?? 0) + (bar?.height ?? 0));
  });

  test('shows an error about the name next to its field', async () => {
    const page = await open(await charge());
    await page.locator('summary', { hasText: 'I have paid but nothing happened' }).click();
    await page.getByLabel('Transaction ID').fill('61234567801');
    const name = page.getByLabel('Name on the wallet that paid');
    await name.fill('Kofi');
    await name.press('Enter');
    await page.getByRole('alert').getByText('Type two to four of the names').waitFor();
    expect(await page.getByText('Still not confirmed?').isVisible()).toBe(false);
    expect(await name.getAttribute('aria-invalid')).toBe('true');
    expect(await page.getByLabel('Transaction ID').getAttribute('aria-invalid')).toBeNull();
    expect(await page.evaluate('document.activeElement.id')).toBe('payer-name');
  });

  test('shows the waiting time after too many attempts', async () => {
    const page = await open(await charge());
    await page.locator('summary', { hasText: 'I have paid but nothing happened' }).click();
    const input = page.getByLabel('Transaction ID');
    await page.getByLabel('Name on the wallet that paid').fill('Kofi Mensah');
    for (let n = 0; n < 6; n++) {
      const answered = page.waitForResponse('**/claim');
      await input.fill(`6123456781${n}`);
      await input.press('Enter');
      await answered;
      await page.locator('#claim button:enabled').waitFor();
    }
    expect(await page.getByRole('alert').textContent()).toBe('Too many attempts. Wait 10 minutes and try again.');
  });
});

describe('a claim code for a payment from another network', () => {
  const SAID =
    'If the network shows GHS 36.00 from this number, we have texted it a code. If the code does not arrive, contact Ama Stores.';

  test.each([true, false])('is texted and accepted (JavaScript: %s)', async (javaScriptEnabled) => {
    const payer = newPayerNumber();
    await arrive(world, { number: '+233241234567' }, fromTelecel({ phone: payer }));
    const page = await openClaim(javaScriptEnabled);
    expect(await page.getByLabel('Code from the text').isVisible()).toBe(false);

    await page.getByLabel('Number the payment came from').fill('kofi');
    await page.getByRole('button', { name: 'Text a code' }).click();
    await page.getByRole('alert').getByText('Type the number the payment came from, such as 020 987 6543.').waitFor();

    await page.getByLabel('Number the payment came from').fill(payer.replace('233', '0'));
    await page.getByRole('button', { name: 'Text a code' }).click();
    await page.getByText(SAID).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);

    const code = await codeTo(`+${payer}`);
    await page.getByLabel('Code from the text').fill(code === '000000' ? '000001' : '000000');
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('alert').getByText('This code is wrong or no longer valid').waitFor();
    expect(await page.getByLabel('Code from the text').getAttribute('aria-invalid')).toBe('true');
    const { violations } = javaScriptEnabled ? await new AxeBuilder({ page }).analyze() : { violations: [] };
    expect(violations).toEqual([]);

    await page.getByLabel('Code from the text').fill(code);
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('status').getByText(NOT_VERIFIED).waitFor();
  });

  test.each([true, false])('is not sent to a number that has not paid (JavaScript: %s)', async (javaScriptEnabled) => {
    const page = await openClaim(javaScriptEnabled);
    await page.getByLabel('Number the payment came from').fill('0209999999');
    await page.getByRole('button', { name: 'Text a code' }).click();
    await page.getByText(SAID).waitFor();
    await page.getByLabel('Code from the text').fill('123456');
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('alert').getByText('This code is wrong or no longer valid').waitFor();
  });

  async function openClaim(javaScriptEnabled: boolean): Promise<Page> {
    const page = await newPage({ ...PHONE, javaScriptEnabled });
    await page.goto(`${urlOf(await charge())}?claim`);
    return page;
  }

  async function codeTo(phone: string): Promise<string> {
    const text = (await rows(world, 'SEND')).find(({ to }) => Array.isArray(to) && to.includes(phone));
    return String(text?.message).slice(0, 6);
  }
});

describe('layout and accessibility of the checkout page (npm run browser)', async () => {
  const paid = await charge({ callback_url: 'https://shop.example.com/', description: 'Two yards of kente' });
  await pay(world, paid);
  const reversed = await charge();
  await reverse(world, reversed);
  const expired = await charge();
  const waiting = await charge({ description: 'Two yards of kente' });
  const choosing = await createCharge(world, everywhere, {
    description: 'Two yards of kente. '.repeat(20),
    callback_url: 'https://shop.example.com/',
  });
  const overpaid = await createCharge(world, everywhere);
  await pay(world, overpaid, { amount_pesewas: 4000 });
  const partly = await createCharge(world, everywhere, { description: 'Two yards of kente' });
  const part = paymentNow(world, {
    transaction_id: '1',
    amount_pesewas: 1250,
    proof: { state: 'unproven', why: 'not_anchored' },
  });
  await setCharge(world, partly, { parts: [part] });
  const testAccount = { ...merchant, liveKey: merchant.testKey };
  const ofTest = await createCharge(world, testAccount, { description: 'Two yards of kente' });
  const paidTest = await createCharge(world, testAccount);
  await pay(world, paidTest);
  const states: Record<string, (page: Page) => Promise<unknown>> = {
    pending: (page) => page.goto(urlOf(waiting)),
    paid: async (page) => {
      // A response without content leaves the customer on this page.
      await page.route('https://shop.example.com/**', (route) => route.fulfill({ status: 204 }));
      await page.goto(urlOf(paid));
    },
    reversed: (page) => page.goto(urlOf(reversed)),
    expired: (page) => {
      world.clock.nowMs += DAY_MS;
      return page.goto(urlOf(expired));
    },
    'pending on a network without a number': async (page) => {
      await page.goto(`${urlOf(choosing)}?network=AT`);
      await page.getByText('Show all').click();
    },
    'an unsuccessful claim': async (page) => {
      await page.goto(`${urlOf(choosing)}?claim`);
      await page.getByLabel('Transaction ID').fill('61234567801');
      await page.getByLabel('Name on the wallet that paid').fill('Kofi Mensah');
      await page.getByRole('button', { name: 'Check' }).click();
      await page.getByRole('link', { name: 'Ask on WhatsApp' }).waitFor();
    },
    'a requested text': async (page) => {
      await page.goto(`${urlOf(choosing)}?text`);
      await page.getByLabel('Your number').fill('020');
      await page.getByRole('button', { name: 'Text me' }).click();
      await page.getByRole('alert').getByText('Type a mobile number').waitFor();
    },
    offline: async (page) => {
      await page.goto(urlOf(choosing));
      await page.context().setOffline(true);
      await turnsInto(page, 'You are offline');
    },
    'a test': (page) => page.goto(urlOf(ofTest)),
    'a paid test': (page) => page.goto(urlOf(paidTest)),
    overpaid: (page) => page.goto(urlOf(overpaid)),
    'partly paid': (page) => page.goto(urlOf(partly)),
    unknown: (page) => page.goto(`${world.outside.baseUrl}/checkout/unknown`),
    'an invalid claim': async (page) => {
      await page.goto(`${urlOf(waiting)}?claim`);
      await page.getByLabel('Transaction ID').fill('no digit');
      await page.getByLabel('Name on the wallet that paid').fill('Kofi');
      await page.getByRole('button', { name: 'Check' }).click();
      await page.getByRole('alert').getByText('has 10 to 14 digits').waitFor();
    },
  };
  describe.each(Object.keys(states).map((state, n) => ({ state, n })))('$state', ({ state, n }) => {
    test.each(appearancesOf(n))('fits the screen and has no accessibility violations at $name', async (appearance) => {
      const page = await newPage(appearance);
      await states[state]?.(page);
      world.clock.nowMs = startedAtMs;
      for (const width of [240, 320, appearance.viewport.width]) {
        await page.setViewportSize({ ...appearance.viewport, width });
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      }
      const { violations } = await new AxeBuilder({ page })
        // Legacy mode is faster, and is enough for a page without frames.
        .setLegacyMode()
        .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
        .analyze();
      expect(violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)])).toEqual([]);
    });
  });
});

function charge(body: object = {}): Promise<CreatedCharge> {
  return createCharge(world, merchant, body);
}

const verify = pay;

/** Records that the shop has sent the payment back. */
async function sendBack(_: typeof world, paid: CreatedCharge): Promise<void> {
  const at = world.iso();
  const refund = { refund_id: 'refund', amount_pesewas: 3600, state: 'sent', noted_at: at, closed_at: at };
  await setCharge(world, paid, { refunds: [refund] });
}

function urlOf({ access_code }: CreatedCharge): string {
  return `${world.outside.baseUrl}/checkout/${access_code}`;
}

function callbackOf({ reference }: CreatedCharge): string {
  return `https://shop.example.com/thanks?order=7&reference=${reference}#top`;
}

const DELAYS_SECONDS = textDelaysSeconds(99);

/** Returns the seconds at which release 1.0.0 polled if the customer confirmed payment after `saidSeconds`. */
function firstReleaseAsks(saidSeconds: number): number[] {
  const pauseAt = (second: number) => 0.1 + Math.max(2.5, (second - 180) / 8);
  const asks: number[] = [];
  for (let second = 20; second < saidSeconds; second += pauseAt(second)) asks.push(second);
  for (let second = saidSeconds; second < 1_200; second += pauseAt(second)) asks.push(second);
  return asks;
}

/** Responds to each poll after 0.1 s and records its time in seconds. */
const NEVER_PAID = `
  const openedMs = performance.now();
  window.asks = [];
  window.fetch = async (address) => {
    if (String(address).endsWith('/status')) window.asks.push((performance.now() - openedMs) / 1000);
    await new Promise((done) => setTimeout(done, 100));
    return { status: 200, text: async () => '{"data":{"status":"pending","amount_paid":0,"checking":false}}' };
  };
`;

/** Serves the same page for each request and records the time in seconds. */
const STAYS_UNVERIFIED = `
  const openedMs = performance.now();
  window.asks = [];
  window.fetch = async () => {
    window.asks.push((performance.now() - openedMs) / 1000);
    return { status: 200, text: async () => document.documentElement.outerHTML };
  };
`;

/** Opens a page with a clock controlled by the test. */
async function openNeverPaid(): Promise<Page> {
  const page = await newPage();
  await page.addInitScript(NEVER_PAID);
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.goto(urlOf(await charge()));
  return page;
}

/** Opens a page in a new window, with a clock controlled by the test. */
async function newPage(options: BrowserContextOptions = PHONE): Promise<Page> {
  // The browser logs a 404, a 422 and a missing response as errors.
  const page = await browser.newPage(options, 'Failed to load resource');
  page.setDefaultTimeout(PATIENCE.timeout);
  await page.route('https://shop.example.com/**', (route) => route.fulfill({ body: 'Thanks' }));
  if (options.javaScriptEnabled !== false) await page.clock.install();
  return page;
}

async function open(charge: CreatedCharge, options?: BrowserContextOptions): Promise<Page> {
  const page = await newPage(options);
  await page.goto(urlOf(charge));
  return page;
}

function statusOf(page: Page): Promise<string | null> {
  return page.locator('#status').textContent();
}

function turnsInto(page: Page, status: string): Promise<void> {
  return page.locator('#status', { hasText: status }).waitFor();
}

/** Returns the positions of elements that must not move. */
async function placesOf(page: Page) {
  return Promise.all(
    ['h1', '.amount', '.status-bar', '#status', '#panel'].map(async (name) => {
      const { x, y } = (await page.locator(name).boundingBox()) ?? {};
      return { name, x, y };
    }),
  );
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Returns the bounding boxes of the text, which may be wider than its element. */
function boxesOf(page: Page, selector: string): Promise<Box[]> {
  return page.evaluate(`[...document.querySelectorAll('${selector}')].map((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    const { x, y, width, height } = range.getBoundingClientRect();
    return { x, y, width, height };
  })`);
}

function overlaps(one: Box, other: Box): boolean {
  const isBeside = one.x + one.width <= other.x || other.x + other.width <= one.x;
  return !isBeside && one.y + one.height > other.y && other.y + other.height > one.y;
}

function countAsks(page: Page): { readonly count: number; readonly answered: number } {
  const asked = { count: 0, answered: 0 };
  page.on('request', (request) => {
    if (request.url().endsWith('/status')) asked.count++;
  });
  page.on('requestfinished', (request) => {
    if (request.url().endsWith('/status')) asked.answered++;
  });
  return asked;
}

async function show(page: Page, isShown: boolean): Promise<void> {
  await page.evaluate(`
    Object.defineProperty(document, 'hidden', { configurable: true, value: ${!isShown} });
    document.dispatchEvent(new Event('visibilitychange'));
  `);
}
