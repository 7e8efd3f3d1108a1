import type { CDPSession, Page } from 'playwright-core';
import { expect } from 'vitest';
import * as z from 'zod';
import { deviceRows } from '../../shared/merchants/user/device.table.ts';
import { atShop, storiesOf, WITH_SCRIPT } from '../support/dashboard-story.ts';
import { PATIENCE } from '../support/http.ts';
import { notingWorker } from '../support/noting-worker.ts';
import { TestBrowser } from '../support/push-service.ts';
import { drainJobs, followChanges, heardBy, work } from '../support/pushed.ts';
import { charge, mtn, pay } from '../support/receipts.ts';
import type { World } from '../support/world.ts';

// Tests push notifications in the dashboard app.

const story = storiesOf(async () => ({ ...(await atShop()), host: 'localhost', inFront: notingWorker }));
const told = { usual: 'by hand', told: WITH_SCRIPT } as const;

story(
  'a phone with notifications turned on shows a pushed notification',
  told,
  async ({ open, world, shop, by, isGood }) => {
    const { page, hand } = await open('app');
    const browser = new TestBrowser();
    const cdp = await subscribesAs(page, browser);
    const registrationId = registered(cdp);
    await isGood(page);
    await hand.press(page.getByRole('link', { name: 'Notify me here' }));
    await isGood(page, page.getByRole('button', { name: 'Switch on' }));
    await hand.tick(page.getByLabel('A phone that receives payment texts has gone silent'));
    await hand.press(page.getByRole('button', { name: 'Switch on' }));
    await isGood(page, 'You will now get notifications on this device.');
    await page
      .getByText(/^Notified of: paid, to check, reversed or in doubt, wallets, credits; without amounts/)
      .waitFor();

    const references = [];
    for (let n = 0; n < 3; n++) {
      world.clock.nowMs += 60_000;
      const reference = await charge(world, shop, { amount: 36 });
      references.push(reference);
      await pay(world, shop, mtn({ reference }));
      await pushAll(world);
    }
    await pay(world, shop, mtn({ amount: '77.00', reference: 'shoes' }));
    await pushAll(world);
    const pushed = heardBy(world, browser);
    // The queue is not ordered.
    expect(pushed.map(({ kind }) => kind).toSorted()).toEqual(['held', 'hello', 'paid', 'paid', 'paid']);

    const deliver = async (payload: object) => {
      const origin = new URL(world.outside.baseUrl).origin;
      await cdp.send('ServiceWorker.deliverPushMessage', {
        origin,
        registrationId: await registrationId,
        data: JSON.stringify(payload),
      });
    };
    const ofKind = (kind: string) => pushed.filter((one) => one.kind === kind);
    const [[hello], [paid, second, third], [held]] = [ofKind('hello'), ofKind('paid'), ofKind('held')];
    // Repeat the push, because Chromium loses notifications before the worker has started.
    await expect
      .poll(
        async () => {
          await deliver(hello ?? {});
          return (await noted(page)).shown;
        },
        { ...PATIENCE, interval: 500 },
      )
      .toContainEqual(expect.objectContaining({ title: 'Notifications are on' }));
    await deliver(paid ?? {});
    await shows(page, 'Payment received, not verified', `/dashboard/charges/${references[0]}`);
    // A duplicate changes nothing.
    await deliver(paid ?? {});
    await expect.poll(async () => (await noted(page)).shown.find(({ tag }) => tag === 'paid')?.sounds).toBe(false);
    await shows(page, 'Payment received, not verified');
    await deliver(second ?? {});
    await shows(page, '2 payments received, 2 not verified', '/dashboard/charges');
    await deliver({ ...third, more: true });
    await shows(page, '3 or more payments received, check which are verified', '/dashboard/charges');
    await deliver(held ?? {});
    await shows(page, 'A payment, not verified, needs to be checked', held?.path);
    expect((await noted(page)).shown.map(({ tag }) => tag).toSorted()).toEqual(['held', 'hello', 'paid']);
    // The badge on the icon counts the held payment and the balance to enter.
    await expect.poll(async () => (await noted(page)).badge).toBe(2);
    expect(by.user.role).toBe('owner');
  },
);

