import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { type Client, createCharge, findReceipt } from '../../infra/local/story/steps.ts';
import { english, filled, spokenMoney } from '../../shared/ghana/spoken/spoken.ts';
import { median, quantile } from '../bench/measure.ts';
import { launchBrowser } from '../support/browser.ts';
import { reportFigure } from '../support/figures.ts';
import { PATIENCE } from '../support/http.ts';
import { type LocalStack, startLocalStack } from '../support/local-stack.ts';
import { postJson } from '../support/server.ts';
import { shopOf } from './story.ts';

// Measures how soon the till and the checkout page turn green, on the complete local stack.

/** Together below GHS 1,000: a balance that was named once verifies no more in a day. */
const PAYMENTS = 20;

/** The till ignores taps for half a second after its list has moved. */
const MOVED_MS = 600;

/** Times in milliseconds, without the cashier's reaction time. */
interface Hops {
  /** From the phone's text to the settled payment. */
  readonly settled: number;
  readonly shown: number;
  readonly green: number;
  readonly total: number;
}

const Paid = z.object({ transaction_id: z.string() });

let stack: LocalStack;
let browser: Awaited<ReturnType<typeof launchBrowser>>;
beforeAll(async () => {
  [stack, browser] = await Promise.all([startLocalStack(), launchBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await stack.stop();
});

test('a till’s screen turns green after a payment and a tap', async () => {
  const { facts } = stack;
  const shop = shopOf(facts);
  const page = await (await browser.newContext({ viewport: { width: 360, height: 740 } })).newPage();
  const spoken: string[] = [];
  await page.exposeFunction('noteSpoken', (words: string) => spoken.push(words));
  await page.addInitScript(
    `Object.defineProperty(window, 'speechSynthesis', { value: { speak: ({ text }) => noteSpoken(text) } });`,
  );
  await page.goto(facts.dashboard_url);
  await page.goto(`${facts.base_url}/dashboard/till`);
  await page.getByLabel('Name').fill('Counter 1');
  await page.getByRole('button', { name: 'Add the till' }).click();
  await page.getByRole('button', { name: 'Start your shift at Counter 1' }).click();

  await page.getByRole('button', { name: 'Turn on the voice' }).click();
  spoken.splice(0);

  const hops: Hops[] = [];
  for (let n = 1; n <= PAYMENTS; n++) {
    const amount = `${10 + n}.50`;
    if (n > 1) await page.goto(page.url().split('?')[0] ?? '');
    await page.locator('#amount').fill(amount);
    await page.getByRole('button', { name: 'Ask for this amount' }).click();
    await page.locator('.till-due').waitFor();
    const startMs = Date.now();
    const paid = await postJson(`${facts.phone_url}/pay`, { name: 'Kofi Mensah', amount: 10.5 + n });
    const settled = settledAt(shop, Paid.parse(await paid.json()).transaction_id);
    const payment = page.getByRole('button', { name: `GHS ${amount}` });
    await payment.waitFor({ timeout: 60_000 });
    const [settledMs, shownMs] = [await settled, Date.now()];
    await page.waitForTimeout(MOVED_MS);
    const tappedMs = Date.now();
    await payment.click();
    const green = page.locator('.till-green');
    // On a slow machine, the list may have moved just before the tap, which the till then ignored.
    await green.waitFor({ timeout: 10_000 }).catch(() => payment.click());
    await green.waitFor({ timeout: 60_000 });
    const greenMs = Date.now();
    hops.push({
      settled: settledMs - startMs,
      shown: shownMs - settledMs,
      green: greenMs - tappedMs,
      total: shownMs - startMs + greenMs - tappedMs,
    });
  }
  const shownOf = (name: keyof Hops) => spread(hops.map((hop) => hop[name]));
  // Reported without a limit, because machines differ. The goal is a median of 1.2 s and a p95 of 2 s.
  reportFigure(
    `${PAYMENTS} payments at a till in the local stack, median from the phone to settled ${shownOf('settled')}, to the till's page ${shownOf('shown')}, from a tap to green ${shownOf('green')}, in all ${shownOf('total')}. The stack itself waits up to 200 ms for its table's stream.`,
  );
  await expect.poll(() => page.locator('.till-green').innerText(), PATIENCE).toContain(`GHS ${10 + PAYMENTS}.50`);
  const words = hops.map((_, n) =>
    filled(english.paid_by, { amount: spokenMoney(1_150 + n * 100, english) ?? '', name: 'Kofi Mensah' }),
  );
  await expect.poll(() => spoken, PATIENCE).toEqual(words);
});

test('the checkout page turns green after a claim', async () => {
  const { facts } = stack;
  const shop = shopOf(facts);
  const tookMs: number[] = [];
  for (let n = 1; n <= PAYMENTS; n++) {
    const page = await (await browser.newContext({ viewport: { width: 360, height: 740 } })).newPage();
    const { reference, amount, authorization_url } = await createCharge(shop, { amount: 2 + n });
    await page.goto(authorization_url);
    await postJson(`${facts.phone_url}/pay`, { name: 'Kofi Mensah', amount, reference });
    const saidMs = Date.now();
    await page.locator('[data-check]').click();
    await page.locator('#checkout[data-status="success"]').waitFor({ timeout: 60_000 });
    tookMs.push(Date.now() - saidMs);
    await page.context().close();
  }
  reportFigure(
    `${PAYMENTS} payments on the checkout page in the local stack, median from "I have paid" to green ${spread(tookMs)}`,
  );
  expect(tookMs).toHaveLength(PAYMENTS);
});

function spread(values: readonly number[]): string {
  return `${median(values).toFixed(0)} ms (p95 ${quantile(values, 0.95).toFixed(0)})`;
}

/** Returns when a payment was settled, in milliseconds. */
async function settledAt(shop: Client, transactionId: string): Promise<number> {
  while (!(await findReceipt(shop, transactionId, { status: 'held' }))) await sleep(20);
  return Date.now();
}
