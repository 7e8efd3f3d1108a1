import { expect, test } from 'vitest';
import { readWalletText } from '../../../../shared/ghana/wallet-text/read-wallet-text.ts';
import { needsProof } from '../../../../shared/ghana/wallet-text/reading.ts';
import { lazy } from '../../../../shared/runtime/values/lazy.ts';
import { type Sample, samples } from '../../../support/wallet-texts.ts';
import { wrongFields } from './wrong-fields.ts';

// Networks change their wording without notice. A changed sample may be left unread or stored without its digits, but
// must
// never be misread.

type Change = (words: string) => string;

const changes: Readonly<Record<string, Readonly<Record<string, Change>>>> = {
  space: {
    'single for double': (words) => words.replace(/ {2,}/g, ' '),
    'double for single': (words) => words.replaceAll(' ', '  '),
    'line breaks between sentences': (words) => words.replace(/\. (?=[A-Z])/g, '.\r\n'),
    'none after punctuation': (words) => words.replace(/([.,:]) +/g, '$1'),
    'non-breaking': (words) => words.replaceAll(' ', '\u00a0'),
  },
  punctuation: {
    'no colons': (words) => words.replaceAll(':', ''),
    'no full stops after words': (words) => words.replace(/\.(?= |$)/g, ''),
    'commas for full stops': (words) => words.replace(/\. /g, ', '),
    'two full stops': (words) => words.replace(/\. /g, '.. '),
    'semicolons for colons': (words) => words.replaceAll(':', ';'),
    'no dashes': (words) => words.replaceAll(' - ', ' '),
  },
  case: {
    capitals: (words) => words.toUpperCase(),
    'small letters': (words) => words.toLowerCase(),
  },
  currency: {
    behind: (words) => words.replace(/GHS ?([\d,]+(?:\.\d+)?)/g, '$1 GHS'),
    spaced: (words) => words.replace(/GHS(?=\d)/g, 'GHS '),
    'not spaced': (words) => words.replace(/GHS (?=\d)/g, 'GHS'),
    cedi: (words) => words.replaceAll('GHS', 'GH¢'),
    none: (words) => words.replace(/GHS ?/g, ''),
    'with thousands': (words) => words.replace(/(GHS ?\d)(\d{3}\.)/g, '$1,$2'),
  },
  id: {
    'one more digit': (words) => words.replace(/\b(\d{11}|\d{16})\b/g, '1$1'),
    'three more digits': (words) => words.replace(/\b(\d{11}|\d{16})\b/g, '123$1'),
    'a leading letter': (words) => words.replace(/\b(\d{11}|\d{16})\b/g, 'A$1'),
  },
  label: {
    id: (words) => words.replace(/Transaction I[Dd]/g, 'Txn No'),
    balance: (words) => words.replace(/balance/gi, 'Funds'),
    'current balance': (words) => words.replace(/Current Balance/g, 'Ledger Balance'),
    'available balance': (words) => words.replace(/Available Balance/g, 'Usable Balance'),
    fee: (words) => words.replace(/Fee (?:charged|was)|TRANSACTION FEE/gi, 'Service cost'),
    tax: (words) => words.replace(/Tax (?:charged|was)|E-levy charge is/gi, 'Duty'),
    reference: (words) => words.replace(/Ref(?:erence)?:/g, 'Note:'),
    'one more amount': (words) => words.replace(/(?<=Transaction I[Dd]: \d{11}\.)/g, ' Commission: GHS 0.10.'),
  },
  advert: Object.fromEntries(
    [
      ' Dial *170# to win an iPhone.',
      ' Download the MoMo App for a Faster & Easier Experience. Click here: https://bit.ly/downloadMyMoMo',
      '\nStay alert. Never share your PIN or OTP with anyone or click unknown links.',
      'Enjoy 50% bonus on all bundles!',
      '. Y’ello! Save with us, borrow with us. Visit www.example.com',
      ' Get GHS 5.00 free when you invite a friend. Reference: FRIEND',
      ...[' Be careful: MTN never asks for your PIN.', '. Your loan of GHS 20.00 is due.', ' Thank you.'],
      '. Telecel Cash. Making life easy.',
    ].map((advert) => [advert, (words: string) => words + advert]),
  ),
};

const outcomes = lazy(() =>
  Object.entries(changes).flatMap(([way, each]) =>
    Object.entries(each).flatMap(([how, change]) => samples.map((sample) => outcome(way, how, change, sample))),
  ),
);

test.each(Object.keys(changes))('no text is parsed incorrectly if its %s changes', (way) => {
  expect(outcomes().filter((each) => each.way === way && each.wrong.length > 0)).toEqual([]);
});

test('an unparsed text is rarely mistaken for a secret', () => {
  const secret = outcomes().filter(({ kind }) => kind === 'secret');
  expect(secret.length / outcomes().length).toBeLessThan(0.01);
});

/** Percentage of correct readings when this test was written. All other texts are unread and checked by a person. */
test.each([
  ['space', 99],
  ['punctuation', 37],
  ['case', 100],
  ['currency', 66],
  ['id', 61],
  ['label', 25],
  ['advert', 69],
])('some texts are still parsed if their %s changes: at least %d of 100', (way, leastPercent) => {
  const ofWay = outcomes().filter((each) => each.way === way);
  const right = ofWay.filter(({ isRight }) => isRight).length;
  expect((100 * right) / ofWay.length).toBeGreaterThanOrEqual(leastPercent);
});

function outcome(way: string, how: string, change: Change, { sender, text, expect: expected }: Sample) {
  const changed = change(text);
  const reading = readWalletText(sender, changed);
  const isRight = !['unread', 'secret', 'unclear'].includes(reading.kind);
  // An advert changes only the text around the payer's words. All other changes affect those words too.
  const changeWords = (words?: string | null) =>
    words === undefined || words === null || way === 'advert' ? words : change(words);
  const changedFields = {
    ...expected,
    name: changeWords(expected.name)?.replace(/\s+/g, ' ').trim(),
    reference: changeWords(expected.reference),
    transaction_id: changeWords(expected.transaction_id) ?? undefined,
  };
  const fields = isRight ? wrongFields({ expect: changedFields }, reading) : [];
  // An unknown advert or label may end up in a reference or replace a fee. The balance then disproves a wrong fee.
  const wrong = needsProof(reading) ? fields.filter((field) => !/^(?:reference|charges) /.test(field)) : fields;
  return { way, how, changed, kind: reading.kind, isRight: isRight && wrong.length === 0, wrong };
}
