import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { manifest } from '../../functions/manifest.ts';
import type { Row } from '../../shared/runtime/row.ts';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

test('the README lists the routes that exist, with their keys, and no others', () => {
  const listed = [...readme.matchAll(/^\| (GET|POST|PUT|DELETE) \| (\S+) \| (live|sms|signature)? ?\|/gm)].map(
    ([, method, path, key]) => `${method} ${path} ${key === 'signature' ? '' : (key ?? '')}`,
  );
  const routes = Object.values<Row>(manifest).flatMap((row) =>
    row.on === 'http' ? [`${row.method} ${row.path} ${row.key ?? ''}`] : [],
  );
  expect(listed.sort()).toEqual(routes.sort());
});

test('the folders and workers that the README names exist', () => {
  const workers = Object.keys(manifest).filter((name) => name.startsWith('work/'));
  for (const worker of workers) expect(readme).toContain(worker.replace('work/', ''));
});