story(
  'an owner turns the daily summary and money-out notifications on and off',
  told,
  async ({ open, world, shop, isGood }) => {
    const { page, hand } = await open('app/on');
    await subscribesAs(page, new TestBrowser());
    await page.reload();
    const chosen = async () =>
      (await deviceRows.list(world.outside, { merchant_id: shop.id })).map(({ kinds, evening_hour }) => [
        kinds.includes('money_out'),
        evening_hour,
      ]);
    const leaves = page.getByLabel('Money has gone out of your wallet');
    const hour = page.getByLabel('Send me the daily summary at');
    expect([await leaves.isChecked(), await hour.inputValue()]).toEqual([false, '']);
    await hand.tick(leaves);
    await hand.choose(hour, '19:00');
    await isGood(page);
    await hand.press(page.getByRole('button', { name: 'Switch on' }));
    await isGood(page, 'You will now get notifications on this device.');
    await page
      .getByText(/money going out; without amounts and names\. The daily summary is sent at 19:00\.$/)
      .waitFor();
    expect(await chosen()).toEqual([[true, 19]]);

    await hand.press(page.getByText('Change', { exact: true }));
    await isGood(page);
    await hand.tick(leaves);
    await hand.choose(hour, 'Never');
    await hand.press(page.getByRole('button', { name: 'Save' }));
    await page.getByText('Saved.').waitFor();
    expect(await page.getByText('The daily summary is sent').count()).toBe(0);
    expect(await chosen()).toEqual([[false, undefined]]);
  },
);

story('the app shows that it is offline and stores no personal data', told, async ({ open, isGood, by }) => {
  const { page } = await open('app/on');
  await page.evaluate(`(async () => {
    await navigator.serviceWorker.register('/dashboard/app/worker.js', { scope: '/dashboard/' });
    await navigator.serviceWorker.ready;
  })()`);
  await page.goto(new URL('/dashboard/today', page.url()).href);
  await page.getByRole('heading', { name: 'Today' }).waitFor();
  const kept = Kept.parse(await page.evaluate(KEPT));
  expect(kept.map(([path]) => path)).toEqual(['/dashboard/app/offline']);
  for (const personal of [by.user.name, by.token, 'Ama Stores']) expect(JSON.stringify(kept)).not.toContain(personal);

  const shown = page.url();
  await page.context().setOffline(true);
  await page.goto(shown).catch(() => undefined);
  await isGood(page, page.getByRole('heading', { name: 'No connection' }));
  await page.context().setOffline(false);
});

story('a browser that cannot show notifications explains what to do', told, async ({ open, isGood }) => {
  const { page, hand } = await open('app/on');
  await page.evaluate(`delete window.PushManager`);
  await hand.press(page.getByRole('button', { name: 'Switch on' }));
  await isGood(page, 'This browser cannot get notifications.');
});

/** Replaces Chromium's push service with the test's own. */
async function subscribesAs(page: Page, browser: TestBrowser): Promise<CDPSession> {
  await page.context().grantPermissions(['notifications']);
  await page.addInitScript(`PushManager.prototype.subscribe = async () => (${browser.subscription});`);
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('ServiceWorker.enable');
  return cdp;
}

/** Returns the service worker's registration id once it exists. */
function registered(cdp: CDPSession): Promise<string> {
  return new Promise((resolve) => {
    cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [registration] = registrations;
      if (registration) resolve(registration.registrationId);
    });
  });
}

async function pushAll(world: World): Promise<void> {
  await followChanges(world);
  await work(
    world,
    drainJobs(world).map(({ body }) => body),
  );
}

const Noted = z.object({
  shown: z.array(z.object({ title: z.string(), tag: z.string(), path: z.string(), sounds: z.boolean() })),
  badge: z.number(),
});

async function noted(page: Page): Promise<z.infer<typeof Noted>> {
  return Noted.parse(
    await page.evaluate(`(async () => {
      const notes = await caches.open('notes');
      const all = { shown: [], badge: 0 };
      for (const key of await notes.keys()) {
        const note = await (await notes.match(key)).json();
        if (key.url.endsWith('/badge')) all.badge = note;
        else all.shown.push({ title: note.title, tag: note.tag, path: note.data.path, sounds: note.renotify });
      }
      return all;
    })()`),
  );
}

/** Returns the contents of the browser's caches by path. */
const KEPT = `(async () => {
  const texts = [];
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    for (const request of await cache.keys())
      texts.push([new URL(request.url).pathname, await (await cache.match(request)).text()]);
  }
  return texts;
})()`;
const Kept = z.array(z.tuple([z.string(), z.string()]));

async function shows(page: Page, title: string, path?: string): Promise<void> {
  await expect
    .poll(async () => (await noted(page)).shown)
    .toContainEqual(expect.objectContaining({ title, ...(path !== undefined && { path }) }));
}
