import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { COMPONENTS } from '../../infra/local/components.ts';
import { pill } from '../../shared/pages/dashboard/parts/content.ts';
import { table } from '../../shared/pages/dashboard/parts/list.ts';
import { marked } from '../../shared/pages/dashboard/parts/marked.ts';
import { appearances, appearancesOf } from '../support/appearances.ts';
import { browserForTests } from '../support/browser.ts';
import { packagedChromium } from '../support/chromium.ts';
import { type LocalStack, startLocalStack } from '../support/local-stack.ts';
import { keyboardFaults, looksWrong, outsideAt } from '../support/page-faults.ts';

/**
 * Compares the page of all components with stored screenshots. After an intended change, run: PICTURES=write npm test
 * -- test/browser/components
 */
const isWriting = process.env.PICTURES === 'write';
const QUALITY = 0.5;
/** Maximum colour difference (of 255) and number of differing pixels. CPUs round differently. */
const MAX_LEVELS = 8;
const MAX_DIFFERENT_PIXELS = 20;

const at = browserForTests();
let stack: LocalStack;
beforeAll(async () => {
  stack = await startLocalStack();
});
afterAll(() => stack.stop());

test.for(appearances)('the components match their screenshot at $name', async ({ name, ...appearance }, { skip }) => {
  if (process.env.CHROMIUM_PATH || !packagedChromium())
    skip('The pictures were taken with the packaged Chromium. Another browser draws letters differently.');
  const page = await open(appearance);
  const picture = await asWebp(await page.screenshot({ fullPage: true, animations: 'disabled' }));
  const file = `components-${name.replace(' px, ', '-')}.webp`;
  const stored = join(import.meta.dirname, 'pictures', file);
  if (isWriting) writeFileSync(stored, picture);
  const { different, sizes } = await compared(picture, readFileSync(stored));
  if (different <= MAX_DIFFERENT_PIXELS) return;
  const now = join(tmpdir(), file);
  writeFileSync(now, picture);
  expect.fail(
    `${different} pixels differ (${sizes}). Compare ${now} with ${stored}. If you want the change: PICTURES=write npm test -- test/browser/components`,
  );
});

test.each(appearancesOf(0))('the components have no layout or keyboard faults at $name', async (appearance) => {
  const page = await open(appearance);
  expect([...(await looksWrong(page)), ...(await keyboardFaults(page)), ...(await outsideAt(page, 240))]).toEqual([]);
});

test.each([240, 320, 360])(
  'no badge in a compact table is hidden or cut at %i px, in any column of two to seven',
  async (width) => {
    const page = await open({ viewport: { width, height: 640 } });
    const all = [2, 3, 4, 5, 6, 7].flatMap((count) =>
      Array.from({ length: count - 1 }, (_, n) => tableOf(count, n + 1)),
    );
    await page.evaluate(`document.querySelector('main').innerHTML = ${JSON.stringify(all.map(String).join(''))}`);
    expect(z.array(z.string()).parse(await page.evaluate(CUT_BADGES))).toEqual([]);
  },
);

test('a compact table shows the words that a search found at 360 px', async () => {
  const page = await open({ viewport: { width: 360, height: 640 } });
  const words = 'Two yards of kente, one of wax print, and three reels of purple thread';
  const found = table([words], {
    caption: 'Bills',
    columns: { Name: (text) => marked(text, (word) => word === 'purple'), State: () => 'Waiting', Amount: () => '36' },
    href: () => COMPONENTS,
    isCompact: true,
  });
  await page.evaluate(`document.querySelector('main').innerHTML = ${JSON.stringify(String(found))}`);
  expect(await page.evaluate(CUT_CELLS)).toBe(0);
});

const CUT_CELLS = `[...document.querySelectorAll('td')].filter((cell) => cell.scrollWidth > cell.clientWidth).length`;

/** Renders a row whose texts are long, with a badge in one column, as in a list on a phone. */
function tableOf(count: number, badgeAt: number) {
  const cell = (n: number) => () => (n === badgeAt ? pill('look', 'Not verified') : `Two yards of kente ${n}`);
  return table([0], {
    caption: `${count} columns, badge in ${badgeAt + 1}`,
    columns: Object.fromEntries(Array.from({ length: count }, (_, n) => [`Column ${n + 1}`, cell(n)])),
    href: () => COMPONENTS,
    isCompact: true,
  });
}

const CUT_BADGES = `[...document.querySelectorAll('.pill')].filter((badge) => {
  const [own, cell] = [badge, badge.closest('td')].map((one) => one.getBoundingClientRect());
  return own.width === 0 || own.left < cell.left - 1 || own.right > cell.right + 1 || own.bottom > cell.bottom + 1;
}).map((badge) => badge.closest('table').caption.textContent)`;

async function open(appearance: BrowserContextOptions): Promise<Page> {
  const page = await at.newPage(appearance);
  await page.goto(`${stack.facts.base_url}${COMPONENTS}`);
  return page;
}

async function asWebp(screen: Buffer): Promise<Buffer> {
  const page = await at.newPage();
  const url = await page.evaluate(
    `(async () => { ${DRAWN} return (await drawn('${dataUrl('png', screen)}')).toDataURL('image/webp', ${QUALITY}) })()`,
  );
  return Buffer.from(z.string().parse(url).replace(/^.*,/, ''), 'base64');
}

const Compared = z.object({ different: z.number(), sizes: z.string() });

async function compared(picture: Buffer, stored: Buffer): Promise<z.infer<typeof Compared>> {
  const page = await at.newPage();
  const script = `(async () => { ${DRAWN}
    const [one, other] = [await drawn('${dataUrl('webp', picture)}'), await drawn('${dataUrl('webp', stored)}')];
    const sizes = [one, other].map(({ width, height }) => width + ' x ' + height).join(', stored ');
    const [a, b] = [one, other].map((each) => each.getContext('2d').getImageData(0, 0, each.width, each.height).data);
    if (one.width !== other.width || one.height !== other.height) return { different: a.length / 4, sizes };
    let different = 0;
    for (let n = 0; n < a.length; n += 4)
      if ([0, 1, 2].some((colour) => Math.abs(a[n + colour] - b[n + colour]) > ${MAX_LEVELS})) different++;
    return { different, sizes };
  })()`;
  return Compared.parse(await page.evaluate(script));
}

/** Draws an image on a canvas of the same size. */
const DRAWN = `const drawn = async (url) => {
  const image = new Image();
  image.src = url;
  await image.decode();
  const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height });
  canvas.getContext('2d').drawImage(image, 0, 0);
  return canvas;
};`;

function dataUrl(type: 'png' | 'webp', picture: Buffer): string {
  return `data:image/${type};base64,${picture.toString('base64')}`;
}
