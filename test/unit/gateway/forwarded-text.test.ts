import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ForwardedText, receivedEventOf, signForwarded } from '../../../shared/phones/gateway/forwarded-text.ts';

const KEY = 'a'.repeat(64);
const TIMES = { sent_at: '1782143175', received_at: '2026-06-22T15:46:11Z' };
const LINES = { ...TIMES, from: 'MobileMoney', to: '1', text: 'Payment of GHS 36.00' };
// Computed with the OpenSSL commands in docs/integrate/forwarders.md, so that the test does not depend on the code.
const SIGNATURE = '45ee360351e3a9e15df44a1b85e0f4c322c10fdbdb8e674570c2479f0e6be9c0';

test('the commands in the documentation compute the correct signature', () => {
  expect(signForwarded(LINES, KEY).toString('hex')).toBe(SIGNATURE);
});

const lines = fc.record({
  sent_at: fc.constantFrom('1782143175', '1782143175000', '2026-06-22T15:46:15Z'),
  from: fc.stringMatching(/^[A-Za-z0-9 +-]{1,12}$/),
  to: fc.constantFrom('1', '2', 'sim1', '0241234567'),
  received_at: fc.constantFrom('1782143171', '1782143171000', '2026-06-22T15:46:11Z'),
  text: fc.oneof(
    fc.string({ unit: 'binary', minLength: 1 }),
    // Contains lines that imitate the lines before the text.
    fc.constantFrom('1', '1\n1782143171\nx', '0241234567\n2026-06-22T15:46:11Z\nx', '\n', 'MobileMoney\n1'),
  ),
});

test('two different accepted requests never share a signature', () => {
  fc.assert(
    fc.property(lines, lines, (one, other) => {
      for (const each of [one, other])
        expect(ForwardedText.safeParse({ ...each, signature: SIGNATURE }).success).toBe(true);
      // Characters that UTF-8 cannot represent are replaced.
      fc.pre(one.text.isWellFormed() && other.text.isWellFormed());
      const isSame = JSON.stringify(one) === JSON.stringify(other);
      expect(signForwarded(one, KEY).equals(signForwarded(other, KEY))).toBe(isSame);
      const { sent_at: _, ...kept } = one;
      const { sent_at: __, ...otherKept } = other;
      const [a, b] = [one, other].map((each) => receivedEventOf('till', { ...each, signature: SIGNATURE }, KEY).id);
      expect(a === b).toBe(JSON.stringify(kept) === JSON.stringify(otherKept));
    }),
    { numRuns: 500 },
  );
});

test.each([
  ['+233551112223', '+233551112223'],
  ['0551112223', '0551112223'],
  [447911123456, '447911123456'],
  ['MobileMoney', 'MobileMoney'],
  ['', 'MobileMoney'],
  [undefined, 'MobileMoney'],
])('the phone number %s replaces the contact’s name as sender: %s', (from_number, sender) => {
  const posted = ForwardedText.parse({ ...LINES, from_number, signature: SIGNATURE });
  const { id, payload } = receivedEventOf('till', posted, KEY);
  expect(payload.sender).toBe(sender);
  const plain = { ...LINES, signature: SIGNATURE };
  expect(receivedEventOf('till', plain, KEY).id).toBe(id);
  // The id depends on the key, so that nobody who knows the id can find a code by trying all codes.
  expect(receivedEventOf('till', plain, KEY.replace('a', 'b')).id).not.toBe(id);
});

test('random requests are read or rejected without an exception', () => {
  const said = fc.constantFrom(...Object.values(LINES));
  const some = fc.oneof(fc.string({ unit: 'binary' }), fc.double(), said, fc.json());
  fc.assert(
    fc.property(fc.record({ ...Object.fromEntries(Object.keys(LINES).map((name) => [name, some])) }), (given) => {
      const { data } = ForwardedText.safeParse({ ...given, signature: SIGNATURE });
      if (data) expect(receivedEventOf('till', data, KEY).payload.receivedAt).toMatch(/Z$/);
    }),
    { numRuns: 500 },
  );
});
