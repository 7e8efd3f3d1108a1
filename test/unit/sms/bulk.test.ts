import { describe, expect, test } from 'vitest';
import { BulkRequest } from '../../../shared/texts/bulk/bulk-request.ts';
import { personalTexts } from '../../../shared/texts/bulk/personal-texts.ts';
import { presentAccepted, presentBulk } from '../../../shared/texts/bulk/present-bulk.ts';
import { readRecipients, recipientsOfCsv } from '../../../shared/texts/bulk/read-recipients.ts';
import { resultsOf } from '../../../shared/texts/bulk/results.ts';
import { countFailed } from '../../../shared/texts/bulk/retry-bulk.ts';
import type { SendAndMessages } from '../../../shared/texts/sms/message.table.ts';
import { MAX_SAFE_SEGMENTS } from '../../../shared/texts/sms/segments.ts';
import { messageStates } from '../../../shared/texts/sms/states.ts';
import { expectCost } from '../../support/cpu.ts';

const AMA = { to: '+233551112223', name: 'Ama' };
const KOFI = { to: '+233201112223', name: 'Kofi' };
const EMOJI = '😀';

const textsOf = (message: string, recipients: Record<string, string>[], more: object = {}) =>
  personalTexts(readRecipients(BulkRequest.parse({ message, recipients, ...more })));
const errors = (...all: { field: string; line?: number; message: string }[]) =>
  expect.objectContaining({
    code: 'invalid_request',
    errors: all.map(({ message, ...where }) => ({ ...where, message: expect.stringContaining(message) })),
  });

describe('the texts of a bulk send', () => {
  test('are unchanged unless GSM-7 is requested', () => {
    expect(textsOf('“{name}”', [AMA])).toMatchObject({ message: '“{name}”', words: [['Ama']] });
    expect(textsOf('“{name}”', [AMA], { encoding: 'gsm7' })).toMatchObject({ message: '"{name}"', words: [['Ama']] });
  });

  test('are rejected with the position of a character outside GSM-7', () => {
    const missing = `contains "${EMOJI}", which has no GSM-7 equivalent`;
    const gsm7 = { encoding: 'gsm7' };
    expect(() => textsOf(`{name} ${EMOJI}`, [AMA], gsm7)).toThrow(errors({ field: 'message', message: missing }));
    expect(() => textsOf('{name}', [AMA, { ...KOFI, name: EMOJI }], gsm7)).toThrow(
      errors({ field: 'recipients[1].name', message: missing }),
    );
  });

  test('are rejected if they are too long', () => {
    const message = `makes the text longer than ${MAX_SAFE_SEGMENTS} SMS`;
    const long = 'ɛ'.repeat(67 * MAX_SAFE_SEGMENTS + 1);
    expect(() => textsOf(long, [{ to: AMA.to }])).toThrow(errors({ field: 'message', message }));
    expect(() => textsOf(`{name}${long}`, [AMA])).toThrow(errors({ field: 'recipients[0]', message }));
    expect(textsOf(long.slice(1), [{ to: AMA.to }]).size.segments).toBe(MAX_SAFE_SEGMENTS);
  });

  test('are rejected without being counted if their values make them far too long', async () => {
    const name = '\u0301'.repeat(200);
    const recipients = Array.from({ length: 100 }, () => ({ ...AMA, name }));
    const refuse = () => expect(() => textsOf('{name}'.repeat(166), recipients)).toThrow('longer than');
    await expectCost(5, refuse);
  });

  test('are rejected at little cost if many braces meet many fields', async () => {
    const fields = Array.from({ length: 20_000 }, (_, n) => [`field${n}`, '']);
    const refuse = () =>
      expect(() => textsOf('{}'.repeat(500), [{ ...Object.fromEntries(fields), ...AMA }])).toThrow('placeholder');
    await expectCost(20, refuse);
  });

  test('are rejected with an error for each invalid row', () => {
    const named = (count: number) => {
      try {
        textsOf(
          '{name}',
          Array.from({ length: count }, () => ({ to: AMA.to })),
        );
      } catch (error) {
        return Object(error).errors.length;
      }
    };
    expect([1, 150].map(named)).toEqual([1, 150]);
    const { to, words, merged } = textsOf('{name}', [AMA, KOFI, { ...AMA, unused: 'x' }]);
    expect({ to, words, merged }).toEqual({ to: [AMA.to, KOFI.to], words: [['Ama'], ['Kofi']], merged: 1 });
  });
});

