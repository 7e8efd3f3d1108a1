import { expect, test } from 'vitest';
import { randomBytes } from '../../../../shared/runtime/outside/random-bytes.ts';

test('random bytes do not repeat if the caller overwrites them', () => {
  const seen = new Set<string>();
  for (let n = 0; n < 3_000; n++) {
    const bytes = randomBytes(16);
    seen.add(bytes.toString('hex'));
    bytes.fill(0);
  }
  expect(seen.size).toBe(3_000);
});

test.each([0, 1, 18, 4095, 4096, 4097, 100_000])('%i random bytes can be requested', (length) => {
  const bytes = randomBytes(length);
  expect(bytes).toHaveLength(length);
  // Four zeros in 18 random bytes occur once in a million runs.
  const zeros = bytes.filter((byte) => byte === 0).length;
  expect(zeros).toBeLessThanOrEqual(Math.max(3, length / 50));
});
