import { assetAnswer } from '../../shared/pages/dashboard/assets.ts';
import { openBusyDashboard } from '../support/busy-dashboard.ts';
import { visit } from '../support/dashboard.ts';
import { everyPage, type PageAt } from '../support/dashboard-pages.ts';
import type { Figure } from './figure.ts';
import type { Order } from './groups.ts';
import { meter } from './meter.ts';

/** Leaves room for styles and scripts within 40 KB. */
const MAX_BYTES = 29_000;
/** Settings are cached for two seconds. Reads are counted without caches. */
const FORGOTTEN_MS = 2_100;

/**
 * P13: size of each dashboard page. P14: the page's read units, including the session. Both are exact, for a shop with
 * all kinds of data. Each page's figure is its largest example.
 */
export async function countPages({ isWanted }: Pick<Order, 'isWanted'>): Promise<Figure[]> {
  const { world, people, examples } = await openBusyDashboard();
  const [bytes, units] = [new Map<string, number>(), new Map<string, number>()];
  for (const { pattern, address, who, handler } of await everyPage(examples)) {
    world.clock.nowMs += FORGOTTEN_MS;
    const { pathname, searchParams } = new URL(address, world.outside.baseUrl);
    const { readUnits } = await meter(world, async () => {
      const answer = await visit(world, handler, pathname, {
        by: who && people[who],
        query: Object.fromEntries(searchParams),
        headers: GZIP,
      });
      if (answer.status !== 200) throw new Error(`${address} responded with ${answer.status}`);
      bytes.set(pattern, Math.max(answer.bytes, bytes.get(pattern) ?? 0));
    });
    units.set(pattern, Math.max(readUnits, units.get(pattern) ?? 0));
  }
  const detail = `style ${assetBytes('dashboard.css')} B, script ${assetBytes('dashboard.js')} B, cached for a year`;
  return [
    largest(
      { id: 'P13', what: 'size of the largest dashboard page', unit: 'B', gate: MAX_BYTES, aim: 5_000, detail },
      bytes,
    ),
    largest({ id: 'P14', what: 'read units of the most expensive dashboard page', unit: '', gate: 80, aim: 50 }, units),
  ].filter(({ id }) => isWanted(id));
}

const GZIP = { 'accept-encoding': 'gzip' };

export async function onePageEach(examples: Parameters<typeof everyPage>[0]): Promise<PageAt[]> {
  const pages = await everyPage(examples);
  return pages.filter(({ pattern }, n) => pages.findIndex((one) => one.pattern === pattern) === n);
}

/** Returns the largest page's figure and all pages' values. */
export function largest(figure: Omit<Figure, 'value' | 'pages'>, pages: ReadonlyMap<string, number>): Figure {
  const [[name, value] = ['', 0]] = [...pages].toSorted(([, one], [, other]) => other - one);
  return { ...figure, what: `${figure.what} (${name})`, value, pages: Object.fromEntries(pages) };
}

export function assetBytes(name: string): number {
  return Buffer.byteLength(assetAnswer(name, '', GZIP)?.body ?? '', 'base64');
}
