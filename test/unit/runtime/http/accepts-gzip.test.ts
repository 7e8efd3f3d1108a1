import { expect, test } from 'vitest';
import { acceptsGzip } from '../../../../shared/runtime/http/answer.ts';

test.each(['gzip', 'GZIP', 'gzip, deflate, br', 'br;q=1.0, gzip; q=0.8', 'deflate,gzip;q=0.001', '*', 'br, *;q=0.1'])(
  '%j accepts gzip',
  (header) => {
    expect(acceptsGzip({ 'accept-encoding': header })).toBe(true);
  },
);

test.each([
  undefined,
  ...['', 'identity', 'br, deflate', 'xgzip', 'gzip-9', 'gzip;q=0', 'gzip; q=0.000, br', '*;q=0', 'gzip;q=0, *'],
  ';;,,=q;',
])('%j does not', (header) => {
  expect(acceptsGzip({ 'accept-encoding': header })).toBe(false);
});
