import { expect } from 'vitest';
import { reportFigure } from '../support/figures.ts';
import { rotatingTest } from '../support/rotating-test.ts';
import { missesOfCounter, playCounter, sayCounter } from './rounds/counter.ts';
import { playDay, sayScore } from './rounds/day.ts';
import { playKnownWalletForgers, sayKnownWallet } from './rounds/known-wallet.ts';
import {
  missesOfNewWallet,
  playFirstWeeks,
  playNewWalletForgers,
  sayFirstWeeks,
  sayNewWallet,
} from './rounds/new-wallet.ts';
import { missesOf, playPhoneHour, sayPhoneHour } from './rounds/phone-hour.ts';
import { missesOfReversals, playReversals, sayReversals } from './rounds/reversals.ts';

const test = rotatingTest(9);

const SEED = 1;
const CUSTOMERS = 300;
const PAYERS = 12;
/** In percent. Above this share, a shop would do by hand what software should do. */
const MAX_WAITING = 5;

test('on a day in a shop, no attacker gets goods and few honest customers must wait for a person', async () => {
  const score = await playDay(SEED, CUSTOMERS);
  reportFigure(`rounds: ${sayScore(score)}`);
  expect(score.goodsOfAttackers).toEqual([]);
  expect(score.goodsByOthersMoney).toEqual([]);
  expect((100 * score.waitsForAPerson) / score.customers).toBeLessThanOrEqual(MAX_WAITING);
});

test('a phone that was offline for an hour forwards payments first, within a minute', async () => {
  const hour = await playPhoneHour({ seed: SEED, trouble: 'offline' });
  reportFigure(`rounds: ${sayPhoneHour(hour)}`);
  expect(missesOf(hour)).toEqual([]);
});

test('a payment waits longer if the phone also sends a report for each earlier text', async () => {
  const events = ['sms:received', 'sms:sent', 'sms:delivered', 'system:ping'];
  const hour = await playPhoneHour({ seed: SEED, trouble: 'offline', events });
  expect(missesOf(hour)).toContainEqual(expect.stringMatching(/^a payment after more than/));
});

test('a shop is notified of each reversal within a minute, even if only the balance shows it', async () => {
  const score = await playReversals(SEED, PAYERS);
  reportFigure(`rounds: ${sayReversals(score)}`);
  expect(missesOfReversals(score)).toEqual([]);
});

test('forgers at the counter of a shop with a new wallet gain no more than the daily limit', async () => {
  const score = await playNewWalletForgers(SEED);
  reportFigure(`rounds: ${sayNewWallet(score)}`);
  expect(missesOfNewWallet(score)).toEqual([]);
});

test('a forged payment above the single limit is not accepted even if its balance is correct', async () => {
  const tapped = await playKnownWalletForgers();
  reportFigure(`rounds: ${sayKnownWallet(tapped)}`);
  expect(tapped).toEqual([]);
});

test('in a shop’s first five weeks, honest payments wait only if they exceed the single limit', async () => {
  const weeks = await playFirstWeeks(SEED, 30);
  reportFigure(`rounds: ${sayFirstWeeks(weeks)}`);
  expect((100 * weeks.beyondTheDay.length) / weeks.amounts.length).toBeLessThanOrEqual(MAX_WAITING);
});

test('at a counter with one price, forgers stay within the limits and no honest customer is rejected', async () => {
  const score = await playCounter(SEED);
  reportFigure(`rounds: ${sayCounter(score)}`);
  expect(missesOfCounter(score)).toEqual([]);
});
