import { expect, test } from 'vitest';
import { everyPage, pagePatterns } from '../../support/dashboard-pages.ts';

test('a dashboard page without an example is reported', async () => {
  const patterns = (await pagePatterns()).flatMap(({ pattern }) => (pattern.includes('{') ? [pattern] : []));
  const [forgotten = '', ...others] = patterns;
  const examples = Object.fromEntries(others.map((pattern) => [pattern, [pattern]]));
  await expect(everyPage(examples)).rejects.toThrow(forgotten);
  await expect(everyPage({ ...examples, [forgotten]: ['/a'], '/dashboard/gone': ['/b'] })).rejects.toThrow(
    '/dashboard/gone',
  );
  const pages = await everyPage({ ...examples, [forgotten]: ['/a', '/b'] });
  expect(pages.filter(({ pattern }) => pattern === forgotten).map(({ address }) => address)).toEqual(['/a', '/b']);
});
