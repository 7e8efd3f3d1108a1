import { beforeEach, expect, test } from 'vitest';
import { confirmation } from '../../../shared/texts/inbox/confirm-keyword.ts';
import {
  type Answer,
  answerRows,
  getThread,
  newestAnswer,
  replyRows,
} from '../../../shared/texts/inbox/inbox.table.ts';
import { presentAnswer } from '../../../shared/texts/inbox/list-answers.ts';
import { hasFourDigits, mayBeShown } from '../../../shared/texts/inbox/may-be-shown.ts';
import { expectCost } from '../../support/cpu.ts';
import { createWorld, type World } from '../../support/world.ts';

const [KOFI, YAA] = ['+233551112223', '+233551112224'];
const NOON_MS = Date.parse('2026-06-15T12:00:00.000Z');
const iso = (ms: number) => new Date(ms).toISOString();

let world: World;
beforeEach(async () => {
  world = await createWorld();
});

test.each([
  ...['I sent GHS 50 to your momo', 'Yes on Saturday', 'Yes', 'Saturday', '🙏', '8 Saturday', '829', 'A48', 'ABCD1'],
  ...['GHS1,500', '2026 is our year', 'Did you get my transfer of GHS 50?'],
  'Please confirm 2 pieces for GHS 40, I will pay the rest tomorrow',
  ...['My number is 0241234567', 'I could not decode it, call 0241234567', 'The pink one is 4829'],
  ...['A pin for 30 cedis, or 2 codes', 'I forgot the password'],
])('a text without a code is shown: %s', (words) => {
  expect(mayBeShown(words)).toBe(true);
});

test.each([
  '',
  ' \n',
  ...['4829', '48.29', '48:29', '4 8 2 9', '4829?', '٤٨٢٩', 'A482', 'ABCDE1', ' K7QF2M9X ', 'K7QF2M9X?!', 'X-829'],
  'The pin is 48 29',
  'The pin is 4-8-2-9',
  'New  balance is low',
])('a text that may contain a code is hidden: %j', (words) => {
  expect(mayBeShown(words)).toBe(false);
});

test.each(['.', '"', "'"])('a text of 60,000 %s is checked at little cost', async (mark) => {
  const check = () => expect(mayBeShown(`${mark.repeat(60_000)} a`)).toBe(true);
  await expectCost(10, check);
});

test.each([
  ...[
    'Ghana Post code GA-183-8164',
    'GhanaPost: GA-183-8164',
    'GhanaPost code GA-183-8164',
    'GA-183-8164',
    'ga-183-8164, blue gate',
    'Bring it to AK-039-5028',
  ],
  ...[
    'My post code is CC-0032-1172',
    'postal code: EN-010-2364',
    'The GPS code is VH-0005-8931',
    'Pin location: GW-0012-7788',
  ],
  'I am located at BS-0041-2200, pin me when you are near',
  'I stay at WS-1203-4456. The code of the gate I tell you on the phone',
  'Digital address GA-492-0071; I have the voucher',
])('a digital address is shown: "%s"', (words) => {
  expect({ mayBeShown: mayBeShown(words), hasFourDigits: hasFourDigits(words) }).toEqual({
    mayBeShown: true,
    hasFourDigits: false,
  });
});

test.each([
  ...['AA-1234-5678 is the token', 'OTP AA-1234-5678', 'The PIN is GA-183-8164', 'your password: Zx-0912-7734'],
  ...['Voucher WX-4410-9921', 'code A7-9912-0043 thanks', 'AA-1234-5678 to log in', 'Activation AB-4821-0093'],
  ...['Verification: K2-555-1290', 'Secret\u200b AA-1234-5678', 'Enter AA-1234-5678 to pay', 'One time AK-881-2203'],
  'Your email address token is AA-1234-5678',
  'Authorise with ＡＡ-１２３４-５６７８',
])('a secret that resembles an address is hidden: %j', (words) => {
  expect({ mayBeShown: mayBeShown(words), hasFourDigits: hasFourDigits(words) }).toEqual({
    mayBeShown: false,
    hasFourDigits: true,
  });
});

test.each([
  ...['login', 'log in', 'log-in', 'signin', 'sign in', 'code', 'codes', 'pin', 'password', 'passcode', 'passwd'],
  ...['otp', 'token', 'verify', 'verification', 'voucher', 'cvv', 'SECRET'],
])('four digits near the word "%s" are hidden', (word) => {
  expect(mayBeShown(`For the ${word} of the shop take 4829`)).toBe(false);
  expect(mayBeShown(`4829: ${word}`)).toBe(false);
});

