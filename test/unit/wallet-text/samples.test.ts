import { describe, expect, test } from 'vitest';
import { mtn, mtnSamples } from '../../../shared/wallet-text/mtn.ts';
import { NETWORK_TEXTS, readWalletText } from '../../../shared/wallet-text/read-wallet-text.ts';
import { fitShape } from '../../../shared/wallet-text/shape.ts';
import { telecel, telecelSamples } from '../../../shared/wallet-text/telecel.ts';
import { samples } from '../../support/wallet-texts.ts';
import { wrongFields } from './wrong-fields.ts';

test.each(samples)('$expect.kind: $text', (sample) => {
  const reading = readWalletText(sample.sender, sample.text);
  expect(reading.kind).toBe(sample.expect.kind);
  expect(wrongFields(sample, reading)).toEqual([]);
});

test('the amount of a deposit to a bank is not in its text, which is all that is missing of any sample', () => {
  const withoutAmount = samples.filter(({ sender, text, expect: { amount } }) => {
    const reading = readWalletText(sender, text);
    return amount !== undefined && !('amountPesewas' in reading && reading.amountPesewas !== null);
  });
  expect(withoutAmount.map(({ text }) => text.replace(/\s+/g, ' ').slice(0, 36))).toEqual(
    Array(6).fill('Deposit made to your bank account nu'),
  );
});

describe.each([
  [mtn, mtnSamples],
  [telecel, telecelSamples],
])('$network', (texts, samplesOfShapes) => {
  test.each(Object.entries(samplesOfShapes))('the sample of %s has its shape and is read', (name, { text, seen }) => {
    const shape = texts.shapes[name];
    expect(shape && fitShape(texts, shape, text)).toBeDefined();
    expect(readWalletText(texts.senders[0] ?? '', text)).toMatchObject({ kind: shape?.kind, network: texts.network });
    expect(seen).toMatch(/^20\d\d-(?:0[1-9]|1[0-2])$/);
  });

  test('every shape has a sample', () => {
    expect(Object.keys(samplesOfShapes).sort()).toEqual(Object.keys(texts.shapes).sort());
  });
});

test('each sender is one network’s, in small letters', () => {
  const senders = NETWORK_TEXTS.flatMap((texts) => texts.senders);
  expect(new Set(senders).size).toBe(senders.length);
  expect(senders.map((sender) => sender.toLowerCase())).toEqual(senders);
});
