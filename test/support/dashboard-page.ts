import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { Person } from './dashboard.ts';
import type { World } from './world.ts';

export const DASHBOARD_PHONE = { viewport: { width: 360, height: 740 } };

/** Opens a page below `/dashboard/` on a phone, signed in. Nobody taps ten times a second: each request takes a moment. */
export async function openDashboard(
  { browser, world, by }: { readonly browser: Browser; readonly world: World; readonly by: Person },
  path: string,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const context = await browser.newContext({ ...DASHBOARD_PHONE, ...options });
  await context.addCookies([{ name: 'session', value: by.token, url: world.outside.baseUrl }]);
  const page = await context.newPage();
  page.on('request', () => {
    world.clock.nowMs += 100;
  });
  await page.goto(`${world.outside.baseUrl}/dashboard/${path}`);
  return page;
}