describe('a misspelt placeholder', () => {
  const csv = 'to,First Name,order\n0551112223,Ama,7';

  test.each([
    ['Hi {First Name}, come', '{First Name}', '{first_name}'],
    ['Hi { order }', '{ order }', '{order}'],
    ['Hi {{order}}', '{{order}}', '{order}'],
    ['Hi [order]', '[order]', '{order}'],
    ['Hi %order%', '%order%', '{order}'],
    ['Hi <First name>', '<First name>', '{first_name}'],
    ['Hi {order', '{', '{name}'],
    ['Hi {}', '{}', '{name}'],
  ])('is rejected with a suggestion: %s', (message, written, meant) => {
    const texts = (more: object = {}) => personalTexts(readRecipients(BulkRequest.parse({ message, csv, ...more })));
    expect(() => texts()).toThrow(
      errors({ field: 'message', message: `contains ${written}, which is not a placeholder: write` }),
    );
    expect(() => texts()).toThrow(meant);
    expect(texts({ allow_braces: true }).to).toHaveLength(1);
  });

  test.each([
    ...['Sale: 20% off, 50% on bread', 'Call [0241234567]', '<3 to {order}', 'a {order}{order} b'],
    'Open 8 [to] 5',
  ])('is not found in %s', (message) => {
    expect(personalTexts(readRecipients(BulkRequest.parse({ message, csv }))).to).toHaveLength(1);
  });

  test.each(['#N/A', '#REF!', '#VALUE!', '#NAME?', '#DIV/0!', 'Err:502'])(
    'is not reported for the spreadsheet error %s',
    (cell) => {
      const message = `is ${cell}, a spreadsheet error`;
      expect(() => textsOf('{name}', [AMA, { ...KOFI, name: cell }])).toThrow(
        errors({ field: 'recipients[1].name', message }),
      );
    },
  );

  test('is not reported for a value that only contains a spreadsheet error', () => {
    expect(
      textsOf('{name}', [
        { ...AMA, name: 'Bag #N/A' },
        { ...KOFI, name: '#N/A bag' },
      ]).to,
    ).toHaveLength(2);
  });
});

