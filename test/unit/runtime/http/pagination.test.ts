import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  choiceOf,
  filledPage,
  metaOf,
  type PageRequest,
  pageOf,
  timesOf,
} from '../../../../shared/runtime/http/pagination.ts';
import { UNITS_OF_A_PAGE } from '../../../../shared/runtime/table/within-budget.ts';
import { PublicError } from '../../../../shared/runtime/values/errors.ts';

const start = { pk: 'SEND#1', sk: 'SEND', sort: 'é #1' };

describe('a page of results', () => {
  test('contains the newest 50 entries by default', () => {
    expect(pageOf({})).toEqual({ limit: 50, newestFirst: true, start: undefined, budget: UNITS_OF_A_PAGE });
  });

  test.each(['1', '50', '100', '007'])('accepts a size of %s', (per_page) => {
    expect(pageOf({ per_page }).limit).toBe(Number(per_page));
  });

  test.each(['0', '101', '1000', '-1', '+1', '1.0', '1e1', '0x1', ' 1', '1 ', '', 'all', '٣'])(
    'rejects a size of %j',
    (per_page) => {
      expect(fieldsOf(() => pageOf({ per_page }))).toEqual(['per_page']);
    },
  );

  test('starts at the cursor from the previous page', () => {
    const page = pageOf({ per_page: '7' });
    const { next, per_page } = metaOf(page, start);
    expect(per_page).toBe(7);
    expect(next).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(pageOf({ cursor: next ?? '' }).start).toEqual(start);
    expect(metaOf(page, undefined)).toEqual({ next: null, per_page: 7 });
  });

  test.each(['', 'x', 'bnVsbA', 'e30', 'W10', encode({ pk: 1, sk: '', sort: '' }), encode({ pk: 'a' }), '\u0000'])(
    'rejects the cursor %j',
    (cursor) => {
      expect(fieldsOf(() => pageOf({ cursor }))).toEqual(['cursor']);
    },
  );

  test('rejects invalid parameters', () => {
    expect(fieldsOf(() => pageOf({ per_page: '0', cursor: 'x' }))).toEqual(['per_page', 'cursor']);
  });
});

describe('a time parameter', () => {
  test('includes the whole day in Accra if it is a date', () => {
    const { fromMs, toMs } = timesOf({ from: '2026-11-20', to: '2026-11-20' });
    expect({ fromMs, toMs }).toEqual({ fromMs: Date.UTC(2026, 10, 20), toMs: Date.UTC(2026, 10, 21) - 1 });
  });

  test('has no effect if it is missing', () => {
    const { fromMs, toMs } = timesOf({});
    expect(fromMs).toBe(0);
    expect(new Date(toMs).getUTCFullYear()).toBe(9999);
  });

  test.each([
    ['2026-11-20T08:30:00Z', Date.UTC(2026, 10, 20, 8, 30)],
    ['2026-11-20T08:30:00.123Z', Date.UTC(2026, 10, 20, 8, 30, 0, 123)],
    ['2026-11-20T08:30:00+01:00', Date.UTC(2026, 10, 20, 7, 30)],
    ['2026-11-20T08:30:00 01:00', Date.UTC(2026, 10, 20, 7, 30)],
    ['2026-11-20 08:30', Date.UTC(2026, 10, 20, 8, 30)],
  ])('accepts %s', (text, ms) => {
    expect(timesOf({ from: text })).toMatchObject({ fromMs: ms });
    expect(timesOf({ to: text })).toMatchObject({ toMs: ms });
  });

  test.each([
    ...['', 'yesterday', '20/11/2026', '1763625600', '2026-13-01', '2026-11-20T25:00:00Z', 'Nov 20 2026'],
    ...['12026-11-20', '2026-11-25 (x)', '2026-11-20T08:30:00Z (UTC)', '2026-11-20T08:30:00 GMT'],
  ])('rejects %j', (text) => {
    expect(fieldsOf(() => timesOf({ from: text }))).toEqual(['from']);
    expect(fieldsOf(() => timesOf({ to: text }))).toEqual(['to']);
    expect(fieldsOf(() => timesOf({ from: text, to: text }))).toEqual(['from', 'to']);
  });
});

