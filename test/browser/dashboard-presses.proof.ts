import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { addTill } from '../../shared/money/till/shift.ts';
import { DAY_SECONDS } from '../../shared/runtime/values/calendar.ts';
import { countedHand } from '../support/counted-hand.ts';
import { storiesOf } from '../support/dashboard-story.ts';
import type { Hand } from '../support/hand.ts';
import { mtn } from '../support/receipts.ts';
import { scene } from '../support/scene.ts';

// Counts the presses for five everyday tasks, each starting at Today. The maximum is the count of release 1.0.0.

interface Task {
  /** Taps and filled fields in 1.0.0, on a phone and on a wide screen. */
  readonly presses: { readonly phone: number; readonly wide: number };
  readonly play: (at: At) => Promise<void>;
}

interface At {
  readonly page: Page;
  readonly hand: Hand;
  /** Presses Enter in a field. */
  readonly enter: (field: Locator) => Promise<void>;
  readonly press: (name: string | RegExp, role?: 'link' | 'button') => Promise<void>;
  /** Presses a menu entry. Opens the menu first if necessary. */
  readonly menu: (name: string) => Promise<void>;
}

const tasks: Readonly<Record<string, Task>> = {
  'find a customer’s payment': {
    presses: { phone: 3, wide: 3 },
    play: async ({ page, hand, press, enter }) => {
      const search = page.getByRole('searchbox', { name: 'Search' });
      await hand.type(search, 'esi');
      await enter(search);
      await press('Esi Arthur');
      await page.getByText('arrived from ESI ARTHUR').waitFor();
    },
  },
  'assign a held payment': {
    presses: { phone: 4, wide: 4 },
    play: async ({ page, press }) => {
      await press(/payment to check/);
      await press('Check');
      await press(/^Choose the bill/);
      await press(/^The money is there/, 'button');
      await page.getByText('The payment was matched to this bill').waitFor();
    },
  },
  'see how the week went': {
    presses: { phone: 2, wide: 2 },
    play: async ({ page, press }) => {
      await press('Reports and files');
      await press('7 days');
      await page.getByText('7 days, in Ghana time').waitFor();
    },
  },
  'set the webhook': {
    presses: { phone: 7, wide: 6 },
    play: async ({ page, hand, press, menu }) => {
      await menu('Settings');
      await press(/^Developers/);
      await press('Webhooks');
      await press('Set an address');
      await hand.type(page.getByLabel('Address'), 'https://shop.example.com/hooks');
      await press('Set the address and show the secret', 'button');
      await page.getByRole('heading', { name: 'The webhook’s secret' }).waitFor();
    },
  },
  'print yesterday’s closing': {
    presses: { phone: 4, wide: 4 },
    play: async ({ page, press, menu }) => {
      await menu('Sell');
      await press('Daily closing');
      await press('The day before');
      await page.getByText('GHS 41.00 (1)').first().waitFor();
      await page.evaluate('window.print = () => (window.isPrinted = true)');
      await press('Print', 'button');
      expect(await page.evaluate('window.isPrinted')).toBe(true);
    },
  },
};

const story = storiesOf(async () => {
  const world = await scene({ inMemory: true });
  const shop = await world.createShop();
  const { writes } = await addTill(world.outside, shop.id, 'Counter 1');
  await world.outside.table.write(writes);
  const sold = await shop.charge({ amount: 41 });
  await shop.pay(mtn({ reference: sold, amount: '41.00' }));
  world.clock.nowMs += DAY_SECONDS * 1_000;
  const reference = await shop.charge({ amount: 36, customer_name: 'Esi Arthur' });
  await shop.pay(mtn({ reference, from: 'ESI ARTHUR' }));
  await shop.charge({ amount: 50, customer_name: 'Ama Serwaa' });
  for (const after of await world.rows('TRANSACTION')) await world.relayChanges({ after });
  await shop.pay(mtn({ amount: '50.00', from: 'KOJO ANTWI', reference: 'kente' }));
  return { world, by: await shop.signIn('owner') };
});

for (const [name, { presses, play }] of Object.entries(tasks))
  story(
    `an owner can ${name} in as few presses as in 1.0.0`,
    { usual: 'by hand', told: ['by hand'] },
    async ({ open }) => {
      const { page, hand } = await open('today');
      const counted = { count: 0 };
      const finger = countedHand(hand, counted);
      const bar = page.getByRole('navigation', { name: 'Main pages' });
      const isPhone = await bar.isVisible();
      const press = (target: Locator) => finger.press(target.filter({ visible: true }).first());
      await play({
        page,
        hand: finger,
        enter: async (field) => {
          counted.count++;
          await field.press('Enter');
        },
        press: (found, role = 'link') => press(page.getByRole(role, { name: found, exact: typeof found === 'string' })),
        menu: async (entry) => {
          const inBar = bar.getByRole('link', { name: entry, exact: true });
          if (await inBar.isVisible()) return press(inBar);
          if (isPhone) await press(bar.getByRole('link', { name: 'More' }));
          await press(
            page.getByRole('navigation', { name: 'All pages' }).getByRole('link', { name: entry, exact: true }),
          );
        },
      });
      expect(counted.count).toBeLessThanOrEqual(isPhone ? presses.phone : presses.wide);
    },
  );
