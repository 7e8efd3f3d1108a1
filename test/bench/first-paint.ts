import type { Browser, BrowserContext } from 'playwright-core';
import * as z from 'zod';
import { appearances } from '../support/appearances.ts';
import { launchBrowser, serve } from '../support/browser.ts';
import { type BusyDashboard, openBusyDashboard } from '../support/busy-dashboard.ts';
import unpackChromium from '../support/chromium.ts';
import type { PageAt } from '../support/dashboard-pages.ts';
import type { Figure } from './figure.ts';
import type { Order } from './groups.ts';
import { median } from './measure.ts';
import { largest, onePageEach } from './pages.ts';

/**
 * WebPageTest's "Slow 3G": 400 kbit/s each way and 400 ms there and back. Chromium waits that long for each answer to begin; the
 * round trips of a new connection (TCP one, TLS 1.3 one, a name one) are not in it.
 * https://github.com/WPO-Foundation/webpagetest/blob/master/www/settings/connectivity.ini.sample
 */
const SLOW_3G = { offline: false, latency: 400, downloadThroughput: 400_000 / 8, uploadThroughput: 400_000 / 8 };
/** As Lighthouse takes a cheap phone to be, beside the machine that measures. */
const CPU_SLOWDOWN = 4;
const VISITS = 3;

const Paint = z.object({
  paintMs: z.number(),
  /** Until the server had answered: what is emulated is between that and what the page gets. */
  serverMs: z.number(),
});
type Paint = z.infer<typeof Paint>;

/**
 * P15 and P16: how long the first paint of each page takes on a cheap phone with a slow network: with style and script kept from an
 * earlier page (the better of two, since others use the machine too), and on the very first visit of a browser. The server is this
 * process, with its table in memory; its time is in the figure.
 */
export async function measureFirstPaint({ isWanted, samples }: Pick<Order, 'isWanted' | 'samples'>): Promise<Figure[]> {
  await unpackChromium();
  const busy = await openBusyDashboard();
  const { stop } = await serve(busy.world, []);
  const browser = await launchBrowser();
  const [kept, first] = [new Map<string, number>(), new Map<string, number>()];
  /** Those that a new browser can come by first: the others need a session. */
  const strangers = new Map<string, number>();
  const serverMs: number[] = [];
  for (const page of await onePageEach(busy.examples)) {
    const [firstPaint, ...others] = await paintsOf(browser, busy, page, samples(VISITS));
    first.set(page.pattern, firstPaint.paintMs);
    if (!page.who) strangers.set(page.pattern, firstPaint.paintMs);
    kept.set(page.pattern, Math.min(...others.map(({ paintMs }) => paintMs)));
    serverMs.push(...others.map((paint) => paint.serverMs));
  }
  await browser.close();
  await stop();
  const detail = `the server’s share ${median(serverMs).toFixed(0)} ms, median`;
  return [
    largest({ id: 'P15', what: 'first paint on slow 3G, style kept', unit: 'ms', gate: 1000, aim: 700, detail }, kept),
    {
      ...largest(
        { id: 'P16', what: 'the same on the first visit of a browser', unit: 'ms', gate: 1000, aim: 700 },
        strangers,
      ),
      pages: Object.fromEntries(first),
    },
  ].filter(({ id }) => isWanted(id));
}

/** Of a browser that has never been here, and of the same one after that. Fewer visits than usual are on a fast network. */
async function paintsOf(
  browser: Browser,
  { world, people }: BusyDashboard,
  { address, who }: PageAt,
  visits: number,
): Promise<[first: Paint, ...others: Paint[]]> {
  const { baseUrl } = world.outside;
  const context = await browser.newContext(appearances[0]);
  if (who) await context.addCookies([{ name: 'session', value: people[who].token, url: baseUrl }]);
  const visit = () => {
    // A session may ask ten times a second, for style and script too.
    world.clock.nowMs += 1_000;
    return paint(context, `${baseUrl}${address}`, { isSlow: visits === VISITS });
  };
  const paints: [first: Paint, ...others: Paint[]] = [await visit()];
  while (paints.length < visits) paints.push(await visit());
  await context.close();
  return paints;
}

async function paint(context: BrowserContext, url: string, { isSlow }: { isSlow: boolean }): Promise<Paint> {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  if (isSlow) {
    await session.send('Network.emulateNetworkConditions', SLOW_3G);
    await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  }
  const refused: string[] = [];
  page.on('response', (answer) => {
    if (answer.status() !== 200) refused.push(`${answer.url()} was answered ${answer.status()}`);
  });
  await page.goto(url);
  if (refused.length > 0) throw new Error(refused.join('\n'));
  const paint = Paint.parse(await page.evaluate(TIMING));
  await page.close();
  return paint;
}

/** Evaluated in the page. */
const TIMING = `new Promise((resolve) => {
  const [{ requestStart, responseStart }] = performance.getEntriesByType('navigation');
  new PerformanceObserver((list) => {
    const [paint] = list.getEntriesByName('first-contentful-paint');
    if (paint) resolve({ paintMs: paint.startTime, serverMs: responseStart - requestStart });
  }).observe({ type: 'paint', buffered: true });
})`;
