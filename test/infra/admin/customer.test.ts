import { describe, expect, test } from 'vitest';
import { mentionOf, mentions, withoutMentions } from '../../../infra/admin/customer.ts';

const number = mentionOf({ phone: '+233207712345' });
const address = mentionOf({ email: 'kofi.mensah@example.com' });

describe('a phone number to erase', () => {
  test.each([
    ...['+233207712345', '233207712345', '00233207712345', '0207712345', '207712345', '020 771 2345'],
    ...['+233 20 771 2345', '+233 (0)20 771 2345', '(020) 771-2345', '020.771.2345', '020–771–2345'],
    ...['tel:%2B233207712345', 'KOFI ,233207712345,1 from VODAFONE', '{"phone":207712345}'],
  ])('is found in %s', (text) => {
    expect(mentions({ deep: [text] }, number)).toBe(true);
    expect(withoutMentions(text, number)).not.toMatch(/771/);
  });

  test.each(['1233207712345', '2077123456', '020771234', '+233207712346', '20:77:12:34:5', 'MK-2077123450'])(
    'is not found in %s',
    (text) => expect(mentions(text, number)).toBe(false),
  );
});

describe('an email address to erase', () => {
  test.each(['Kofi.Mensah@Example.com', 'who=kofi.mensah%40example.com', 'Write to kofi.mensah@example.com.'])(
    'is found in %s',
    (text) => expect(mentions(text, address)).toBe(true),
  );

  test.each([
    ...['a.kofi.mensah@example.com', 'kofi.mensah@example.com.gh', 'kofixmensah@example.com'],
    'kofi+mensah@example.com',
  ])('is not found in %s', (text) => expect(mentions(text, address)).toBe(false));
});

test('erasing a number leaves valid JSON', () => {
  const json = '{"phone": 233207712345, "as_text":"+233 20 771 2345", "order":17}';
  expect(JSON.parse(withoutMentions(json, number))).toEqual({ phone: 0, as_text: '0', order: 17 });
});
