import { describe, expect, test } from 'vitest';
import { exampleOf, formOf, isEncrypted, ODD_FAULTS, ODD_REMEDIES } from '../../../shared/phones/gateway/odd-form.ts';
import { openCallback, readCallback, understands } from '../../../shared/phones/gateway/read-callback.ts';

const parsedForm = (value: unknown) => JSON.parse(formOf(value));
const nested = (levels: number): unknown => (levels === 0 ? 'text' : { data: nested(levels - 1) });

describe('the reported structure of an unknown callback', () => {
  test.each([
    ['a text', 'Kofi paid', 'string'],
    ['an encrypted text', '$aes-256-cbc/pbkdf2-sha1$i=300000$c2FsdA==$d29yZHM=', 'encrypted'],
    ['a text that mentions a cipher', 'Use $aes/pbkdf2$ today', 'string'],
    ['a number', 7, 'number'],
    ['a boolean', false, 'boolean'],
    ['null', null, 'null'],
  ])('contains the type of %s instead of the value', (_, value, form) => {
    expect(parsedForm({ message: value })).toEqual({ message: form });
  });

  test('contains only known field names', () => {
    expect(formOf({ sender: 'a', Kofi: 'b', message: 'c', '': 'd' })).toBe(
      '{"?":"string","message":"string","sender":"string"}',
    );
    expect(parsedForm({ webhookId: 'a', address: 'b' })).toEqual({ webhookId: 'string', address: 'string' });
  });

  test('contains the name of a known event', () => {
    expect(parsedForm({ event: 'sms:received', data: 'sms:received' })).toEqual({
      event: 'sms:received',
      data: 'string',
    });
    expect(parsedForm({ event: 'app:started' })).toEqual({ event: 'app:started' });
    expect(parsedForm({ event: 'system:ping' })).toEqual({ event: 'system:ping' });
    expect(parsedForm({ event: 'Kofi paid' })).toEqual({ event: 'string' });
    expect(parsedForm({ event: '' })).toEqual({ event: 'string' });
    expect(parsedForm({ event: 7 })).toEqual({ event: 'number' });
  });

  test('is limited to six levels', () => {
    expect(JSON.stringify(parsedForm(nested(6)))).toMatch(/^(\{"data":){6}"string"\}{6}$/);
    expect(JSON.stringify(parsedForm(nested(7)))).toMatch(/^(\{"data":){6}"more"\}{6}$/);
    expect(JSON.stringify(parsedForm([[[[[[[7]]]]]]]))).toBe('[[[[[["more"]]]]]]');
  });

  test('contains at most three kinds of entry per list', () => {
    expect(parsedForm(['a', 'b', 7, 'c'])).toEqual(['string', 'number']);
    expect(parsedForm(['a', 7, null, true, {}])).toEqual(['string', 'number', 'null']);
  });

  test('contains at most forty fields and entries', () => {
    const messages = Array.from({ length: 30 }, () => ({ message: 'a' }));
    const form = parsedForm({ messages, sender: 'a', to: 'b' });
    // The list and its 30 entries use up the forty fields.
    expect(form).toEqual({ messages: [{ message: 'string' }, 'more'] });
    // A list of 39 entries and its own field use them up, too.
    const texts = Array.from({ length: 39 }, () => 'a');
    expect(parsedForm({ data: texts, sender: 'a' })).toEqual({ data: ['string'] });
    expect(parsedForm({ data: [...texts, 7] })).toEqual({ data: ['string'] });
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`name-${n}`, { id: n }]));
    expect(formOf(many).length).toBeLessThan(1_500);
    expect(parsedForm(Array.from({ length: 60 }, (_, n) => (n < 39 ? 'a' : n === 39 ? 7 : null)))).toEqual([
      'string',
      'number',
    ]);
  });

  test.each(['string', 'encrypted', 'number', 'boolean', 'null'])(
    'has an example with the same structure for %s',
    (kind) => {
      const form = JSON.stringify({ event: 'sms:received', payload: { message: kind } });
      expect(formOf(exampleOf(form))).toBe(form);
    },
  );

  test('has an example text that identifies a wallet', () => {
    expect(exampleOf('{"sender":"string","id":"more"}')).toEqual({ sender: 'MobileMoney', id: null });
    expect(isEncrypted(String(exampleOf('"encrypted"')))).toBe(true);
  });
});

test('each callback fault has a description and a remedy', () => {
  for (const words of [ODD_FAULTS, ODD_REMEDIES]) {
    expect(Object.keys(words)).toEqual(['unknown', 'encrypted', 'not_json', 'repaired', 'two_senders']);
    expect(new Set(Object.values(words).filter((text) => text.length > 8)).size).toBe(5);
  }
});

describe('an MMS callback', () => {
  const known = { messageId: 'a', sender: '+233241234567', body: 'Hello' };

  test.each<[what: string, isUnderstood: boolean, payload: unknown]>([
    ['with known fields', true, known],
    ['with an unknown field', false, { ...known, note: 'Hello' }],
    ['with an object as its message', false, { ...known, message: { note: 'Hello' } }],
    ['with null as its message', true, { ...known, message: null }],
    ['that is a string', false, 'Hello'],
    ['that is empty', true, null],
  ])('%s is accepted: %s', (_, isUnderstood, payload) => {
    const body = JSON.stringify({
      event: 'mms:received',
      id: 'event',
      deviceId: 'device-1',
      webhookId: 'hook',
      payload,
    });
    expect(readCallback(openCallback(body), 'device-1', 'key').odd === undefined).toBe(isUnderstood);
  });

  test('is rejected if one message in a batch is invalid', () => {
    const payload = { messages: [known, { ...known, note: 'Hello' }] };
    const body = JSON.stringify({
      event: 'mms:batch:received',
      id: 'event',
      deviceId: 'device-1',
      webhookId: 'hook',
      payload,
    });
    const { odd } = readCallback(openCallback(body), 'device-1', 'key');
    expect(odd && [odd.fault, understands(odd)]).toEqual(['unknown', false]);
  });

  test('has stricter rules than other events', () => {
    const payload = { note: 'Hello' };
    const body = JSON.stringify({
      event: 'system:ping',
      id: 'event',
      deviceId: 'device-1',
      webhookId: 'hook',
      payload,
    });
    expect(readCallback(openCallback(body), 'device-1', 'key').odd).toBeUndefined();
  });
});