describe('the recipients of a bulk send', () => {
  test('must be given as a list or as a file', () => {
    const read = (more: object) => () => readRecipients(BulkRequest.parse({ message: 'Hello', ...more }));
    const field = 'csv';
    expect(read({ recipients: [AMA], csv: 'to' })).toThrow(
      errors({ field, message: 'cannot be combined with recipients' }),
    );
    expect(read({})).toThrow(errors({ field: 'recipients', message: 'is missing. Send a list' }));
    for (const [body, message] of [
      [{ recipients: 7 }, 'must be a list'],
      [{ recipients: ['0551112223'] }, 'must be an object with the number as "to"'],
      [{ csv: 7 }, 'must be the text of a CSV file'],
    ] as const) {
      const { error } = BulkRequest.safeParse({ message: 'Hello', ...body });
      expect(error?.issues.map((one) => one.message)).toEqual([message]);
    }
  });

  test.each(['to', 'number', 'phone', 'phone_number', 'mobile', 'Phone number'])(
    'can be in a column named %s',
    (column) => {
      const { all } = recipientsOfCsv(`name,${column}\nAma,0551112223\n`, 'file', 'Hello');
      expect(all).toEqual([{ to: AMA.to }]);
    },
  );

  test('are read from the column with the exact name', () => {
    const csv = 'to,NAME,name,Order - no\n0551112223,no,Ama,7\n';
    expect(recipientsOfCsv(csv, 'file', '{name} {Order_no}').all).toEqual([{ ...AMA, Order_no: '7' }]);
  });

  test('are limited to a thousand per file', () => {
    const lines = (count: number, line = '0551112223') => `to\n${`${line}\n`.repeat(count)}`;
    expect(recipientsOfCsv(lines(1_000), 'file', 'Hello').all).toHaveLength(1_000);
    for (const file of [lines(1_001), lines(150_000, '1')])
      expect(() => recipientsOfCsv(file, 'file', 'Hello')).toThrow(
        errors({ field: 'file', message: 'has more than 1000 recipients' }),
      );
    expect(() => recipientsOfCsv(lines(150, '12'), 'file', 'Hello')).toThrow(
      errors(...Array.from({ length: 150 }, (_, n) => ({ field: 'file', line: n + 2, message: '"12"' }))),
    );
    const { errorAt } = recipientsOfCsv(lines(1), 'file', 'Hello');
    expect([undefined, 'to', 'name'].map((name) => errorAt(0, name, 'is bad'))).toEqual([
      { field: 'file', line: 2, message: 'is bad' },
      { field: 'file', line: 2, message: 'is bad' },
      { field: 'file', line: 2, message: 'name is bad' },
    ]);
  });
});

describe('a bulk send with texts in every state', () => {
  const created_at = '2026-06-15T12:00:00.000Z';
  const to = messageStates.map((_, n) => `+23355111222${n}`);
  const send = {
    send_id: '019a9f6e-4b1c-7d3a-9c52-1f0e8a6b4d00',
    merchant_id: 'shop',
    from: '+233241234567',
    to,
    message: 'Hello',
    created_at,
  };
  const messages = messageStates.map((state, index) => ({ send_id: send.send_id, index, state, created_at }));
  const sends: SendAndMessages[] = [{ send, messages } as unknown as SendAndMessages];

  test('counts each text under one state', () => {
    expect(Object.values(presentBulk(sends, undefined).progress)).toEqual(messageStates.map(() => 1));
  });

  test('has one result line per text', () => {
    expect(countFailed(sends)).toBe(1);
    const { texts, columns } = resultsOf(sends);
    expect(texts.map((one) => columns.status?.(one))).toEqual([...messageStates]);
  });

  test('has the times of each text in its result line', () => {
    const times = { sent_at: '2026-06-15T12:01:00.000Z', delivered_at: '2026-06-15T12:02:00.000Z' };
    const timed = [{ send, messages: [{ ...messages[0], ...times }] }] as unknown as SendAndMessages[];
    const { texts, columns } = resultsOf(timed);
    expect(texts.map((one) => [columns.sent_at?.(one), columns.delivered_at?.(one)])).toEqual([Object.values(times)]);
  });

  test('has empty result cells for erased texts', () => {
    for (const words of [undefined, []]) {
      const erased = [{ send: { ...send, message: '{name}', words }, messages }] as unknown as SendAndMessages[];
      const { texts, columns } = resultsOf(erased);
      expect(texts.map((one) => columns['{name}']?.(one))).toEqual(messageStates.map(() => undefined));
      expect(Object.keys(columns).at(-1)).toBe('{name}');
    }
  });

  test('cannot be shown without its sends', () => {
    const accepted = { parts: [], texts: textsOf('Hello', [AMA]), endsMs: 0, writes: [] };
    for (const present of [() => presentBulk([], undefined), () => presentAccepted(accepted)])
      expect(present).toThrow('The bulk send has no sends');
    const { texts, columns } = resultsOf([]);
    expect(texts).toEqual([]);
    expect(Object.keys(columns)).toEqual(['id', 'to', 'status', 'failure_reason', 'sent_at', 'delivered_at']);
  });
});
