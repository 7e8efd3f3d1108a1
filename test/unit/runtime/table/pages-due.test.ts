import { expect, test } from 'vitest';
import { pagesDue } from '../../../../shared/runtime/table/pages-due.ts';
import { sideBySide } from '../../../../shared/runtime/values/side-by-side.ts';

const FOR_EVER = { outside: { now: () => 0 }, untilMs: 1 };

/** Processes a list and removes finished entries. */
async function workOff(due: number[], isDone: (one: number) => boolean, { outside, untilMs } = FOR_EVER) {
  const given: number[] = [];
  const limits: number[] = [];
  const list = async (limit: number) => {
    limits.push(limit);
    return due.slice(0, limit);
  };
  for await (const page of pagesDue(outside, untilMs, String, list)) {
    given.push(...page);
    due = due.filter((one) => !(page.includes(one) && isDone(one)));
  }
  return { given, limits, left: due };
}

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);

test('due entries are read page by page until none are left', async () => {
  const { given, left, limits } = await workOff(numbers(1200), () => true);
  expect(given).toEqual(numbers(1200));
  expect(left).toEqual([]);
  expect(limits).toEqual([500, 500, 500, 500]);
});

test('a failing entry does not block later entries', async () => {
  const { given, left } = await workOff(numbers(2600), (one) => one >= 1100);
  expect(given.toSorted((one, other) => one - other)).toEqual(numbers(2600));
  expect(left).toEqual(numbers(1100));
});

test('no page is read after the deadline', async () => {
  let nowMs = 0;
  const { limits } = await workOff(numbers(5000), () => true, { outside: { now: () => nowMs++ }, untilMs: 2 });
  expect(limits).toEqual([500, 500, 500]);
});

test('entries start in order before the deadline', async () => {
  const begun: number[] = [];
  let [now, most, nowMs] = [0, 0, 0];
  await sideBySide({ now: () => nowMs }, { items: numbers(20), atOnce: 3, untilMs: 9 }, async (one) => {
    begun.push(one);
    most = Math.max(most, ++now);
    await new Promise(setImmediate);
    nowMs++;
    now--;
  });
  expect(most).toBe(3);
  expect(begun).toEqual(numbers(begun.length));
  // Ten entries can finish in time. Two more may have started concurrently.
  expect(begun.length).toBeGreaterThanOrEqual(10);
  expect(begun.length).toBeLessThan(14);
});
