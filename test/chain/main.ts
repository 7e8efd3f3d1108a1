import { Command } from 'commander';
import { wholeNumber } from '../simulation/whole-number.ts';
import { scoreForgers, scoreGuessers, scoreInsiders, scoreLost, scoreShops } from './score.ts';

/** `npm run chains -- --shops N --runs M [--first-seed S]`: the whole proof of the balance chain. Exit 1 if something must not be. */
const { shops, runs, firstSeed } = new Command('chains')
  .description('Wallets whose texts are late, lost, doubled or forged, and what their balance chains say.')
  .option('--shops <n>', 'how many wallets of 5,000 payments', wholeNumber, 60)
  .option('--runs <n>', 'how many forgers, insiders and lost texts', wholeNumber, 500)
  .option('--first-seed <n>', 'the seed of the first; the others follow', wholeNumber, 1)
  .showHelpAfterError('(--help shows how)')
  .parse()
  .opts<{ shops: number; runs: number; firstSeed: number }>();
const [wallets, many] = [
  { firstSeed, runs: shops },
  { firstSeed, runs },
];
const proofs = [
  () => scoreShops(wallets, 5000, 0),
  () => scoreShops(wallets, 5000, 0.002),
  () => scoreForgers(many, 25),
  () => scoreForgers({ firstSeed, runs: Math.ceil(runs / 10) }, 300),
  () => scoreGuessers(many),
  () => scoreLost(many),
  () => scoreInsiders(many),
];
let isWrong = false;
for (const proof of proofs) {
  const { said, wrong } = await proof();
  console.log([said, ...wrong.map((one) => `WRONG: ${one}`)].join('\n  '));
  isWrong ||= wrong.length > 0;
}
process.exit(isWrong ? 1 : 0);
