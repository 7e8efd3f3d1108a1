import { Command } from 'commander';
import { wholeNumber } from '../whole-number.ts';
import { missesOfCounter, playCounter, sayCounter } from './counter.ts';
import { playDay, sayScore } from './day.ts';
import { playKnownWalletForgers, sayKnownWallet } from './known-wallet.ts';
import {
  DAILY_LIMITS,
  missesOfNewWallet,
  playFirstWeeks,
  playNewWalletForgers,
  sayFirstWeeks,
  sayNewWallet,
} from './new-wallet.ts';
import { missesOf, playPhoneHour, sayPhoneHour, troubles } from './phone-hour.ts';
import { missesOfReversals, playReversals, sayReversals } from './reversals.ts';

/**
 * `npm run prove -- rounds --days N --customers M [--payers P] [--first-seed S]` simulates days at a shop, and exits
 * with 1 if a thief gets goods beyond the limits, an honest customer gets none, or a report is late.
 */
const { days, customers, payers, firstSeed } = new Command('rounds')
  .description('Simulates days at a shop with attackers and honest customers who pay in many ways.')
  .option('--days <n>', 'how many days', wholeNumber, 20)
  .option('--customers <n>', 'how many honest customers per day', wholeNumber, 500)
  .option('--payers <n>', 'how many payers have their payment reversed', wholeNumber, 200)
  .option('--first-seed <n>', 'the seed of the first day; each later day adds one', wholeNumber, 1)
  .showHelpAfterError('(--help shows how)')
  .parse()
  .opts<{ days: number; customers: number; payers: number; firstSeed: number }>();
let losses = 0;
for (let seed = firstSeed; seed < firstSeed + days; seed++) {
  const score = await playDay(seed, customers);
  const wrong = [...score.goodsOfAttackers, ...score.goodsByOthersMoney];
  losses += wrong.length;
  console.log([`seed ${seed}`, sayScore(score), ...wrong].join(': '));
  const counter = await playCounter(seed);
  const gained = missesOfCounter(counter);
  losses += gained.length;
  console.log([`seed ${seed}`, sayCounter(counter), ...gained].join(': '));
}
for (const trouble of troubles) {
  const hour = await playPhoneHour({ seed: firstSeed, trouble });
  const misses = missesOf(hour);
  losses += misses.length;
  console.log([sayPhoneHour(hour), ...misses].join(': '));
}
for (const limitPesewas of DAILY_LIMITS) {
  for (const paymentsADay of [10, 30, 60])
    console.log(sayFirstWeeks(await playFirstWeeks(firstSeed, paymentsADay, limitPesewas)));
  const newWallet = await playNewWalletForgers(firstSeed, limitPesewas);
  const gained = missesOfNewWallet(newWallet);
  losses += gained.length;
  console.log([sayNewWallet(newWallet), ...gained].join(': '));
}
const tapped = await playKnownWalletForgers();
losses += tapped.length;
console.log(sayKnownWallet(tapped));
const reversals = await playReversals(firstSeed, payers);
const untold = missesOfReversals(reversals);
losses += untold.length;
console.log([sayReversals(reversals), ...untold].join(': '));
process.exit(losses > 0 ? 1 : 0);