describe('an invalid date', () => {
  test.each([
    ['2026-11-31', '2026-11-30'],
    ['2026-02-30', '2026-02-28'],
    ['2028-02-30T08:30:00Z', '2028-02-29'],
    ['2026-04-99', '2026-04-30'],
  ])('is rejected as %s, with an error that names the month’s last day', (written, last) => {
    for (const query of [{ from: written }, { to: written }]) expect(() => timesOf(query)).toThrow(last);
  });

  test('is rejected if the month does not exist', () => {
    expect(() => timesOf({ to: '2026-13-01' })).toThrow('there is no month 13');
  });
});

describe('an enum parameter', () => {
  const values = ['pending', 'sent'] as const;

  test('accepts each of its values', () => {
    expect(choiceOf({ status: 'sent' }, 'status', values)).toBe('sent');
    expect(choiceOf({}, 'status', values)).toBeUndefined();
  });

  test.each(['', 'SENT', 'sent ', 'toString', '0'])('rejects %j and lists the possible values', (status) => {
    expect(fieldsOf(() => choiceOf({ status }, 'status', values))).toEqual(['status']);
    expect(() => choiceOf({ status }, 'status', values)).toThrow(/pending, sent/);
  });
});

describe('pages of filtered results', () => {
  const entries = fc.array(fc.boolean(), { maxLength: 120 });

  test('contain each matching entry once and in order', async () => {
    await fc.assert(
      fc.asyncProperty(entries, fc.integer({ min: 1, max: 100 }), async (passes, limit) => {
        const wanted = passes.flatMap((pass, n) => (pass ? [n] : []));
        const seen: number[] = [];
        let next: PageRequest['start'];
        do {
          const page = await filledPage(
            { ...pageOf({}), limit, start: next },
            listOf(passes.length),
            (n) => passes[n] === true,
            startAfter,
          );
          expect(page.entries.length).toBeLessThanOrEqual(limit);
          seen.push(...page.entries);
          next = page.next;
        } while (next);
        expect(seen).toEqual(wanted);
      }),
      { numRuns: 400 },
    );
  });

  test.each([1, 50, 100])('may have fewer than %i entries if the read limit is reached', async (limit) => {
    let [reads, units] = [0, 0];
    const list = listOf(10_000);
    const read = async (page: PageRequest) => {
      const found = await list(page);
      reads += 1;
      units += page.budget - found.left;
      return found;
    };
    const page = await filledPage({ ...pageOf({}), limit }, read, () => false, startAfter);
    expect(page.entries).toEqual([]);
    expect(page.next).toBeDefined();
    expect(units).toBeLessThanOrEqual(UNITS_OF_A_PAGE);
    expect(units).toBeGreaterThan(UNITS_OF_A_PAGE / 2);
    expect(reads).toBeLessThanOrEqual(10);
  });
});

function startAfter(n: number) {
  return { pk: 'x', sk: 'x', sort: String(n) };
}

/** Creates a list of numbers that is paginated like the table. Each number costs one read unit. */
function listOf(length: number) {
  return async ({ limit: most, budget, start: from }: PageRequest) => {
    const limit = Math.min(most, budget);
    const first = from ? Number(from.sort) + 1 : 0;
    const read = Array.from({ length: Math.min(limit, length - first) }, (_, n) => first + n);
    const last = read.at(-1);
    // As in DynamoDB, a full page has a next page even if that page is empty.
    const next = last !== undefined && read.length === limit ? { pk: 'x', sk: 'x', sort: String(last) } : undefined;
    return { entries: read, left: budget - read.length, next };
  };
}

function fieldsOf(parse: () => unknown): string[] | undefined {
  try {
    parse();
  } catch (error) {
    if (error instanceof PublicError && error.statusCode === 400) return error.errors?.map(({ field }) => field);
    throw error;
  }
  return undefined;
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
