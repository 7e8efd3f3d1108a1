import type { Locator, Page } from 'playwright-core';
import { focusFaults } from './page-faults.ts';

/** Ways to operate a page. */
export const ways = ['by hand', 'without JavaScript', 'by keyboard alone'] as const;
export type Way = (typeof ways)[number];

export interface Hand {
  press(target: Locator): Promise<void>;
  type(field: Locator, text: string): Promise<void>;
  typeDay(field: Locator, day: string): Promise<void>;
  tick(box: Locator): Promise<void>;
  choose(list: Locator, label: string): Promise<void>;
  /** Submits the form that was filled in last. */
  send(button: Locator): Promise<void>;
}

export function handOf(page: Page, way: Way, hasTouch: boolean): Hand {
  return way === 'by keyboard alone' ? keyboard(page) : finger(hasTouch);
}

function finger(hasTouch: boolean): Hand {
  const press = (target: Locator) => (hasTouch ? target.tap() : target.click());
  return {
    press,
    type: (field, text) => field.fill(text),
    typeDay: (field, day) => field.fill(day),
    tick: press,
    choose: async (list, label) => void (await list.selectOption({ label })),
    send: press,
  };
}

const MAX_STOPS = 400;

function keyboard(page: Page): Hand {
  const reach = async (target: Locator) => {
    await target.waitFor();
    const reached = target.and(page.locator(':focus'));
    for (let n = 0; (await reached.count()) === 0; n++) {
      if (n > MAX_STOPS) throw new Error(`The Tab key does not reach ${target}`);
      await page.keyboard.press('Tab');
    }
    const faults = await focusFaults(page);
    if (faults.length > 0) throw new Error(faults.join('\n'));
  };
  const pressing = (key: string) => async (target: Locator) => {
    await reach(target);
    await page.keyboard.press(key);
  };
  const typing = async (field: Locator, text: string) => {
    await reach(field);
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type(text);
  };
  return {
    press: pressing('Enter'),
    type: typing,
    typeDay: async (field, day) => {
      const [year = '', month = '', date = ''] = day.split('-');
      await reach(field);
      // The browser's date format starts with the month.
      await page.keyboard.type(`${month}${date}${year}`);
    },
    tick: pressing('Space'),
    choose: async (list, label) => {
      await reach(list);
      await page.keyboard.type(label);
    },
    send: async () => page.keyboard.press('Enter'),
  };
}
