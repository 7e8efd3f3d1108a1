import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  MAX_SENDS_PER_BULK,
  messageId,
  newSendId,
  parseMessageId,
  partIds,
} from '../../../shared/texts/sms/message-id.ts';
import { chanceFrom } from '../../simulation/random.ts';

const chance = chanceFrom(1);

const NOW_MS = Date.parse('2026-06-22T15:46:11.123Z');

test('a send’s id is a UUIDv7 (RFC 9562) with 48 bits of time', () => {
  for (const supply of [
    randomBytes,
    (length: number) => Buffer.alloc(length),
    (length: number) => Buffer.alloc(length, 255),
  ]) {
    const id = newSendId(NOW_MS, supply);
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(Number.parseInt(id.replace('-', '').slice(0, 12), 16)).toBe(NOW_MS);
  }
});

test('all bits of an id except the time and the recipient are random', () => {
  const ids = Array.from({ length: 500 }, () => BigInt(`0x${newSendId(NOW_MS, randomBytes).replaceAll('-', '')}`));
  const everOne = ids.reduce((bits, id) => bits | id, 0n);
  const everZero = ids.reduce((bits, id) => bits | ~id, 0n);
  const random = 0x0fff_3fff_ffff_ffff_ffc0n;
  expect(everOne & everZero & random).toBe(random);
  expect(everOne & 0x3fn).toBe(0n);
});

test('a message id identifies the send and the recipient', () => {
  for (let n = 0; n < 200; n++) {
    const sendId = newSendId(NOW_MS + n, randomBytes);
    const ids = Array.from({ length: 50 }, (_, index) => messageId(sendId, index));
    expect(new Set(ids).size).toBe(50);
    expect(ids[0]).toBe(sendId);
    expect(ids.map(parseMessageId)).toEqual(ids.map((_, index) => ({ sendId, index })));
  }
});

test('ids sort by time, then by recipient', () => {
  const ids: string[] = [];
  for (let nowMs = NOW_MS; nowMs < NOW_MS + 2_000; nowMs += 1 + Math.floor(chance.next() * 30)) {
    const sendId = newSendId(nowMs, randomBytes);
    ids.push(...[0, 1, 31, 49].map((index) => messageId(sendId, index)));
  }
  expect([...ids].sort()).toEqual(ids);
});

test('an id in capital letters is accepted', () => {
  const id = messageId(newSendId(NOW_MS, randomBytes), 7);
  expect(parseMessageId(id.toUpperCase())).toEqual(parseMessageId(id));
});

test.each([
  ['a UUID of another version', '0197982a-9d5b-4a1c-8a6f-2d1f0e3b4c40'],
  ['a UUID of another variant', '0197982a-9d5b-7a1c-ca6f-2d1f0e3b4c40'],
  ['a UUID without hyphens', '0197982a9d5b7a1c8a6f2d1f0e3b4c40'],
  ['a UUID with a digit missing', '0197982a-9d5b-7a1c-8a6f-2d1f0e3b4c4'],
  ['a UUID with a suffix', '0197982a-9d5b-7a1c-8a6f-2d1f0e3b4c40\n'],
  ['braces', '{0197982a-9d5b-7a1c-8a6f-2d1f0e3b4c40}'],
  ['no UUID', 'from'],
  ['nothing', ''],
])('%s is not a message id', (_, id) => {
  expect(parseMessageId(id)).toBeUndefined();
});

test('all sends of a bulk send have different ids', () => {
  for (let n = 0; n < 200; n++) {
    const sendIds = partIds(newSendId(NOW_MS + n, randomBytes), MAX_SENDS_PER_BULK);
    const ids = sendIds.flatMap((sendId) => Array.from({ length: 50 }, (_, index) => messageId(sendId, index)));
    expect(new Set(ids).size).toBe(MAX_SENDS_PER_BULK * 50);
    expect(ids).toEqual(ids.toSorted());
    for (const sendId of sendIds) {
      expect(parseMessageId(sendId)).toEqual({ sendId, index: 0 });
      expect(partIds(sendId, MAX_SENDS_PER_BULK)).toEqual(sendIds);
    }
  }
  expect(() => partIds(newSendId(NOW_MS, randomBytes), MAX_SENDS_PER_BULK + 1)).toThrow(RangeError);
});
