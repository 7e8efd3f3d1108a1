import { InvalidArgumentError } from 'commander';
import { describe, expect, test } from 'vitest';
import {
  balanceLimit,
  momoAccount,
  network,
  phoneNumber,
  positiveInteger,
  settingOption,
  wholeNumber,
} from '../../../infra/admin/options.ts';
import { Network } from '../../../shared/ghana/network.ts';
import { settings } from '../../../shared/operations/settings/settings.ts';

const contact = settingOption(settings.contact).parse;

describe('a phone number option', () => {
  test('converts the number to international format', () => {
    expect(phoneNumber('024 123 4567')).toBe('+233241234567');
  });

  test.each(['', '24', 'random', '+44 20 7946 0000'])('rejects %j', (written) => {
    expect(() => phoneNumber(written)).toThrow(InvalidArgumentError);
  });
});

describe('a network option', () => {
  test.each(['MTN', 'mtn', 'Telecel', 'AT'])('accepts the %s network', (written) => {
    expect(network(written)).toBe(written.toUpperCase());
  });

  test.each(['', 'Vodafone', 'MTN '])('rejects %j and lists the networks', (written) => {
    expect(() => network(written)).toThrow(new InvalidArgumentError(`Use one of ${Network.options.join(', ')}.`));
  });
});

describe('a MoMo account option', () => {
  test('accepts a number, a network and an account name', () => {
    expect(momoAccount('0241234567:mtn: AMA: STORES ', undefined)).toEqual([
      { number: '+233241234567', network: 'MTN', account_name: 'AMA: STORES' },
    ]);
  });

  test('can be repeated', () => {
    const first = momoAccount('0241234567:MTN:AMA STORES', undefined);
    const both = momoAccount('0201234567:TELECEL:AMA STORES', first);
    expect(both.map(({ number }) => number)).toEqual(['+233241234567', '+233201234567']);
    expect(first).toHaveLength(1);
  });

  test.each([
    '',
    '0241234567',
    '0241234567:MTN',
    '0241234567:MTN:',
    '0241234567:MTN:  ',
    ':MTN:AMA',
    '0241234567::AMA',
  ])('rejects %j and shows an example', (written) => {
    expect(() => momoAccount(written, undefined)).toThrow('Use the format NUMBER:NETWORK:ACCOUNT_NAME, for example');
  });

  test.each(['024:MTN:AMA', '0241234567:VODA:AMA'])('rejects an unknown number or network: %j', (written) => {
    expect(() => momoAccount(written, undefined)).toThrow(InvalidArgumentError);
  });
});

describe('a contact option', () => {
  test.each([
    ['024 123 4567', '+233241234567'],
    ['0302123456', '+233302123456'],
    [' ama@shop.example.com ', 'ama@shop.example.com'],
    ['https://wa.me/233241234567', 'https://wa.me/233241234567'],
    ['wa.me/+233241234567/?text=Hello', 'https://wa.me/233241234567'],
    ['https://WA.me/0241234567', 'https://wa.me/233241234567'],
    ['https://wa.me/447911123456', 'https://wa.me/447911123456'],
    ['None', null],
  ])('stores %j as %j', (written, stored) => {
    expect(contact(written)).toBe(stored);
  });

  test.each([
    ...['', '0241', '+44 20 7946 0000', 'ama@', 'ama@shop', 'javascript:alert(1)', 'https://shop.example.com/help'],
    ...['https://wa.me/', 'https://wa.me/0241', 'https://wa.me/message/ABCDEF'],
    ...['https://wa.me.example.com/233241234567', `${'a'.repeat(250)}@shop.example.com`],
  ])('rejects %j and shows an example of each kind', (written) => {
    expect(() => contact(written)).toThrow(/0241234567.*e-mail address.*https:\/\/wa\.me\/233241234567/);
  });
});

describe('a wallet limit option', () => {
  test.each([
    ['5000', undefined, 5_000_00],
    ['0241234567:40000', '+233241234567', 40_000_00],
    [' 75000 ', undefined, 75_000_00],
    ['unknown', undefined, undefined],
    ['+233241234567:unknown', '+233241234567', undefined],
  ])('accepts %j', (written, number, limit_pesewas) => {
    expect(balanceLimit(written)).toEqual({ number, limit_pesewas });
  });

  test.each(['', '0', '6000', '5000.00', '5,000', '0241234567', '0241234567:', ':5000'])('rejects %j', (written) => {
    expect(() => balanceLimit(written)).toThrow('Enter 5000, 40000, 75000 or unknown');
  });

  test('rejects everything except an amount', () => {
    expect(() => balanceLimit('024:5000')).toThrow(InvalidArgumentError);
  });
});

describe('an integer option', () => {
  test.each([
    ['1', 1],
    ['007', 7],
    [' 1000000', 1_000_000],
  ])('accepts %s', (written, number) => {
    expect(positiveInteger(written)).toBe(number);
  });

  test.each(['', '0', '-1', '1.5', '1e3', 'ten', '0x10', '1000001', '9007199254740993'])('rejects %j', (written) => {
    const message = 'It must be a whole number from 1 to 1000000.';
    expect(() => positiveInteger(written)).toThrow(new InvalidArgumentError(message));
  });

  test('accepts 0 only if 0 is meaningful', () => {
    expect(wholeNumber('0')).toBe(0);
    expect(() => wholeNumber('-1')).toThrow(new InvalidArgumentError('It must be a whole number from 0 to 1000000.'));
  });
});
