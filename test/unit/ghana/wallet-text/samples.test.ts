import { describe, expect, test } from 'vitest';
import { Network, networkExamples, networks, networkTexts } from '../../../../shared/ghana/network.ts';
import { readWalletText } from '../../../../shared/ghana/wallet-text/read-wallet-text.ts';
import { fitsOf } from '../../../../shared/ghana/wallet-text/shape.ts';
import { transactionIdIn } from '../../../../shared/money/receipt/typed-transaction-id.ts';
import { checkEach } from '../../../support/check-each.ts';
import { samples } from '../../../support/wallet-texts.ts';
import { wrongFields } from './wrong-fields.ts';

test('a sample is parsed as described', () =>
  checkEach(samples, (sample) => {
    const reading = readWalletText(sample.sender, sample.text);
    expect(reading.kind).toBe(sample.expect.kind);
    expect(wrongFields(sample, reading)).toEqual([]);
  }));

test('every amount is parsed except in bank deposits', () => {
  const withoutAmount = samples.filter(({ sender, text, expect: { amount } }) => {
    const reading = readWalletText(sender, text);
    return amount !== undefined && !('amountPesewas' in reading && reading.amountPesewas !== null);
  });
  expect(withoutAmount.map(({ text }) => text.replace(/\s+/g, ' ').slice(0, 36))).toEqual(
    Array(6).fill('Deposit made to your bank account nu'),
  );
});

describe.each(Network.options)('the samples for %s', (network) => {
  const { senders, isRead, transactionId } = networks[network];
  const texts = networkTexts[network];
  const examples = networkExamples[network];

  test('exist only if the network’s texts are parsed', () => {
    expect({ hasTexts: texts !== undefined, hasExamples: examples !== undefined }).toEqual({
      hasTexts: isRead,
      hasExamples: isRead,
    });
  });

  test('contain ids of the expected length', () => {
    const { digits, pattern, example } = transactionId;
    expect('1'.repeat(digits)).toMatch(new RegExp(`^${pattern}$`));
    if (texts) expect(texts.transactionId).toBe(pattern);
    if (example) expect(transactionIdIn(`${example.before}${example.id}${example.after}`, network)).toBe(example.id);
  });

  if (!texts || !examples) return;
  test('include one for each template', () =>
    checkEach(Object.entries(examples.samples), ([name, { text, seen }]) => {
      const shape = texts.shapes[name];
      expect([...fitsOf(texts, text)].map((one) => one.shape)).toContain(shape);
      expect(readWalletText(senders[0], text)).toMatchObject({ kind: shape?.kind, network });
      expect(seen).toMatch(/^20\d\d-(?:0[1-9]|1[0-2])$/);
    }));

  test('cover every template', () => {
    expect(Object.keys(examples.samples).sort()).toEqual(Object.keys(texts.shapes).sort());
  });
});

test('sender names are unique, ignoring case', () => {
  const senders = Network.options.flatMap((network) => networks[network].senders.map((name) => name.toLowerCase()));
  expect(new Set(senders).size).toBe(senders.length);
});
