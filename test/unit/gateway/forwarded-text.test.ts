import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  ForwardedText,
  msOf,
  receivedEventOf,
  signForwarded,
  simOf,
} from '../../../shared/phones/gateway/forwarded-text.ts';

const KEY = 'a'.repeat(64);
const TIMES = { sent_at: '1782143175', received_at: '2026-06-22T15:46:11Z' };
const LINES = { ...TIMES, from: 'MobileMoney', to: '1', text: 'Payment of GHS 36.00' };
// Computed with the OpenSSL commands in docs/integrate/forwarders.md, so that the test does not depend on the code.
const SIGNATURE = '45ee360351e3a9e15df44a1b85e0f4c322c10fdbdb8e674570c2479f0e6be9c0';

test('the documented commands compute the correct signature', () => {
  expect(signForwarded(LINES, KEY).toString('hex')).toBe(SIGNATURE);
});

const lines = fc.record({
  sent_at: fc.constantFrom('1782143175', '1782143175000', '2026-06-22T15:46:15Z'),
  from: fc.stringMatching(/^[A-Za-z0-9 +-]{1,12}$/),
  to: fc.constantFrom('1', '2', 'sim1', '0241234567'),
  received_at: fc.constantFrom('1782143171', '1782143171000', '2026-06-22T15:46:11Z'),
  text: fc.oneof(
    fc.string({ unit: 'binary', minLength: 1 }),
    // Includes line breaks that imitate further signed fields.
    fc.constantFrom('1', '1\n1782143171\nx', '0241234567\n2026-06-22T15:46:11Z\nx', '\n', 'MobileMoney\n1'),
  ),
});

test('no two accepted requests share a signature', () => {
  fc.assert(
    fc.property(lines, lines, (one, other) => {
      for (const each of [one, other])
        expect(ForwardedText.safeParse({ ...each, signature: SIGNATURE }).success).toBe(true);
      // Skip characters that UTF-8 cannot represent.
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
  [null, 'MobileMoney'],
])('the contact name is replaced by the phone number %s: %s', (from_number, sender) => {
  const posted = ForwardedText.parse({ ...LINES, from_number, signature: SIGNATURE });
  const { id, payload } = receivedEventOf('till', posted, KEY);
  expect(payload.sender).toBe(sender);
  const plain = { ...LINES, signature: SIGNATURE };
  expect(receivedEventOf('till', plain, KEY).id).toBe(id);
  // The id depends on the key, so a code in the text cannot be guessed from the id.
  expect(receivedEventOf('till', plain, KEY.replace('a', 'b')).id).not.toBe(id);
});

test('random requests throw no exception', () => {
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

test.each([
  ['1782143171000', 1782143171000],
  ['1782143171', 1782143171000],
  ['1782143171.2509', 1782143171250],
  ['2026-06-22T15:46:11Z', 1782143171000],
  ['2026-06-22 15:46:11.250+01:00', 1782139571250],
  ['2026-06-22T15:46Z', 1782143160000],
  ['2026-06-22T15:46:11', undefined],
  ['2026-13-22T15:46:11Z', undefined],
  ['at 2026-06-22T15:46:11Z', undefined],
  ['2026-06-22T15:46:11Z or so', undefined],
  ['x 2026-06-22 15:46:11Z', undefined],
  ['2026-06-22 15:46:11Z (UTC)', undefined],
  ['11782143171000', undefined],
  ['17821431710001', undefined],
  ['178214317', undefined],
  ['x1782143171', undefined],
  ['1782143171x', undefined],
  ['x1782143171000', undefined],
  ['1782143171000x', undefined],
])('the time %s is parsed as %s', (written, ms) => {
  expect(msOf(written)).toBe(ms);
});

test.each([
  ['1', 1],
  ['sim 2', 2],
  ['SIM8', 8],
  ['0', undefined],
  ['9', undefined],
  ['12', undefined],
  ['a sim1', undefined],
])('the SIM %s is parsed as slot %s', (written, slot) => {
  expect(simOf(written)).toBe(slot);
});

test.each([
  ['1', { simNumber: 1 }],
  ['0241234567', { recipient: '0241234567' }],
])('the recipient %s is parsed as a SIM slot or as a number', (to, expected) => {
  const { payload } = receivedEventOf('till', { ...LINES, to, signature: SIGNATURE }, KEY);
  const { message: _, sender: __, receivedAt: ___, ...rest } = payload;
  expect(rest).toEqual(expected);
});

test.each(['+233551112223 (Kofi)', 'Kofi +233551112223', '+23355', '+233551112223, +233551112224'])(
  'a contact name with digits is not parsed as a phone number: %s',
  (from_number) => {
    const { payload } = receivedEventOf('till', { ...LINES, from_number, signature: SIGNATURE }, KEY);
    expect(payload.sender).toBe('MobileMoney');
  },
);

const HEX = 'must be 64 lower-case hexadecimal digits, computed as described in docs/integrate/forwarders.md';
const TIME = 'must be a time such as 2026-06-22T15:46:11Z (with Z or an offset), or seconds or milliseconds since 1970';

test.each<[field: string, value: unknown, rule: string]>([
  ['signature', SIGNATURE.toUpperCase(), HEX],
  ['sent_at', 'now', TIME],
  ['received_at', 'now', TIME],
  ['from', '', 'must be the sender as shown on the phone, on one line, such as MobileMoney'],
  ['from', 'Mobile\nMoney', 'must be the sender as shown on the phone, on one line, such as MobileMoney'],
  ['from_number', true, 'must be a phone number'],
  ['to', 'both', 'must be the slot of the SIM that received the text (1 or 2), or the SIM’s number (0241234567)'],
  ['text', '', 'must be the content of the text'],
  ['text', '\ud800', 'must be the content of the text'],
  ['text', 7, 'must be the content of the text'],
])('the %s field rejects the value %j', (field, value, rule) => {
  const { error } = ForwardedText.safeParse({ ...LINES, signature: SIGNATURE, [field]: value });
  expect(error?.issues.map(({ path, message }) => [path, message])).toEqual([[[field], rule]]);
});

test('a request body that is not an object is rejected', () => {
  expect(ForwardedText.safeParse('text').error?.issues[0]?.message).toBe('must be a JSON object, or a form');
});
