import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sampleOfText } from '../../../shared/money/receipt/sample-of-text.ts';

test('a sample masks names, numbers, ids and amounts', () => {
  const text =
    'Payment received for GHS 1,236.50 from KOFI Mensah-Osei Current Balance: GHS 512.20. Reference: kente for Ama. Transaction ID: 62841953770. Fee 0.';
  const sample = sampleOfText(text);
  expect(sample).toMatch(
    /^Payment received for GHS \d,\d{3}\.\d\d from [A-Z]+ [A-Z][a-z]+ Current Balance: GHS \d{3}\.\d\d\. Reference: [a-z]+ for [A-Z][a-z]+\. Transaction ID: \d{11}\. Fee \d\.$/,
  );
  for (const own of ['236', '512', '62841953770', 'KOFI', 'Mensah', 'Osei', 'kente', 'Ama.'])
    expect(sample).not.toContain(own);
});

test('a sample masks equal words identically', () => {
  const text = 'KOFI paid 0551112223. Thank KOFI at 0551112223';
  const [first, second] = [sampleOfText(text), sampleOfText(text)];
  expect(first).toBe(second);
  expect(first).toMatch(/^([A-Z]+) paid (\d{10})\. [A-Z][a-z]+ \1 at \2$/);
});

test('two texts with the same template have the same sample', () => {
  expect(sampleOfText('from KOFI MENSAH 0551112223')).toBe(sampleOfText('from ESI AMOAKO 0209999999'));
});

test('a sample contains no names in other scripts', () => {
  const sample = sampleOfText('from Ɛsi Ɔkyere ama@example.org https://wa.me/233551112223?x=1');
  expect(sample).not.toMatch(/Ɛsi|Ɔkyere|ama@|233551112223/);
});

test('a sample contains no number in digits of another script', () => {
  expect(sampleOfText('Ref ０５５１１１２２２３ ٠٥٥١ ½')).toMatch(/^Ref [1-9]{10} [1-9]{4} [1-9]$/);
});

test('a sample contains no long number from any known text', () => {
  const known = readFileSync('test/fixtures/receipts.json', 'utf8');
  const runs = new Set(known.match(/\d{6,}/g));
  expect(runs.size).toBeGreaterThan(10);
  const kept = [...(sampleOfText(known).match(/\d{6,}/g) ?? [])].filter((run) => runs.has(run));
  expect(kept).toEqual([]);
});
