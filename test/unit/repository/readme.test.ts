import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { manifest } from '../../../functions/manifest.ts';
import type { Row } from '../../../shared/runtime/triggers/row.ts';
import { synthesise } from '../../infra/cdk/synthesise.ts';

const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');

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

test('the README says why each kind of resource is deployed, and names no other', () => {
  const [, section = ''] = /^## What is deployed\n(.*?)^## /ms.exec(readme) ?? [];
  const named = [...section.matchAll(/`(\w+::\w+)`/g)].map(([, kind]) => `AWS::${kind}`);
  const stack = synthesise({
    alarmEmail: 'ops@example.com',
    domain: 'pay.example.com',
    certificateArn: 'arn:aws:acm:eu-west-1:123456789012:certificate/0f6f',
    hostedZoneId: 'Z123',
    hostedZoneName: 'example.com',
  });
  expect([...new Set(named)].sort()).toEqual(stack.types);
});
