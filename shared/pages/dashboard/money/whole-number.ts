import * as z from 'zod/mini';

const MOST = 1_000_000;

/** A whole number as somebody types it. */
export function wholeNumber(least: number) {
  const rule = `must be a whole number from ${least} to ${MOST}`;
  return z.pipe(
    z.string(rule).check(z.regex(/^\d{1,7}$/, rule)),
    z.pipe(z.transform(Number), z.number().check(z.minimum(least, rule), z.maximum(MOST, rule))),
  );
}
