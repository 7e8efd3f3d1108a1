import { describe, expect, test } from 'vitest';
import type { Sender } from '../../../shared/phones/sender/sender.ts';
import { paidNumber, unplacedNumber } from '../../../shared/wallets/wallet/paid-number.ts';

const [AMA, KOFI, YAA] = ['+233241234567', '+233201234567', '+233541234567'] as const;

/** One phone with two SIMs and another with one SIM. */
const senders = [sender(AMA, 'kiosk', 1), sender(KOFI, 'kiosk', 2), sender(YAA, 'stall', 1)];

describe('a receiving number reported by the phone', () => {
  test.each([
    ['+233241234567', AMA],
    ['233241234567', AMA],
    ['0241234567', AMA],
    ['024 123 4567', AMA],
    ['0201234567', KOFI],
  ])('is parsed from %s as %s on any SIM', (recipient, number) => {
    for (const simNumber of [null, undefined, 1, 2, 3])
      expect(paidNumber(text('kiosk', { recipient, simNumber }), senders)).toBe(number);
  });

  test.each([
    ['another phone', text('stall', { recipient: AMA })],
    ['a phone without numbers', text('new', { recipient: AMA })],
    ['a phone with the same name on another gateway', text('kiosk', { recipient: AMA }, 'spare')],
    ['another phone with one SIM', text('stall', { recipient: AMA, simNumber: 1 })],
  ])('is ignored if %s reports it', (_, event) => {
    expect(paidNumber(event, senders)).toBeUndefined();
    expect(unplacedNumber(event, senders)).toBeUndefined();
  });
});

test('a receiving number registered on no phone is unknown', () => {
  for (const recipient of ['0559999999', '+233559999999', '233559999999']) {
    for (const simNumber of [null, 1, 3]) {
      expect(paidNumber(text('kiosk', { recipient, simNumber }), senders)).toBeUndefined();
      expect(unplacedNumber(text('kiosk', { recipient, simNumber }), senders)).toBe('+233559999999');
    }
  }
  expect(unplacedNumber(text('kiosk', { recipient: '+233001234560' }), senders)).toBeUndefined();
});

describe('the SIM of a received text', () => {
  const twoNetworks = senders.map((one) => (one.number === KOFI ? { ...one, network: 'TELECEL' as const } : one));
  const onlyTelecel = twoNetworks.filter(({ number }) => number === KOFI);

  test.each<[string, string, object, readonly Sender[], string | undefined]>([
    ['not reported if the slot is another network’s', 'MobileMoney', { simNumber: 2 }, twoNetworks, undefined],
    ['the only one of the phone in that case', 'MobileMoney', { simNumber: 2 }, onlyTelecel, KOFI],
    ['the slot’s if the network is the text’s', 'T-CASH', { simNumber: 2 }, twoNetworks, KOFI],
    ['the reported number’s on any network', 'MobileMoney', { recipient: KOFI, simNumber: 2 }, twoNetworks, KOFI],
    ['the slot’s for a person’s text', '+233551112223', { simNumber: 2 }, twoNetworks, KOFI],
  ])('is %s (%s, %j)', (_, from, told, registered, number) => {
    expect(paidNumber(text('kiosk', told, 'phone', from), registered)).toBe(number);
  });
});

describe('a receiving number not reported by the phone', () => {
  test.each([
    ['the SIM’s number', 'kiosk', 1, AMA],
    ['the SIM’s number', 'kiosk', 2, KOFI],
    ['the number of the only SIM', 'stall', 1, YAA],
    ['the phone’s only number if the SIM is not reported', 'stall', null, YAA],
    ['the phone’s only number if the SIM is not reported', 'stall', undefined, YAA],
    ['unknown if one of two SIMs is not reported', 'kiosk', null, undefined],
    ['unknown for an unregistered SIM', 'kiosk', 3, undefined],
    ['unknown for a different SIM', 'stall', 2, undefined],
    ['unknown for a phone without numbers', 'new', 1, undefined],
    ['unknown for a phone without numbers', 'new', null, undefined],
  ])('is %s on the phone %s, SIM %s', (_, device, simNumber, number) => {
    for (const recipient of [undefined, null, '', 'unknown', '+447911123456', '2332412345678'])
      expect(paidNumber(text(device, { recipient, simNumber }), senders)).toBe(number);
  });

  const inStall = text('stall', { simNumber: 1 });
  const testOnly = [sender('+233001234560', 'stall', 1)];
  const paused = senders.map((one) => ({ ...one, enabled: false }));

  test.each([
    ['unknown for a phone on another gateway', text('stall', { simNumber: 1 }, 'spare'), senders, undefined],
    ['unknown if one SIM has two numbers', inStall, [...senders, sender(AMA, 'stall', 1)], undefined],
    ['unknown if the number exists only in test mode', inStall, testOnly, undefined],
    ['found even if the sender is disabled', text('stall', {}), paused, YAA],
  ])('is %s', (_, event, registered, number) => {
    expect(paidNumber(event, registered)).toBe(number);
  });
});

function text(
  deviceId: string,
  told: { recipient?: string | null | undefined; simNumber?: number | null | undefined },
  gateway = 'phone',
  from = 'MobileMoney',
) {
  const payload = { message: '', sender: from, ...told };
  const event = { event: 'sms:received' as const, id: '1', deviceId, payload };
  return { gateway, arrived_at: '2026-01-07T11:00:00.000Z', event };
}

function sender(number: string, device_id: string, sim_number: number): Sender {
  const at = '2026-01-07T11:00:00.000Z';
  const told = { number, network: 'MTN' as const, gateway: 'phone', device_id, sim_number };
  return { ...told, messages_per_hour: 100, enabled: true, created_at: at, in_use_since: at };
}
