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
 * WebPageTest's "Slow 3G": 400 kbit/s and a round trip of 400 ms. Chromium does not simulate the round trips of a new
 * connection. https://github.com/WPO-Foundation/webpagetest/blob/master/www/settings/connectivity.ini.sample
 */
const SLOW_3G = { offline: false, latency: 400, downloadThroughput: 400_000 / 8, uploadThroughput: 400_000 / 8 };
/** Lighthouse's slowdown factor for a cheap phone. */
const CPU_SLOWDOWN = 4;
const VISITS = 3;

const Paint = z.object({
  paintMs: z.number(),
  /** Milliseconds until the server responded, before the emulated network delay. */
  serverMs: z.number(),
});
type Paint = z.infer<typeof Paint>;

/**
 * P15 and P16: first paint of each page on a cheap phone with a slow network, with cached styles (the better of two
 * runs) and on the very first visit.
 */
export async function measureFirstPaint({ isWanted, samples }: Pick<Order, 'isWanted' | 'samples'>): Promise<Figure[]> {
  await unpackChromium();
  const busy = await openBusyDashboard();
  const { stop } = await serve(busy.world, []);
  const browser = await launchBrowser();
  const [kept, first] = [new Map<string, number>(), new Map<string, number>()];
  /** Public pages, which need no session. */
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
  const detail = `median server time ${median(serverMs).toFixed(0)} ms`;
  return [
    largest(
      {
        id: 'P15',
        what: 'first paint of the slowest page on slow 3G, style cached',
        unit: 'ms',
        gate: 1000,
        aim: 700,
        detail,
      },
      kept,
    ),
    {
      ...largest(
        {
          id: 'P16',
          what: 'first paint of the slowest page on slow 3G, first visit',
          unit: 'ms',
          gate: 1000,
          aim: 700,
        },
        strangers,
      ),
      pages: Object.fromEntries(first),
    },
  ].filter(({ id }) => isWanted(id));
}

/** Measures the first paints in a new browser, and then again in the same browser. */
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
    // A session is limited to ten requests per second.
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
    if (answer.status() !== 200) refused.push(`${answer.url()} responded with ${answer.status()}`);
  });
  await page.goto(url);
  if (refused.length > 0) throw new Error(refused.join('\n'));
  const paint = Paint.parse(await page.evaluate(TIMING));
  await page.close();
  return paint;
}

const TIMING = `new Promise((resolve) => {
  const [{ requestStart, responseStart }] = performance.getEntriesByType('navigation');
  new PerformanceObserver((list) => {
    const [paint] = list.getEntriesByName('first-contentful-paint');
    if (paint) resolve({ paintMs: paint.startTime, serverMs: responseStart - requestStart });
  }).observe({ type: 'paint', buffered: true });
})`;
