import { expect, test, vi } from 'vitest';
import { invoke, MAX_PAYLOAD_BYTES } from '../../../infra/local/api-gateway.ts';
import { httpEvent } from '../../support/world.ts';

const ANSWER = { statusCode: 200, headers: {}, body: 'Done' };

test('an event of 6,291,456 bytes is accepted', async () => {
  const handler = vi.fn(async () => ANSWER);
  const overhead = bytesOf(httpEvent({ body: '' }));
  const event = (bytes: number) => httpEvent({ body: 'x'.repeat(bytes - overhead) });
  expect(bytesOf(event(6_291_456))).toBe(MAX_PAYLOAD_BYTES);
  expect(await invoke(handler, event(6_291_456))).toBe(ANSWER);
  const tooLong = { statusCode: 413, body: '{"message":"Request Too Long"}' };
  expect(await invoke(handler, event(6_291_457))).toMatchObject(tooLong);
  expect(handler).toHaveBeenCalledTimes(1);
});

test('an event’s size is measured as JSON', async () => {
  const handler = async () => ANSWER;
  const body = (character: string) => httpEvent({ body: character.repeat(4_000_000) });
  expect((await invoke(handler, body('x'))).statusCode).toBe(200);
  expect((await invoke(handler, body('"'))).statusCode).toBe(413);
});

test('a response that Lambda would reject causes a server error', async () => {
  const shown = vi.spyOn(console, 'error').mockReturnValue();
  const answer = (bytes: number) => async () => ({ ...ANSWER, body: 'x'.repeat(bytes) });
  const overhead = bytesOf({ ...ANSWER, body: '' });
  expect((await invoke(answer(6_291_456 - overhead), httpEvent({}))).statusCode).toBe(200);
  expect(await invoke(answer(6_291_457 - overhead), httpEvent({}))).toMatchObject({
    statusCode: 500,
    body: '{"message":"Internal Server Error"}',
  });
  expect(shown).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('GET /'));
  shown.mockRestore();
});

function bytesOf(payload: object): number {
  return Buffer.byteLength(JSON.stringify(payload));
}
