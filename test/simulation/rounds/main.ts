import { Command } from 'commander';
import { wholeNumber } from '../whole-number.ts';
import { missesOfCounter, playCounter, sayCounter } from './counter.ts';
import { playDay, sayScore } from './day.ts';
import { playKnownWalletForgers, sayKnownWallet } from './known-wallet.ts';
import { FORGERS, missesOfNamedWallet, playNamedWallet, sayNamedWallet } from './named-wallet.ts';
import { missesOf, playPhoneHour, sayPhoneHour, troubles } from './phone-hour.ts';
import { missesOfReversals, playReversals, sayReversals } from './reversals.ts';
import {
  DAILY_LIMITS,
  missesOfUnnamedWallet,
  playUnnamedWalletForger,
  playUnnamedWeeks,
  sayUnnamedWallet,
  sayUnnamedWeeks,
} from './unnamed-wallet.ts';

/**
 * `npm run prove -- rounds --days N --customers M [--payers P] [--first-seed S]` simulates days at a shop, and exits
 * with 1 if a thief gets goods beyond the limits, an honest customer gets none, or a report is late.
 */
const { days, customers, payers, forgerDays, sprayed, firstSeed } = new Command('rounds')
  .description('Simulates days at a shop with attackers and honest customers who pay in many ways.')
  .option('--days <n>', 'how many days', wholeNumber, 20)
  .option('--customers <n>', 'how many honest customers per day', wholeNumber, 500)
  .option('--payers <n>', 'how many payers have their payment reversed', wholeNumber, 200)
  .option('--forger-days <n>', 'how many days each forger has after the press', wholeNumber, 30)
  .option('--sprayed <n>', 'how many texts a forger sends before the press', wholeNumber, 4000)
  .option('--first-seed <n>', 'the seed of the first day; each later day adds one', wholeNumber, 1)
  .showHelpAfterError('(--help shows how)')
  .parse()
  .opts<Record<'days' | 'customers' | 'payers' | 'forgerDays' | 'sprayed' | 'firstSeed', number>>();
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
    console.log(sayUnnamedWeeks(await playUnnamedWeeks(firstSeed, paymentsADay, limitPesewas)));
  const unnamed = await playUnnamedWalletForger(firstSeed, limitPesewas);
  const gained = missesOfUnnamedWallet(unnamed);
  losses += gained.length;
  console.log([sayUnnamedWallet(unnamed), ...gained].join(': '));
}
for (const forger of FORGERS) {
  const named = await playNamedWallet({ seed: firstSeed, forger, days: forgerDays, sprayed });
  const gained = missesOfNamedWallet(named);
  losses += gained.length;
  console.log([sayNamedWallet(named), ...gained].join(': '));
}
const tapped = await playKnownWalletForgers();
losses += tapped.length;
console.log(sayKnownWallet(tapped));
const reversals = await playReversals(firstSeed, payers);
const untold = missesOfReversals(reversals);
losses += untold.length;
console.log([sayReversals(reversals), ...untold].join(': '));
process.exit(losses > 0 ? 1 : 0);
