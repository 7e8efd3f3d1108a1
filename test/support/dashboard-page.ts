import type { BrowserContextOptions, Page } from 'playwright-core';
import type { OpenBrowser } from './browser.ts';
import type { Person } from './dashboard.ts';
import type { World } from './world.ts';

/**
 * Opens a dashboard page as the given person, or signed out. Delays requests slightly, as a human would. Reports
 * browser errors and policy violations, but not rejected forms.
 * @throws if the page redirects or is not shown.
 */
export async function openDashboard(
  {
    browser,
    complaints,
    world,
    by,
  }: Pick<OpenBrowser, 'browser' | 'complaints'> & { readonly world: World; readonly by: Person | undefined },
  address: string,
  appearance: BrowserContextOptions,
): Promise<Page> {
  const { baseUrl } = world.outside;
  const context = await browser.newContext(appearance);
  if (by) await context.addCookies([{ name: 'session', value: by.token, url: baseUrl }]);
  const page = await context.newPage();
  page.on('request', () => {
    world.clock.nowMs += 100;
  });
  page.on('console', (message) => {
    if (message.type() === 'error' && message.location().url !== page.url()) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  const answer = await page.goto(`${baseUrl}${address}`);
  if (answer?.status() !== 200 || answer.url() !== `${baseUrl}${address.split('#')[0]}`)
    throw new Error(`${address} led to status ${answer?.status()} at ${answer?.url()}`);
  return page;
}
