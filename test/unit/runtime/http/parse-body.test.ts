import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { parseBody, refuseLongTexts } from '../../../../shared/runtime/http/parse-body.ts';
import { longText, MAX_TEXT_CHARACTERS } from '../../../../shared/runtime/values/text.ts';

const long = 'x'.repeat(MAX_TEXT_CHARACTERS + 1);
const message = `must be at most ${MAX_TEXT_CHARACTERS} characters long`;

test.each([
  ['a field', { title: long }, 'title'],
  ['a list', { lines: ['x', long] }, 'lines[1]'],
  ['an object in a list', { lines: [{ title: long }] }, 'lines[0].title'],
  ['an unknown field', { more: long }, 'more'],
])('a long text in %s is refused before the schema reads it', (_, body, field) => {
  const read: string[] = [];
  const Noted = z.pipe(
    z.unknown(),
    z.transform((value) => read.push(String(value))),
  );
  const schema = z.object({ title: z.optional(Noted), lines: z.optional(Noted), more: z.optional(Noted) });
  expect(() => parseBody(schema, body)).toThrow(expect.objectContaining({ errors: [{ field, message }] }));
  expect(read).toEqual([]);
});

test('a longText may be longer than other texts', () => {
  const schema = z.object({ csv: longText(z.optional(z.string())) });
  expect(parseBody(schema, { csv: long })).toEqual({ csv: long });
});

test('a long query parameter is refused', () => {
  expect(() => refuseLongTexts({ cursor: long })).toThrow(
    expect.objectContaining({ errors: [{ field: 'cursor', message }] }),
  );
});
