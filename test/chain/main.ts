import { Command } from 'commander';
import { HOUR_MS } from '../../shared/runtime/values/calendar.ts';
import { wholeNumber } from '../simulation/whole-number.ts';
import {
  scoreBank,
  scoreFirstTexts,
  scoreFlood,
  scoreForgers,
  scoreGuessers,
  scoreInsiders,
  scoreLost,
  scorePatient,
  scorePress,
  scoreReversals,
  scoreShops,
} from './score.ts';

/**
 * `npm run prove -- chains --shops N --runs M --patients P --floods F [--first-seed S]` runs the complete proof of the
 * balance chain. Exits with 1 on a violation.
 */
const { shops, runs, patients, floods, firstSeed } = new Command('chains')
  .description('Simulates wallets whose texts are late, lost, duplicated or forged, and scores their balance chains.')
  .option('--shops <n>', 'how many wallets of 5,000 payments', wholeNumber, 60)
  .option('--runs <n>', 'how many forgers, insiders and lost texts', wholeNumber, 500)
  .option('--patients <n>', 'how many forgers who guess for months', wholeNumber, 500)
  .option('--floods <n>', 'how many wallets for each kind of flood with forged texts', wholeNumber, 6)
  .option('--first-seed <n>', 'the seed of the first run; each later run adds one', wholeNumber, 1)
  .showHelpAfterError('(--help shows how)')
  .parse()
  .opts<{ shops: number; runs: number; patients: number; floods: number; firstSeed: number }>();
const BANKS = [
  { payments: 5000, answersAfterMs: 1_800_000, isForged: false, mostWait: 1.5 },
  { payments: 5000, answersAfterMs: 43_200_000, isForged: false, mostWait: 3 },
  { payments: 5000, answersAfterMs: 1_800_000, isForged: true, mostWait: undefined },
];
const PRESSES = ['right', 'anybody would try', 'misread'] as const;
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
  () => scorePatient({ firstSeed, runs: patients }, { days: 90, texts: 10_000, paymentsADay: 30 }),
  () => scorePatient({ firstSeed, runs: Math.ceil(patients / 25) }, { days: 30, texts: 1000, paymentsADay: 30 }, true),
  ...[3, 10].map((reversalsAMonth) => () => {
    return scorePatient(
      { firstSeed, runs: Math.ceil(patients / 10) },
      { days: 90, texts: 10_000, paymentsADay: 30, reversalsAMonth },
    );
  }),
  ...[0, 3, 10].flatMap((reversalsAMonth) =>
    [0, 1, 6].map((forgedAfterEach) => () => {
      return scoreReversals(
        { firstSeed, runs: floods },
        { reversalsAMonth, forgedAfterEach, answersAfterMs: 1_800_000 },
      );
    }),
  ),
  () => {
    return scoreReversals(
      { firstSeed, runs: floods },
      { reversalsAMonth: 10, forgedAfterEach: 0, answersAfterMs: 43_200_000 },
    );
  },
  () => scoreFirstTexts(many),
  ...[3, 30, 300].flatMap((paymentsADay) =>
    PRESSES.map((pressed) => () => {
      return scorePress({ firstSeed, runs: floods }, { paymentsADay, pressed, answersAfterMs: 1_800_000 });
    }),
  ),
  ...[3, 20].flatMap((forgedADay) =>
    [5 / 60, 1, 12].map((hours) => () => {
      const settings = { paymentsADay: 30, forgedADay, answersAfterMs: hours * HOUR_MS };
      return scoreFlood({ firstSeed, runs: floods }, settings);
    }),
  ),
  ...[0, 20, 300, 2500].flatMap((forgedADay) =>
    [0.5, 12].map((hours) => async () => {
      return scoreFlood({ firstSeed, runs: floods }, { forgedADay, answersAfterMs: hours * HOUR_MS });
    }),
  ),
  ...BANKS.map(
    ({ mostWait, ...settings }) =>
      () =>
        scoreBank({ firstSeed, runs: floods }, settings, mostWait),
  ),
  () => scoreFlood({ firstSeed, runs: floods }, { forgedADay: 0, answersAfterMs: 1_800_000, isEmptied: true }),
];
let isWrong = false;
for (const proof of proofs) {
  const { said, wrong } = await proof();
  console.log([said, ...wrong.map((one) => `WRONG: ${one}`)].join('\n  '));
  isWrong ||= wrong.length > 0;
}
process.exit(isWrong ? 1 : 0);
