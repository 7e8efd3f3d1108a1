import type { Locator, Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import type { manifest } from '../../functions/manifest.ts';
import type { Role } from '../../shared/merchants/user/permissions.ts';
import { type Appearance, appearancesOf } from './appearances.ts';
import { browserForTests, serve } from './browser.ts';
import { type Person, signIn } from './dashboard.ts';
import { openDashboard } from './dashboard-page.ts';
import { type Hand, handOf, type Way, ways } from './hand.ts';
import { looksWrong } from './page-faults.ts';
import { createShop } from './receipts.ts';
import { isWhole } from './slice.ts';
import { createWorld, type World } from './world.ts';

interface Beginning {
  readonly world: World;
  readonly by: Person | undefined;
  /** Passkeys require a host name. */
  readonly host?: string;
  readonly routes?: readonly (keyof typeof manifest)[];
  readonly inFront?: ReadonlyMap<string, string>;
}

export async function atShop(role: Role = 'owner') {
  const world = await createWorld({ inMemory: true });
  const shop = await createShop(world);
  return { world, shop, by: await signIn(world, role, shop.id) };
}

export interface Telling {
  readonly way: Way;
  /** Opens a page under `/dashboard/`, together with a hand that operates it. */
  open(path: string, options?: { by?: Person | undefined }): Promise<{ page: Page; hand: Hand }>;
  /** Waits for the given text or element, then checks the layout and runs axe. */
  isGood(page: Page, shown?: string | Locator): Promise<void>;
}

interface Options {
  readonly usual: Way;
  /** Supported ways to play the story. */
  readonly told?: readonly Way[];
}

/** Ways to play a story with JavaScript. Used by stories about scripts or passkeys. */
export const WITH_SCRIPT: readonly Way[] = ['by hand', 'by keyboard alone'];

/**
 * Defines the stories of a test file, each in its own world. `npm run prove -- quick` plays each story in one way on
 * one screen. `npm run prove -- browser` plays it in all supported ways, on every screen, in light and dark.
 */
export function storiesOf<Given extends Beginning>(begin: () => Promise<Given>) {
  const at = browserForTests();
  let told = 0;

  return (name: string, options: Options, tell: (story: Given & Telling) => Promise<void>): void => {
    for (const { way, appearance } of tellings(options, told++)) {
      test(`${name}: ${way}, ${appearance.name}`, async () => {
        const given = await begin();
        const { stop } = await serve(given.world, ['checkout/logo', ...(given.routes ?? [])], given.inFront);
        onTestFinished(stop);
        const { outside } = given.world;
        if (given.host) outside.baseUrl = outside.baseUrl.replace('127.0.0.1', given.host);
        const open: Telling['open'] = async (path, { by } = given) => {
          const screen = { ...appearance, locale: 'en-US', javaScriptEnabled: way !== 'without JavaScript' };
          const page = await openDashboard({ ...at, world: given.world, by }, `/dashboard/${path}`, screen);
          return { page, hand: handOf(page, way, appearance.hasTouch) };
        };
        const isGood: Telling['isGood'] = async (page, shown) => {
          if (shown !== undefined) await (typeof shown === 'string' ? page.getByText(shown) : shown).waitFor();
          expect([page.url(), ...(await looksWrongAsItIs(page, way, appearance))]).toEqual([page.url()]);
        };
        await tell({ ...given, way, open, isGood });
      });
    }
  };
}

function tellings({ usual, told = ways }: Options, n: number): { way: Way; appearance: Appearance }[] {
  return (isWhole ? told : [usual]).flatMap((way) => appearancesOf(n).map((appearance) => ({ way, appearance })));
}

/** Axe needs JavaScript. For a page without JavaScript, axe checks a copy that lacks the page's own scripts. */
async function looksWrongAsItIs(page: Page, way: Way, appearance: Appearance): Promise<string[]> {
  if (way !== 'without JavaScript') return looksWrong(page);
  const [address, body] = [page.url(), await page.content()];
  const context = await page.context().browser()?.newContext(appearance);
  const copy = await context?.newPage();
  if (!copy) throw new Error('The browser is closed');
  await copy.route(address.replace(/#.*/, ''), (route) =>
    route.fulfill({ contentType: 'text/html; charset=utf-8', body }),
  );
  await copy.route('**/*.js', (route) => route.abort());
  await copy.goto(address);
  const faults = await looksWrong(copy);
  await context?.close();
  return faults;
}
