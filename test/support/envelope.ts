import { expect } from 'vitest';
import type { call } from './world.ts';

type Answered = Awaited<ReturnType<typeof call>>;

export function expectOk(answer: Answered, data: unknown, meta?: object): Answered {
  const json = { status: true, message: expect.any(String), data, ...(meta && { meta }) };
  expect({ status: answer.status, json: answer.json }).toEqual({ status: 200, json });
  return answer;
}

export function expectFailure(answer: Answered, status: number, code: string): void {
  const { errors, ...rest } = answer.json;
  expect({ status: answer.status, json: rest }).toEqual({
    status,
    json: {
      status: false,
      message: expect.stringMatching(/\w+ \w+/),
      code,
      request_id: expect.stringMatching(/^[\da-f-]{36}$/),
      doc_url: expect.stringMatching(new RegExp(`^https?://[^/]+/docs#error-${code}$`)),
    },
  });
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  if (errors !== undefined) {
    expect(errors).toEqual(errors.map(() => ({ field: expect.any(String), message: expect.any(String) })));
  }
}

export function expectBadFields(answer: Answered, ...fields: string[]): void {
  expectFailure(answer, 400, 'invalid_request');
  expect(answer.json.errors.map(({ field }: { field: string }) => field)).toEqual(fields);
}
