import { expect } from 'vitest';
import { reportFigure } from '../support/figures.ts';
import { rotatingTest } from '../support/rotating-test.ts';
import { missesOfCounter, playCounter, sayCounter } from './rounds/counter.ts';
import { playDay, sayScore } from './rounds/day.ts';
import { playKnownWalletForgers, sayKnownWallet } from './rounds/known-wallet.ts';
import { FORGERS, missesOfNamedWallet, playNamedWallet, sayNamedWallet } from './rounds/named-wallet.ts';
import { missesOf, playPhoneHour, sayPhoneHour } from './rounds/phone-hour.ts';
import { missesOfReversals, playReversals, sayReversals } from './rounds/reversals.ts';
import {
  missesOfUnnamedWallet,
  playUnnamedWalletForger,
  playUnnamedWeeks,
  sayUnnamedWallet,
  sayUnnamedWeeks,
} from './rounds/unnamed-wallet.ts';

const test = rotatingTest(9);

const SEED = 1;
const CUSTOMERS = 300;
const PAYERS = 12;
/** Maximum share of payments that a shop confirms by hand, in percent. */
const MAX_WAITING = 5;

test('attackers in a shop receive no goods', async () => {
  const score = await playDay(SEED, CUSTOMERS);
  reportFigure(`rounds: ${sayScore(score)}`);
  expect(score.goodsOfAttackers).toEqual([]);
  expect(score.goodsByOthersMoney).toEqual([]);
  expect((100 * score.waitsForAPerson) / score.customers).toBeLessThanOrEqual(MAX_WAITING);
});

test('payments settle in time after a phone was offline', async () => {
  const hour = await playPhoneHour({ seed: SEED, trouble: 'offline' });
  reportFigure(`rounds: ${sayPhoneHour(hour)}`);
  expect(missesOf(hour)).toEqual([]);
});

test('payments settle too late if a phone also posts delivery reports', async () => {
  const events = ['sms:received', 'sms:sent', 'sms:delivered', 'system:ping'];
  const hour = await playPhoneHour({ seed: SEED, trouble: 'offline', events });
  expect(missesOf(hour)).toContainEqual(expect.stringMatching(/^a payment after more than/));
});

test('a shop is notified of each reversal within a minute', async () => {
  const score = await playReversals(SEED, PAYERS);
  reportFigure(`rounds: ${sayReversals(score)}`);
  expect(missesOfReversals(score)).toEqual([]);
});

test('a forger at a wallet without a named balance gains at most the daily limit', async () => {
  const score = await playUnnamedWalletForger(SEED);
  reportFigure(`rounds: ${sayUnnamedWallet(score)}`);
  expect(missesOfUnnamedWallet(score)).toEqual([]);
});

test('forgers from the first text on gain nothing, or a young anchor’s sum if they know the balance', async () => {
  for (const forger of FORGERS) {
    const score = await playNamedWallet({ seed: SEED, forger, days: 2, sprayed: 40 });
    reportFigure(`rounds: ${sayNamedWallet(score)}`);
    expect(missesOfNamedWallet(score)).toEqual([]);
  }
});

test('a forged payment above the limit for a single payment is rejected', async () => {
  const tapped = await playKnownWalletForgers();
  reportFigure(`rounds: ${sayKnownWallet(tapped)}`);
  expect(tapped).toEqual([]);
});

test('honest payments at a wallet without a named balance wait only above the limit for each', async () => {
  const weeks = await playUnnamedWeeks(SEED, 30);
  reportFigure(`rounds: ${sayUnnamedWeeks(weeks)}`);
  expect((100 * weeks.beyondTheDay.length) / weeks.amounts.length).toBeLessThanOrEqual(MAX_WAITING);
});

test('forgers stay within the limits at a counter with one price', async () => {
  const score = await playCounter(SEED);
  reportFigure(`rounds: ${sayCounter(score)}`);
  expect(missesOfCounter(score)).toEqual([]);
});
