import { expect, test } from 'vitest';
import { manifest } from '../../../../functions/manifest.ts';
import { rights } from '../../../../functions/rights.ts';
import { completeRow, completeRows, consumerOf } from '../../../../shared/runtime/triggers/complete-row.ts';
import type { HttpRow, Row } from '../../../../shared/runtime/triggers/row.ts';
import { checkEach } from '../../../support/check-each.ts';

const row: HttpRow = {
  on: 'http',
  method: 'GET',
  path: '/shops',
  throttledWith: 'docs',
  publicBecause: 'Anybody may.',
  whenItFails: 'No shops.',
};
const route = { on: 'http', method: 'GET', path: '/shops', whenItFails: 'No shops.' } as const;
const keyed: HttpRow = { ...route, key: 'live', needs: 'charges:read' };
/** Permissions to authenticate a key and record its use and failures. */
const ofKeys = {
  GetItem: ['KEY#*', 'MERCHANT#*'],
  PutItem: ['KEY_USE#*', 'FAILED_REQUEST#*'],
};

test('a manifest row has a default timeout, memory and permissions', () => {
  expect(completeRow(row)).toEqual({ ...row, timeoutSeconds: 10, memoryMegabytes: 512, table: {} });
});

test('explicit values in a manifest row are kept', () => {
  const own = { timeoutSeconds: 3, memoryMegabytes: 256 };
  const table = { Query: ['SENDER'] };
  expect(completeRow({ ...row, ...own }, { table })).toMatchObject({ ...own, table });
});

test('a route with an API key may record the key’s use', () => {
  expect(completeRow(keyed).table).toEqual(ofKeys);
  expect(completeRow(keyed, { table: { GetItem: ['SHOP#*'] } }).table.GetItem).toContain('SHOP#*');
});

test('a POST route with an API key may store responses', () => {
  const records = 'IDEMPOTENCY#*#POST /shops#*';
  expect(completeRow({ ...keyed, method: 'POST' }).table).toEqual({
    ...ofKeys,
    GetItem: [...ofKeys.GetItem, records],
    PutItem: [...ofKeys.PutItem, records],
  });
  expect(completeRow({ ...row, method: 'POST' }).table).toEqual({});
});

test('a dashboard route may count waiting payments', () => {
  const { on, path, publicBecause } = manifest['dashboard/texts'];
  const own = { gsi1: ['MERCHANTS'], gsi2: ['SHOPS'] };
  const area: Row = { on, path, publicBecause, whenItFails: 'No pages.' };
  const { table, indexes } = completeRow(area, { indexes: own });
  expect(indexes).toEqual({ gsi1: ['MERCHANTS', 'MERCHANT#*#RECEIPT#held'], gsi2: ['SHOPS'] });
  expect(table.BatchGetItem).toContain('RECEIPT#*');
  expect(completeRow(row).indexes).toBeUndefined();
});

test('each queue has exactly one consumer', () => {
  expect(consumerOf(manifest, 'deliver-sms')).toMatchObject({ on: 'queue', queue: 'deliver-sms', timeoutSeconds: 30 });
  expect(() => consumerOf(manifest, 'nowhere')).toThrow('nowhere');
  expect(() => consumerOf({ ...manifest, again: manifest['work/deliver-sms'] }, 'deliver-sms')).toThrow('deliver-sms');
});

test('a function that serves pages gets a full vCPU', () => {
  const rows = completeRows(manifest, rights);
  const sizeOf = Object.fromEntries(rows.map(([name, { memoryMegabytes }]) => [name, memoryMegabytes]));
  expect(sizeOf).toMatchObject({ 'checkout/page': 1769, 'checkout/claim': 1769, 'pay/page': 1769, 'r/page': 1769 });
  for (const [name, { on }] of rows)
    if (on === 'area') expect({ name, size: sizeOf[name] }).toEqual({ name, size: 1769 });
  expect(sizeOf).toMatchObject({ 'checkout/status': 512, 'transaction/initialize': 512, 'work/relay': 512 });
});

test('a manifest row does not repeat a default', () =>
  checkEach(Object.entries<Row>(manifest), ([name, row]) => {
    const { memoryMegabytes, ...others } = row;
    expect(row.timeoutSeconds).not.toBe(10);
    expect(memoryMegabytes).not.toBe(completeRow(others).memoryMegabytes);
    const [, { table }] = completeRows({ [name]: row }, rights)[0] ?? [name, completeRow(row)];
    for (const partitions of Object.values(table)) expect(new Set(partitions).size).toBe(partitions.length);
  }));
