import { describe, expect, test } from 'vitest';
import { idOfText } from '../../../shared/phones/gateway/callback.ts';
import { formOf } from '../../../shared/phones/gateway/odd-form.ts';
import { openCallback, readCallback, understands } from '../../../shared/phones/gateway/read-callback.ts';

const WORDS = { message: 'Payment of GHS 36.00', sender: 'MobileMoney' };
const AT = '2026-06-22T15:46:11Z';

const event = (payload: unknown, more: object = {}) =>
  JSON.stringify({ event: 'sms:received', id: 'text-1', deviceId: 'device-1', payload, ...more });
const read = (body: string) => readCallback(openCallback(body), 'device-1', 'key');
const textIn = (payload: object, more?: object) => read(event({ ...WORDS, ...payload }, more)).texts[0];
/** A callback whose app does not escape line feeds. */
const raw = (fields: string, device = 'device-1') =>
  `{"event":"sms:received","id":"text-1","deviceId":"${device}","payload":{"message":"a\nb",${fields}}}`;

describe('a received text', () => {
  test.each<[string, object, object]>([
    ['a SIM with spaces around it', { simNumber: ' sim1 ' }, { simNumber: 1 }],
    ['a time with an offset', { receivedAt: '2026-06-22T15:46:11+01:00' }, { receivedAt: '2026-06-22T15:46:11+01:00' }],
    ['a number that is not a time', { receivedAt: -5 }, {}],
    ['a byte order mark in its text', { message: 'Pay\ufeffment' }, { message: 'Pay\ufeffment' }],
    ['another field that is also named phoneNumber', { sim: { phoneNumber: null } }, {}],
    ['an object in a field that is also named sender', { contact: { sender: { name: 'Ama' } } }, {}],
    ['blank phone numbers in other fields', { sim: { phoneNumber: '' }, device: { phoneNumber: ' ' } }, {}],
    ['the same sender in another field', { contact: { sender: 'mobilemoney ' } }, {}],
    ['a person’s name and number', { sender: 'Ama', phoneNumber: '+233551112222' }, { sender: 'Ama' }],
  ])('is read with %s', (_, given, payload) => {
    expect(textIn(given)?.payload).toEqual({ ...WORDS, ...payload });
  });

  test('keeps an id of up to 512 bytes', () => {
    expect(textIn({}, { id: 'x'.repeat(512) })?.id).toBe('x'.repeat(512));
    expect(textIn({}, { id: 'x'.repeat(513) })?.id).toMatch(/^[0-9a-f]{64}$/);
  });

  test.each<[string, object, string]>([
    ['its number', { recipient: '0241234567', simNumber: 1, receivedAt: AT }, `MobileMoney\n0241234567\n${AT}`],
    ['its SIM if it has no number', { simNumber: 1, receivedAt: AT }, `MobileMoney\n1\n${AT}`],
  ])('without an id gets one from its sender, time, words and %s', (_, payload, lines) => {
    expect(textIn(payload, { id: undefined })?.id).toBe(idOfText('key', `${lines}\n${WORDS.message}`));
  });
});

describe('a callback with unescaped line feeds', () => {
  test('is accepted', () => {
    const { texts, odd } = read(raw('"sender":"Mobile\ufeffMoney"'));
    expect(texts).toMatchObject([{ payload: { message: 'a\nb', sender: 'Mobile\ufeffMoney' } }]);
    expect(odd?.fault).toBe('repaired');
  });

  test('is accepted without the fields that its text may have added', () => {
    const added = `"recipient":"0241234567","simNumber":1,"receivedAt":"${AT}"`;
    expect(read(raw(`${added},"sender":"MobileMoney"`)).texts[0]?.payload).toEqual({ ...WORDS, message: 'a\nb' });
    const after = read(raw(`"sender":"MobileMoney",${added}`)).texts[0]?.payload;
    expect(after).toMatchObject({ recipient: '0241234567', simNumber: 1, receivedAt: AT });
  });

  test.each([
    ['names another phone', raw('"sender":"MobileMoney"', 'device-2')],
    ['has no sender', raw('"simNumber":1')],
  ])('is not read if it %s', (_, body) => {
    expect(read(body)).toMatchObject({ texts: [], odd: { fault: 'not_json' } });
  });
});

describe('a callback that contains no text', () => {
  test.each(['mms:downloaded', 'mms:batch:received', 'mms:batch:downloaded', 'sms:batch:data-received'])(
    'is understood if its event is %s',
    (name) => {
      expect(read(event({ messageId: 'a' }, { event: name }))).toEqual({ name, texts: [] });
    },
  );

  test.each(['body', 'message', 'subject', 'text', 'textMessage'])(
    'is understood if only the words in its field %s name a wallet',
    (field) => {
      expect(read(event({ [field]: 'MobileMoney' }, { event: 'system:ping' })).odd).toBeUndefined();
      expect(read(event({ [field]: { from: 'MobileMoney' } }, { event: 'system:ping' })).odd?.fault).toBe('unknown');
    },
  );
});

describe('a callback that is not understood', () => {
  test.each<[string, string, fault: string]>([
    ['has no event', '{"deviceId":"device-1"}', 'unknown'],
    ['has no payload', event(null), 'unknown'],
    ['contains texts in another kind of event', event({ messages: [WORDS] }, { event: 'sms:other' }), 'unknown'],
    ['has two senders, one of them a wallet', event({ ...WORDS, phoneNumber: '+233551112222' }), 'two_senders'],
    ['has a different sender outside its payload', event(WORDS, { phoneNumber: '+233551112222' }), 'two_senders'],
  ])('is reported if it %s', (_, body, fault) => {
    expect(read(body)).toMatchObject({ texts: [], odd: { fault } });
  });

  test('is reported without a structure if it is not JSON', () => {
    expect(read('hello').odd).toEqual({ fault: 'not_json', form: '"not JSON"' });
  });

  test.each([
    ['outside its payload', event(WORDS, { device: { phoneNumber: '+233551112222' } })],
    ['as a number', event(WORDS, { phoneNumber: 233551112222 })],
    ['within its payload', event({ ...WORDS, phoneNumber: '+233551112222' })],
  ])('keeps its structure for a later release if it names a second sender %s', (_, body) => {
    const { odd } = read(body);
    expect(odd).toEqual({ fault: 'two_senders', form: formOf(JSON.parse(body)) });
    expect(odd && understands(odd)).toBe(false);
  });

  test('counts as understood if a later release can read it despite unknown fields', () => {
    const form = formOf({ ...JSON.parse(event(WORDS)), version: 'string' });
    expect(understands({ fault: 'unknown', form })).toBe(true);
  });
});
