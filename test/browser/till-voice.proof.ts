import type { BrowserContext, Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { english, filled, spokenMoney } from '../../shared/ghana/spoken/spoken.ts';
import { requireMerchant } from '../../shared/merchants/merchant/manage-merchant.ts';
import { disputeCharge } from '../../shared/money/charge/change-charge.table.ts';
import { chargeRows } from '../../shared/money/charge/charge.table.ts';
import { addTill } from '../../shared/money/till/shift.ts';
import { makeSticker } from '../../shared/money/till/sticker.ts';
import { changeItem } from '../../shared/runtime/table/table.ts';
import { MINUTE_MS } from '../../shared/runtime/values/calendar.ts';
import type { Proof } from '../../shared/wallets/chain/proof.ts';
import { browserForTests, serve } from '../support/browser.ts';
import { openDashboard } from '../support/dashboard-page.ts';
import { mtn, paymentId, reversal } from '../support/receipts.ts';
import { type Person, scene } from '../support/scene.ts';

// Tests a till's announcements in a browser with a recorded voice.

const at = browserForTests();
const ON_A_PHONE = { viewport: { width: 360, height: 740 } };

async function shopWithTills(names: readonly string[]) {
  const world = await scene({ inMemory: true });
  const shop = await world.createShop();
  const tills = await Promise.all(
    names.map(async (name) => {
      const by = await shop.signIn('cashier');
      const { till, writes } = await addTill(world.outside, shop.id, name);
      await world.outside.table.write(writes);
      const merchant = await requireMerchant(world.outside, shop.id);
      const slug = await makeSticker(world.outside, merchant, till.till_id, async (made, _, more) => {
        await world.outside.table.write(more);
        return made;
      });
      await by.visit(`/dashboard/till/${till.till_id}/begin`, { form: {} });
      return { path: `/dashboard/till/${till.till_id}`, slug, by };
    }),
  );
  const { stop } = await serve(world, ['checkout/logo']);
  onTestFinished(stop);
  const prove = async (reference: string | undefined, receiptId: string, proof: Proof) => {
    const writes = [changeItem({ pk: `RECEIPT#${receiptId}`, sk: 'RECEIPT' }, { proof })];
    if (reference !== undefined) {
      const { payment } = await world.chargeRow(reference);
      writes.push(changeItem(chargeRows.key({ reference }), { payment: { ...payment, proof } }));
    }
    await world.outside.table.write(writes);
    await world.followChanges();
  };
  let scans = 0;
  /** Simulates a customer who scans a till's sticker and pays an amount. */
  const payAt = async (
    { slug }: { slug: string },
    cedis: number,
    { from = 'KOFI MENSAH', proof = PROVEN, times = 1 } = {},
  ) => {
    const { reference } = await world.openLink(slug, { amount: String(cedis) }, `10.0.${scans >> 8}.${scans++ & 255}`);
    await world.followChanges();
    const text = mtn({ reference, amount: `${cedis}.00`, from });
    for (let n = 0; n < times; n++) await shop.pay(text);
    const receiptId = paymentId(shop, text);
    await prove(reference, receiptId, proof);
    return { reference, receiptId, id: text.id };
  };
  const payUnasked = async (proof: Proof, agoMs = 0) => {
    const text = mtn({ amount: '5.00' });
    await shop.arrive({ ...text, receivedAt: new Date(world.clock.nowMs - agoMs).toISOString() });
    await prove(undefined, paymentId(shop, text), proof);
    return text;
  };
  return { world, shop, tills, prove, payAt, payUnasked };
}

async function shopWithOneTill() {
  const { tills, ...shop } = await shopWithTills(['Counter 1']);
  const [till] = tills;
  if (!till) throw new Error('There is a till');
  return { ...shop, till };
}

const PROVEN: Proof = { state: 'proven' };
const GAP: Proof = { state: 'unproven', why: 'balance_gap' };
const NEW_WALLET: Proof = { state: 'unproven', why: 'not_anchored' };

type World = Awaited<ReturnType<typeof shopWithTills>>['world'];

/** Opens a till with the voice turned on and records its announcements. */
async function deviceAt(world: World, { path, by }: { path: string; by: Person }, hasVoice = true) {
  const page = await openDashboard({ ...at, world, by }, path, ON_A_PHONE);
  const spoken: string[] = [];
  const sounds: number[] = [];
  await record(page.context(), spoken, sounds, hasVoice);
  await page.clock.install();
  await page.reload();
  return { page, spoken, sounds };
}

/** Opens a till on its own device and turns the voice on. */
async function speakingDeviceAt(world: World, till: { path: string; by: Person }) {
  const device = await deviceAt(world, till);
  await device.page.getByRole('button', { name: 'Turn on the voice' }).click();
  await expect.poll(() => device.sounds.length).toBeGreaterThan(0);
  device.spoken.splice(0);
  device.sounds.splice(0);
  return device;
}

async function record(context: BrowserContext, spoken: string[], sounds: number[], hasVoice: boolean): Promise<void> {
  await context.exposeFunction('noteSpoken', (words: string) => spoken.push(words));
  await context.exposeFunction('noteSound', (hertz: number) => sounds.push(hertz));
  await context.addInitScript(`{
    // Simulates slow and failing speech engines.
    window.voice = { isSlow: false, error: undefined, end: () => undefined };
    const speak = (utterance) => {
      const { isSlow, error } = voice;
      if (error === undefined) noteSpoken(utterance.text);
      voice.end = () => utterance.dispatchEvent(Object.assign(new Event(error ? 'error' : 'end'), { error }));
      if (!isSlow) queueMicrotask(voice.end);
    };
    const value = { speak, cancel: () => undefined };
    Object.defineProperty(window, 'speechSynthesis', { value: ${hasVoice ? 'value' : 'undefined'} });
    const usual = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (...given) {
      noteSound(this.frequency.value);
      return usual.apply(this, given);
    };
  }`);
}

/** Advances the pages' clocks until each page has polled. */
async function refresh(world: World, pages: readonly Page[]): Promise<void> {
  world.clock.nowMs += 100;
  for (const page of pages) {
    await askForNews(page);
    await settle(page);
  }
}

/** Waits until every announcement has had its turn with the lock. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(`(async () => {
    for (let n = 0; n < 30; n++) await navigator.locks.request('heard-at-till', () => undefined);
  })()`);
}

async function askForNews(page: Page): Promise<void> {
  const reached = reach(page);
  await page.clock.runFor(3_100);
  await reached;
}

async function reach(page: Page): Promise<void> {
  await page.evaluate(`new Promise((done) => document.addEventListener('reach', () => done(), { once: true }))`);
}

/** Makes the page poll. The response reaches the page only when the returned function is called. */
async function delayAnswer(page: Page): Promise<() => Promise<void>> {
  let release: (() => void) | undefined;
  await page.route('**/dashboard/till/**', async (route) => {
    if (release || route.request().method() !== 'GET') return route.continue();
    const response = await route.fetch();
    await new Promise<void>((done) => {
      release = done;
    });
    await route.fulfill({ response });
  });
  await page.clock.runFor(3_100);
  await expect.poll(() => release).toBeDefined();
  return async () => {
    const reached = reach(page);
    release?.();
    await reached;
  };
}

/** Simulates ten minutes in which the device sleeps, so that none of its timers run. */
async function sleep(world: World, page: Page): Promise<void> {
  world.clock.nowMs += 10 * MINUTE_MS;
  await page.clock.setSystemTime((await page.evaluate<number>('Date.now()')) + 10 * MINUTE_MS);
}

function paid(cedis: number, name?: string): string {
  const amount = spokenMoney(cedis * 100, english) ?? '';
  return name === undefined ? filled(english.paid, { amount }) : filled(english.paid_by, { amount, name });
}

test('a till announces each of a hundred payments once, in order', async () => {
  const { world, shop, tills, prove, payAt, payUnasked } = await shopWithTills(['Counter 1', 'Counter 2']);
  const [first, second] = [...tills];
  if (!first || !second) throw new Error('There are two tills');
  const devices = [await deviceAt(world, first), await deviceAt(world, second)];
  const tab = await devices[0]?.page.context().newPage();
  await tab?.clock.install();
  await tab?.goto(devices[0]?.page.url() ?? '');
  const pages = [...devices.map(({ page }) => page), ...(tab ? [tab] : [])];
  for (const { page } of devices) await page.getByRole('button', { name: 'Turn on the voice' }).click();
  // Two tabs that poll at the same moment may report their words to the test in either order. A time that has passed
  // when the request reaches the page would be an error.
  for (const page of pages) await page.clock.pauseAt(Date.now() + MINUTE_MS);
  for (const { spoken } of devices) spoken.splice(0);
  // Late texts must belong to this shift.
  world.clock.nowMs += 5 * MINUTE_MS;

  const expected: string[][] = [[], []];
  /** Several unverified payments are announced together. */
  let isAsked = [false, false];
  const ask = (side: number) => {
    if (!isAsked[side]) expected[side]?.push(english.check);
    isAsked[side] = true;
  };
  let later: (() => Promise<unknown>)[] = [];
  for (let n = 0; n < 100; n++) {
    world.clock.nowMs += 50;
    const side = Math.floor(n / 2) % 2;
    const [till, said] = [tills[side] ?? first, expected[side] ?? []];
    const cedis = 100 + n;
    const kind = n % 10;
    if (kind < 3) {
      // The network may send a text twice.
      await payAt(till, cedis, { times: kind === 2 ? 3 : 1 });
      said.push(paid(cedis, 'Kofi Mensah'));
    } else if (kind === 3) {
      const { reference } = await payAt(till, cedis, n < 50 ? { proof: GAP } : {});
      // The payment is verified, but is below the requested amount.
      const asked = { amount_pesewas: cedis * 100 + 1 };
      if (n >= 50) await world.outside.table.write([changeItem(chargeRows.key({ reference }), asked)]);
      ask(side);
    } else if (kind === 4) {
      const { id } = await payAt(till, cedis);
      said.push(paid(cedis, 'Kofi Mensah'));
      later.push(async () => {
        await shop.arrive(reversal(id, `${cedis}.00`));
        said.push(filled(english.taken_back, { paid: paid(cedis, 'Kofi Mensah') }));
      });
    } else if (kind === 5) {
      const { reference, receiptId } = await payAt(till, cedis, { proof: GAP });
      ask(side);
      later.push(async () => {
        await prove(reference, receiptId, PROVEN);
        said.push(paid(cedis, 'Kofi Mensah'));
      });
    } else if (kind === 6) {
      await payAt(till, cedis, { proof: NEW_WALLET });
    } else if (kind === 7) {
      await payAt(till, cedis, { from: 'FIFTY CEDIS' });
      said.push(paid(cedis));
    } else if (kind === 8) {
      await payUnasked(GAP);
      for (const each of expected.keys()) ask(each);
      // A delayed text is too old to announce.
      await payUnasked(GAP, 4 * MINUTE_MS);
    } else {
      const { reference, receiptId } = await payAt(till, cedis, { proof: GAP });
      ask(side);
      await refresh(world, pages);
      isAsked = [false, false];
      for (const change of later) await change();
      later = [];
      await refresh(world, pages);
      // The till stays green for half a minute.
      world.clock.nowMs += 31_000;
      await prove(reference, receiptId, PROVEN);
    }
  }
  await refresh(world, pages);
  expect(devices.map(({ spoken }) => spoken)).toEqual(expected);
  expect(expected.flat().length).toBeGreaterThan(80);
  const asPaid = devices.flatMap(({ spoken }) => spoken).filter((words) => /^[^:]*cedis/.test(words));
  expect(new Set(asPaid).size).toBe(asPaid.length);
});

test('a till without speech synthesis plays a chime', async () => {
  const { world, till, payAt } = await shopWithOneTill();
  const { page, spoken, sounds } = await deviceAt(world, till, false);
  await page.getByText('This browser cannot speak. You will still hear the chime.').waitFor();
  expect(await page.getByRole('button', { name: 'Turn on the voice' }).isVisible()).toBe(false);
  await payAt(till, 36);
  await refresh(world, [page]);
  await expect.poll(() => [spoken, sounds]).toEqual([[], [880, 1320]]);
});

test('the voice is off by default and stays on after a reload', async () => {
  const { world, till, payAt } = await shopWithOneTill();
  const { page, spoken, sounds } = await deviceAt(world, till);
  await payAt(till, 36);
  await refresh(world, [page]);
  await expect.poll(() => [spoken, sounds]).toEqual([[], [880, 1320]]);
  await page.getByRole('button', { name: 'Turn on the voice' }).click();
  await page.reload();
  await page.getByRole('button', { name: 'Test the volume' }).click();
  const example = 'Payments are said like this. Thirty-six cedis.';
  expect(spoken.splice(0)).toEqual([example, example]);
  await payAt(till, 37, { proof: NEW_WALLET });
  await page.reload();
  await page.getByText('Until then, no payment is verified, and each makes a soft sound.').waitFor();
  expect(spoken).toEqual([]);
  await page.getByRole('button', { name: 'Turn off the voice' }).click();
  await payAt(till, 38);
  await refresh(world, [page]);
  expect(spoken).toEqual([]);
});

test('a till open in two tabs speaks in only one of them', async () => {
  const { world, till, payAt } = await shopWithOneTill();
  const { page, spoken } = await speakingDeviceAt(world, till);
  const tab = await page.context().newPage();
  await tab.goto(page.url());
  await tab.evaluate(`new Promise((held) =>
    void navigator.locks.request('heard-at-till', () => (held(), new Promise((done) => (window.release = done)))))`);
  await payAt(till, 36);
  await askForNews(page);
  expect(spoken).toEqual([]);
  await tab.evaluate('window.release()');
  await expect.poll(() => spoken).toEqual([paid(36, 'Kofi Mensah')]);
});

test('a payment in two parts is announced once', async () => {
  const { world, shop, till } = await shopWithOneTill();
  const { page, spoken } = await speakingDeviceAt(world, till);
  const { reference } = await world.openLink(till.slug, { amount: '36' }, '10.0.0.1');
  const parts = [mtn({ reference, amount: '20.00', from: 'AMA OWUSU' }), mtn({ reference, amount: '16.00' })] as const;
  for (const part of parts) {
    world.clock.nowMs += 1_000;
    await shop.pay(part);
    await world.followChanges();
    await refresh(world, [page]);
  }
  spoken.splice(0);
  const charge = await world.chargeRow(reference);
  const proven = (payment: object | undefined) => ({ ...payment, proof: PROVEN });
  const changed = { payment: proven(charge.payment), parts: charge.parts?.map(proven) };
  await world.outside.table.write([changeItem(chargeRows.key({ reference }), changed)]);
  await refresh(world, [page]);
  await shop.arrive(reversal(parts[0].id, '20.00'));
  await world.followChanges();
  await refresh(world, [page]);
  expect(spoken.slice(0, 2)).toEqual([paid(36), filled(english.taken_back, { paid: paid(20, 'Ama Owusu') })]);
});

test('a disputed payment is announced again', async () => {
  const { world, till, prove, payAt } = await shopWithOneTill();
  const { page, spoken } = await speakingDeviceAt(world, till);
  const { reference, receiptId } = await payAt(till, 36, { proof: GAP });
  await refresh(world, [page]);
  await prove(reference, receiptId, PROVEN);
  await refresh(world, [page]);
  await world.outside.table.write([disputeCharge(world.outside, reference, 'reversal')]);
  await refresh(world, [page]);
  expect(spoken).toEqual([english.check, paid(36, 'Kofi Mensah'), english.check]);
});

test('a payment is announced while the cashier enters an amount', async () => {
  const { world, till, payAt, payUnasked, shop } = await shopWithOneTill();
  const { page, spoken } = await speakingDeviceAt(world, till);
  await page.getByLabel('Amount').focus();
  await page.getByRole('button', { name: '7', exact: true }).dispatchEvent('click');
  const text = await payUnasked(NEW_WALLET);
  await payAt(till, 36);
  await refresh(world, [page]);
  expect(spoken).toEqual([paid(36, 'Kofi Mensah')]);
  expect(await page.getByLabel('Amount').inputValue()).toBe('7');

  await page.clock.runFor(600);
  await world.outside.table.write([
    changeItem({ pk: `RECEIPT#${paymentId(shop, text)}`, sk: 'RECEIPT' }, { reason: 'conflict' }),
  ]);
  await page.locator('button.payment-line').click();
  await page.getByText('Ask a manager to check it.').waitFor();
  at.complaints.splice(0);
  await payAt(till, 37);
  await refresh(world, [page]);
  await page.getByRole('button', { name: 'Turn off the voice' }).waitFor();
  await page.locator('[data-keys]').waitFor();
});

test('an outdated announcement is dropped', async () => {
  const { world, shop, till, payAt, payUnasked } = await shopWithOneTill();
  const { page, spoken } = await speakingDeviceAt(world, till);
  await page.evaluate('voice.isSlow = true');
  const ids: string[] = [];
  for (const cedis of [40, 41, 42]) {
    world.clock.nowMs += 10;
    ids.push((await payAt(till, cedis)).id);
    await payUnasked(GAP);
  }
  await refresh(world, [page]);
  expect(spoken).toEqual([paid(40, 'Kofi Mensah')]);
  await shop.arrive(reversal(ids[2] ?? '', '42.00'));
  await world.followChanges();
  await refresh(world, [page]);
  await page.evaluate('voice.isSlow = false; voice.end()');
  await expect.poll(() => spoken).toEqual([paid(40, 'Kofi Mensah'), english.check, paid(41, 'Kofi Mensah')]);
  await refresh(world, [page]);
  expect(spoken).toHaveLength(3);
});

test('a payment that is no longer green is not announced after the device wakes up', async () => {
  const { world, till, payAt } = await shopWithOneTill();
  const { page, spoken } = await speakingDeviceAt(world, till);
  await page.evaluate('voice.isSlow = true');
  await payAt(till, 40);
  world.clock.nowMs += 10;
  await payAt(till, 41);
  await refresh(world, [page]);
  await sleep(world, page);
  await page.evaluate('voice.isSlow = false; voice.end()');
  await settle(page);
  expect(spoken).toEqual([paid(40, 'Kofi Mensah')]);
});

test('a response requested before the device slept is ignored', async () => {
  const { world, till, payAt } = await shopWithOneTill();
  const { page, spoken } = await speakingDeviceAt(world, till);
  await payAt(till, 36);
  const release = await delayAnswer(page);
  await sleep(world, page);
  await release();
  await settle(page);
  expect(spoken).toEqual([]);
  expect(await page.locator('.till-green').count()).toBe(0);
});

test('the response to a tap made before the device slept does not turn the till green', async () => {
  const { world, till, payUnasked } = await shopWithOneTill();
  const { page } = await speakingDeviceAt(world, till);
  await payUnasked(NEW_WALLET);
  await refresh(world, [page]);
  await page.clock.runFor(600);
  await page.route('**/take', async (route) => {
    const response = await route.fetch();
    await sleep(world, page);
    await route.fulfill({ response });
  });
  await page.locator('button.payment-line').click();
  await page.getByRole('button', { name: 'Undo GHS 5.00' }).waitFor();
  expect(await page.locator('.till-green').count()).toBe(0);
});

test('a slow page load does not extend the green display', async () => {
  const { world, till, payAt } = await shopWithOneTill();
  await payAt(till, 36);
  const page = await openDashboard({ ...at, world, by: till.by }, till.path, ON_A_PHONE);
  world.clock.nowMs += 29_000;
  let sent = '';
  await page.route('**/dashboard/till/**', async (route) => {
    const response = await route.fetch();
    sent = await response.text();
    await page.waitForTimeout(2_000);
    await route.fulfill({ response });
  });
  await page.reload();
  expect(sent).toContain('till-green');
  expect(await page.locator('.till-green').count()).toBe(0);
});

test.each([429, 503])('a till reports a lost connection if the server responds with %i', async (status) => {
  const { world, till } = await shopWithOneTill();
  const { page } = await speakingDeviceAt(world, till);
  await page.route('**/dashboard/till/**', (route) => route.fulfill({ status }));
  await askForNews(page);
  expect(await page.getByText('No connection').isVisible()).toBe(true);
  at.complaints.splice(0);
  await page.unroute('**/dashboard/till/**');
  await askForNews(page);
  expect(await page.getByText('No connection').isVisible()).toBe(false);
});

test('a lost connection is still reported while the till is hidden', async () => {
  const { world, till } = await shopWithOneTill();
  const { page } = await speakingDeviceAt(world, till);
  await page.route('**/dashboard/till/**', (route) => route.abort());
  await askForNews(page);
  at.complaints.splice(0);
  await page.evaluate(`Object.defineProperty(document, 'hidden', { configurable: true, value: true })`);
  await page.clock.runFor(6_200);
  expect(await page.getByText('No connection').isVisible()).toBe(true);
  await page.unroute('**/dashboard/till/**');
  await page.evaluate('delete document.hidden');
  await askForNews(page);
  expect(await page.getByText('No connection').isVisible()).toBe(false);
});

test('announcements continue after the voice is stopped and restarted', async () => {
  const { world, till, payAt } = await shopWithOneTill();
  const { page, spoken } = await speakingDeviceAt(world, till);
  await page.evaluate('voice.isSlow = true');
  await payAt(till, 36);
  await refresh(world, [page]);
  await page.getByRole('button', { name: 'Turn off the voice' }).click();
  await page.clock.runFor(12_000);
  await page.getByRole('button', { name: 'Turn on the voice' }).click();
  await page.evaluate('window.cancels = 0; speechSynthesis.cancel = () => cancels++');
  await page.clock.runFor(5_000);
  expect(spoken).toHaveLength(2);
  expect(await page.evaluate('cancels')).toBe(0);
});

const TAP_HERE = 'Tap here to hear payments.';
const SPEAKS = 'The till announces verified payments.';

test('a till without permission to speak prompts for a tap', async () => {
  const { world, till, payAt } = await shopWithOneTill();
  const { page, spoken } = await speakingDeviceAt(world, till);
  await page.evaluate('voice.error = "not-allowed"');
  for (const cedis of [36, 37]) {
    world.clock.nowMs += 31_000;
    await payAt(till, cedis);
    await refresh(world, [page]);
    await page.getByText(TAP_HERE).waitFor();
    expect(await page.getByText(SPEAKS).isVisible()).toBe(false);
  }
  await page.evaluate('voice.error = undefined');
  await page.getByText(TAP_HERE).click();
  await expect.poll(() => spoken).toEqual([paid(37, 'Kofi Mensah')]);
  expect(await page.getByText(TAP_HERE).isVisible()).toBe(false);
  await page.getByText(SPEAKS).waitFor();
  await refresh(world, [page]);
  expect(spoken).toHaveLength(1);
});

test('a till prompts for a tap if the browser does not report the end of its speech', async () => {
  const { world, till, payAt } = await shopWithOneTill();
  const { page, spoken } = await speakingDeviceAt(world, till);
  await page.evaluate('voice.isSlow = true');
  await payAt(till, 36);
  await refresh(world, [page]);
  await page.clock.runFor(15_000);
  await page.getByText(TAP_HERE).waitFor();
  await payAt(till, 37);
  await refresh(world, [page]);
  await page.evaluate('voice.isSlow = false');
  await page.getByText(TAP_HERE).click();
  await settle(page);
  expect(spoken).toEqual([paid(36, 'Kofi Mensah'), paid(37, 'Kofi Mensah')]);
});

test('a speech error is shown on the till', async () => {
  const { world, till, payAt } = await shopWithOneTill();
  const { page, sounds } = await speakingDeviceAt(world, till);
  await page.evaluate('voice.error = "synthesis-failed"');
  await payAt(till, 36);
  await refresh(world, [page]);
  await page.getByText('This browser cannot speak. You will still hear the chime.').waitFor();
  await refresh(world, [page]);
  expect(sounds).toEqual([880, 1320]);
});

test('a chime is skipped if the browser would delay it', async () => {
  const { world, till, payAt } = await shopWithOneTill();
  const first = await openDashboard({ ...at, world, by: till.by }, till.path, ON_A_PHONE);
  await first.context().addInitScript(`{
    window.sounds = [];
    const usual = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (...given) {
      sounds.push(this.frequency.value);
      return usual.apply(this, given);
    };
  }`);
  const page = await first.context().newPage();
  await page.goto(first.url());
  await first.close();
  // Playwright's `evaluate` would count as a tap.
  const protocol = await page.context().newCDPSession(page);
  const read = async (expression: string) => (await protocol.send('Runtime.evaluate', { expression })).result.value;
  await payAt(till, 36);
  await expect.poll(() => read('localStorage.getItem("heard-at-till")')).toContain('paid');
  expect(await read('sounds.join()')).toBe('');
  await page.mouse.click(180, 5);
  world.clock.nowMs += 31_000;
  await payAt(till, 37);
  await expect.poll(() => read('sounds.join()')).toBe('880,1320');
});

test('payments are announced while the fold below the till is open', async () => {
  const { world, till, payAt } = await shopWithOneTill();
  const { page, spoken } = await speakingDeviceAt(world, till);
  await page.locator('summary', { hasText: 'Close the day' }).click();
  await payAt(till, 36);
  await refresh(world, [page]);
  expect(spoken).toEqual([paid(36, 'Kofi Mensah')]);
  expect(await page.getByRole('button', { name: 'End your shift' }).isVisible()).toBe(true);
});

test('a response that predates a tap is discarded', async () => {
  const { world, till, payAt, payUnasked } = await shopWithOneTill();
  const { page, spoken } = await speakingDeviceAt(world, till);
  await payUnasked(NEW_WALLET);
  await page.locator('button.payment-line').waitFor();
  const { reference } = await payAt(till, 36);
  const release = await delayAnswer(page);
  await world.outside.table.write([disputeCharge(world.outside, reference, 'conflict')]);
  await world.followChanges();
  await page.clock.runFor(600);
  await page.locator('button.payment-line').click();
  await page.waitForURL(/taken=/);
  await release();
  expect(await page.locator('.till-green').allTextContents()).toEqual([expect.stringContaining('GHS 5.00')]);
  expect(spoken).toEqual([]);
});

test('a tap on an unverified payment plays a sound', async () => {
  const { world, till, payUnasked } = await shopWithOneTill();
  const { page, sounds } = await deviceAt(world, till);
  await payUnasked(NEW_WALLET);
  await page.locator('button.payment-line').waitFor();
  await refresh(world, [page]);
  expect(sounds).toEqual([]);
  await page.clock.runFor(600);
  await page.locator('button.payment-line').click();
  await expect.poll(() => sounds).toEqual([523]);
});

test('a till works even if the browser’s storage is full', async () => {
  const { world, till, payAt } = await shopWithOneTill();
  const { page, spoken } = await speakingDeviceAt(world, till);
  await page.reload();
  await page.evaluate(`for (let size = 1 << 22; size >= 1; size >>= 1)
    try { localStorage.setItem('full' + size, 'x'.repeat(size)); } catch {}`);
  await payAt(till, 36);
  await refresh(world, [page]);
  await refresh(world, [page]);
  expect(spoken).toEqual([paid(36, 'Kofi Mensah')]);
});

test('the announcement of an unverified payment omits its amount', async () => {
  const { world, shop, till, payAt, payUnasked } = await shopWithOneTill();
  const { page, spoken } = await speakingDeviceAt(world, till);
  const { id } = await payAt(till, 36, { proof: GAP });
  const unasked = await payUnasked(GAP);
  await refresh(world, [page]);
  await shop.arrive(reversal(id, '36.00'));
  await shop.arrive(reversal(unasked.id, '5.00'));
  await world.followChanges();
  await refresh(world, [page]);
  const back = filled(english.taken_back, { paid: '' }).trim();
  expect(spoken).toEqual([english.check, back, back]);
});

type Payment = Awaited<ReturnType<Awaited<ReturnType<typeof shopWithOneTill>>['payAt']>>;

test.each([
  [
    'it is disputed',
    ({ outside }: World, { reference }: Payment) =>
      outside.table.write([disputeCharge(outside, reference, 'reversal')]),
  ],
  [
    'the network may have reversed it',
    (world: World, { id: transaction_id }: Payment, momo_number: string) =>
      world.work('settle-receipt', [{ kind: 'suspected', network: 'MTN', momo_number, transaction_id }]),
  ],
])('an earlier payment is announced again when %s', async (_, happens) => {
  const { world, shop, till, payAt } = await shopWithOneTill();
  const { page, spoken } = await speakingDeviceAt(world, till);
  const payment = await payAt(till, 36);
  await refresh(world, [page]);
  world.clock.nowMs += 4 * MINUTE_MS;
  await happens(world, payment, shop.number);
  await refresh(world, [page]);
  expect(spoken).toEqual([paid(36, 'Kofi Mensah'), 'Check an earlier one.']);
});
