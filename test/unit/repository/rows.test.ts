import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const COUNTS = 'counts, by `limits.ts` or with a condition of its own: nothing of its rows is read as a whole';

/** The files of rows that do without `rows()`, each with its reason. */
const WITHOUT_ROWS: Readonly<Record<string, string>> = {
  'shared/merchants/merchant/test-limit.table.ts': COUNTS,
  'shared/merchants/user/challenge.table.ts': 'has no fields: that there is a row is all that it says',
  'shared/money/booking/booking.table.ts': 'stores its sums under names of their own, which `totals.ts` reads',
  'shared/money/goods/unproven.table.ts': COUNTS,
  'shared/money/receipt/claim.table.ts': COUNTS,
  'shared/money/receipt/phone-code.table.ts':
    'a row without its code stands for one that was used: it is read as what it still has',
  'shared/money/transaction/change-transaction.table.ts': 'changes the rows of `transaction.table.ts`',
  'shared/money/transaction/pay-text.table.ts': COUNTS,
  'shared/phones/sender/pace.table.ts': 'clocks and places in a queue: numbers that their keys explain',
  'shared/push/notice-text.table.ts': COUNTS,
  'shared/webhook/lane.table.ts': 'a clock, of `due-clock.ts`',
};

test('each kind of row with fields is stored, found and listed by rows(), and few files have none', () => {
  const files = globSync('shared/**/*.table.ts').map((file) => file.replaceAll('\\', '/'));
  const without = files.filter((file) => !/\brows\(/.test(readFileSync(file, 'utf8')));
  expect(without.toSorted()).toEqual(Object.keys(WITHOUT_ROWS).toSorted());
  expect(without.length).toBeLessThanOrEqual(11);
});
