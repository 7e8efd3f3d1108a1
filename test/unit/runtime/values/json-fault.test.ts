import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonFault } from '../../../../shared/runtime/values/json-fault.ts';
import { expectCost } from '../../../support/cpu.ts';

test.each([
  ['{"a":1,"a":2}', 'a'],
  ['{"a":{"b":1,"c":[{"d":1,"b":2,"d":3}]}}', 'd'],
  ['{"a":1,"\\u0061":2}', 'a'],
  ['[{"a":"{","b":"\\"a\\":"},{"a":1,"x":{},"y":[],"x":1}]', 'x'],
  ['{"":1,"":2}', 'body'],
  ['{"a":"a","b":"a"}', undefined],
  ['{"a":["a","a"],"b":{"a":1}}', undefined],
  ['[{"a":1},{"a":2}]', undefined],
  ['{"a":"\\\\","b":"\\\\"}', undefined],
  ['"a"', undefined],
])('in %s, the duplicate name %j is found', (json, name) => {
  JSON.parse(json);
  expect(jsonFault(json)?.field).toBe(name);
});

test('serialised values have no duplicate names', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.string(), fc.boolean(), (value, name, isSpaced) => {
      const json = JSON.stringify(value, undefined, isSpaced ? 1 : 0);
      expect(jsonFault(json)).toBeUndefined();
      const key = JSON.stringify(name);
      expect(jsonFault(`{${key}: ${json}, "other": [${json}],${key}:${json}}`)?.field).toBe(
        name.slice(0, 40) || 'body',
      );
    }),
  );
});

test.each([
  ['lists', '[', ']'],
  ['objects', '{"a":', '}'],
])('%s can be nested up to 200 levels deep', (_, open, close) => {
  const nested = (levels: number) => `${open.repeat(levels)}${close === '}' ? 1 : ''}${close.repeat(levels)}`;
  expect(jsonFault(nested(200))).toBeUndefined();
  expect(jsonFault(nested(201))).toEqual({ field: 'body', message: 'must not be nested more than 200 levels deep' });
  expect(jsonFault(nested(100_000))?.field).toBe('body');
});

test('the largest request body is checked at little cost', async () => {
  const list = Array.from({ length: 4_000 }, (_, n) => ({ to: n, name: 'Ama' }));
  const body = JSON.stringify({ message: '\\n"'.repeat(20_000), list });
  await expectCost(5, () => jsonFault(body));
});
