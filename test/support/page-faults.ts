import { readFileSync } from 'node:fs';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import * as z from 'zod';

const inBrowser = readFileSync(new URL('page-faults.js', import.meta.url), 'utf8').replace(/;\s*$/, '');

const Faults = z.array(z.string());
const Focused = z.union([z.object({ isEnd: z.literal(true) }), z.object({ isEnd: z.literal(false), faults: Faults })]);

const MAX_STOPS = 400;

/** Finds layout faults: clipped or off-screen content, touching fields, and axe violations. */
export async function looksWrong(page: Page): Promise<string[]> {
  await page.waitForLoadState();
  return [...(await outside(page)), ...Faults.parse(await evaluate(page, 'crowded')), ...(await axeFaults(page))];
}

export async function outsideAt(page: Page, width: number): Promise<string[]> {
  await page.setViewportSize({ height: page.viewportSize()?.height ?? 640, width });
  return (await outside(page)).map((fault) => `at ${width} px: ${fault}`);
}

async function outside(page: Page): Promise<string[]> {
  return Faults.parse(await evaluate(page, 'outside'));
}

export async function keyboardFaults(page: Page): Promise<string[]> {
  const faults: string[] = [];
  // With autofocus, the Tab key reaches earlier elements only after the end of the page.
  let ends = (await page.locator('[autofocus]').count()) > 0 ? 2 : 1;
  for (let n = 0; n < MAX_STOPS; n++) {
    await page.keyboard.press('Tab');
    const stop = Focused.parse(await evaluate(page, 'focused'));
    if (stop.isEnd) ends--;
    if (ends === 0) return [...faults, ...Faults.parse(await evaluate(page, 'unreached'))];
    if (!stop.isEnd) faults.push(...stop.faults);
  }
  return [...faults, 'the Tab key never reaches the end of the page'];
}

export async function focusFaults(page: Page): Promise<string[]> {
  const stop = Focused.parse(await evaluate(page, 'focused'));
  return stop.isEnd ? [] : stop.faults;
}

function evaluate(page: Page, what: 'outside' | 'crowded' | 'focused' | 'unreached'): Promise<unknown> {
  return page.evaluate(`${inBrowser}.${what}()`);
}

async function axeFaults(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode()
    .options({
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
      // Minimum touch target of 24 px, which axe does not check by default.
      rules: { 'target-size': { enabled: true } },
    })
    .analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}
