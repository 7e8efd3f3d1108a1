import { expect, test } from 'vitest';
import * as own from 'zod/mini';
import * as shared from '../../../infra/cdk/shared-schemas.ts';

test('schemas without rules are created once per bundle', () => {
  expect(shared.string()).toBe(shared.string());
  expect(shared.optional(shared.number())).toBe(shared.optional(shared.number()));
});

test('adding a rule to a schema creates a new schema', () => {
  const filled = shared.string().check(shared.minLength(1, 'must not be empty'));
  expect(shared.string('must be a string')).not.toBe(shared.string());
  expect(shared.safeParse(filled, '').success).toBe(false);
  expect(shared.safeParse(shared.string(), '').success).toBe(true);
});

test.each([{}, { name: 'Ama', count: 1, isOpen: true }, { name: 1, count: 'one', isOpen: 'yes' }])(
  'shared schemas validate like zod: %j',
  (value) => {
    const fields = {
      own: { name: own.string(), count: own.optional(own.number()), isOpen: own.optional(own.boolean()) },
      shared: {
        name: shared.string(),
        count: shared.optional(shared.number()),
        isOpen: shared.optional(shared.boolean()),
      },
    };
    expect(own.safeParse(own.object(fields.shared), value)).toEqual(own.safeParse(own.object(fields.own), value));
  },
);

test('an invalid value is replaced with the fallback', () => {
  for (const z of [own, shared]) expect(z.parse(z.catch(z.array(z.string()), ['none']), 1)).toEqual(['none']);
});