test.each([
  ['829', false],
  ['My house is 4 and the street 829', true],
  ['٤٨٢٩', true],
  ['❹❽❷❾', true],
  ['four', false],
])('four digits are found in %s: %s', (words, expected) => {
  expect(hasFourDigits(words)).toBe(expected);
});

const OFFERS = 'offers and reminders';
const UNTIL_STOP = `Reply STOP to get no offers or reminders.`;

test.each([
  ['Ama Stores', undefined, 'help', 0, `Ama Stores: For questions reply to this text. ${UNTIL_STOP}`],
  ['Ama Stores', '+233241234567', 'help', undefined, `Ama Stores: For questions call 024 123 4567. ${UNTIL_STOP}`],
  ['Ama Stores', 'ask@ama.example', 'help', 0, `Ama Stores: For questions ask@ama.example. ${UNTIL_STOP}`],
  [
    'Ama Stores',
    undefined,
    'stop',
    1,
    `Ama Stores and 1 more: You will get no more offers or reminders. Reply START to get them again.`,
  ],
  ['\u4f60\u597d', undefined, 'start', 2, `The shop and 2 more: You will get ${OFFERS} again. Reply STOP to end them.`],
] as const)(
  'the confirmation of %s (%s) for %s with %s other shops is "%s"',
  (name, contact, keyword, others, expected) => {
    expect(confirmation({ name, contact }, { keyword, others })).toBe(expected);
  },
);

test('a confirmation fits into one SMS for any shop name', () => {
  const cut = confirmation({ name: 'A'.repeat(200), contact: undefined }, { keyword: 'start', others: 0 });
  expect(cut).toBe(`${'A'.repeat(94)}: You will get offers and reminders again. Reply STOP to end them.`);
});

test('a conversation shows the newest 50 texts from each side, oldest first', async () => {
  const { table } = world.outside;
  const minutes = Array.from({ length: 51 }, (_, n) => n);
  for (const n of minutes) await table.write([answerRows.createOnce(answer(n)), replyRows.create(replyAt(n))]);
  const others = [answerRows.createOnce({ ...answer(60), number: YAA })];
  await table.write([...others, replyRows.create({ ...replyAt(60), merchant_id: 'esi' })]);
  const thread = await getThread(world.outside, 'ama', KOFI);
  const [answers, replies] = [minutes.slice(1).map(answer), minutes.slice(1).map(replyAt)];
  expect(thread).toEqual({ answers, replies, hasMore: true });
  expect(await getThread(world.outside, 'ama', YAA)).toEqual({
    answers: [{ ...answer(60), number: YAA }],
    replies: [],
    hasMore: false,
  });
});

test('replies are listed once each, newest first', async () => {
  const { table } = world.outside;
  const late = { ...answer(1), created_at: iso(NOON_MS + 3_600_000) };
  for (const one of [late, answer(2), answer(3), answer(3)]) await table.write([answerRows.createOnce(one)]);
  await table.write([answerRows.createOnce({ ...answer(4), merchant_id: 'esi' })]);
  const page = { limit: 10, newestFirst: true };
  const { entries } = await answerRows.page(world.outside, { merchant_id: 'ama' }, page);
  expect(entries).toEqual([late, answer(3), answer(2)]);
  expect(await newestAnswer(world.outside, 'ama')).toBe(`${late.created_at}#ans_1`);
  expect(await newestAnswer(world.outside, 'yaa')).toBeUndefined();
});

test('a reply is shown without its merchant', () => {
  const { answer_id, merchant_id, number, expires_at_epoch_seconds, ...shown } = answer(1);
  const more = { id: answer_id, livemode: true, from: number, withheld: null, keyword: null, in_reply_to: null };
  expect(presentAnswer(answer(1))).toEqual({ ...shown, ...more });
  const stop = { ...answer(1), merchant_id: 'ama_test', keyword: 'stop', in_reply_to: 'text' } as const;
  expect(presentAnswer(stop)).toEqual({ ...shown, ...more, livemode: false, keyword: 'stop', in_reply_to: 'text' });
});

/** Returns Kofi's answer `n` minutes after noon. */
function answer(n: number): Answer {
  const at = iso(NOON_MS + n * 60_000);
  return {
    answer_id: `ans_${n}`,
    merchant_id: 'ama',
    number: KOFI,
    to: '+233241234567',
    message: `Text ${n}`,
    received_at: at,
    created_at: at,
    expires_at_epoch_seconds: NOON_MS,
  };
}

function replyAt(n: number) {
  return { merchant_id: 'ama', number: KOFI, send_id: `send-${n}`, created_at: iso(NOON_MS + n * 60_000) };
}
