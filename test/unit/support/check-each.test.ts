import { describe, expect, test } from 'vitest';
import { checkEach } from '../../support/check-each.ts';

describe('a loop over rows', () => {
  const mayNotBeOdd = (n: number) => {
    if (n % 2) throw new Error(`${n} is odd`);
  };

  test('checks every row and names each that failed', async () => {
    const checked: number[] = [];
    const loop = checkEach([1, 2, 3], (n) => {
      checked.push(n);
      mayNotBeOdd(n);
    });
    await expect(loop).rejects.toThrow('2 of 3 rows failed:\n- 1: 1 is odd\n- 3: 3 is odd');
    expect(checked).toEqual([1, 2, 3]);
  });

  test('awaits an asynchronous check before the next row', async () => {
    const order: string[] = [];
    await checkEach(['a', 'b'], async (row) => {
      order.push(`start ${row}`);
      await Promise.resolve();
      order.push(`end ${row}`);
    });
    expect(order).toEqual(['start a', 'end a', 'start b', 'end b']);
    await expect(checkEach([1], async (n) => mayNotBeOdd(n))).rejects.toThrow('- 1: 1 is odd');
  });

  test('keeps the first failure as the cause', async () => {
    const loop = checkEach([1], mayNotBeOdd);
    await expect(loop).rejects.toMatchObject({ cause: { message: '1 is odd' } });
  });

  test.each([
    ['its text', 'MTN'],
    ['its name', { name: 'MTN', other: 1 }],
    ['its fields', ['MTN', { prefixes: ['024'] }]],
  ])('names a row by %s', async (_, row) => {
    await expect(checkEach([row], () => mayNotBeOdd(1))).rejects.toThrow(/\n- .*MTN.*: 1 is odd/);
  });

  test('fails without rows', async () => {
    await expect(checkEach([], mayNotBeOdd)).rejects.toThrow('There are no rows to check.');
  });
});
