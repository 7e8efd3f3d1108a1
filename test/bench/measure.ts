import { performance } from 'node:perf_hooks';
import { isDoubtful } from './figure.ts';

/** Prepares and returns a call. The preparation is not measured. */
export type Prepare = () => (() => Promise<unknown>) | Promise<() => Promise<unknown>>;

export interface Estimate {
  readonly value: number;
  readonly interval: readonly [number, number];
  readonly samples: number;
}

export interface Round {
  readonly ones: readonly number[];
  readonly others: readonly number[];
}

/** After this many calls, JIT compilation is mostly done. */
const WARM_UP_CALLS = 1_500;
const ROUNDS = 250;
/** Maximum number of rounds. A busy machine needs more rounds for a clear result. */
const MAX_ROUNDS = 1_000;

/** Returns the ratio of the medians of `one` and `other`. Calls alternate (ABBA) to cancel out drift. */
export async function ratioOf(
  one: Prepare,
  other: Prepare,
  { gate, samples = (usual) => usual }: { gate?: number | undefined; samples?: (usual: number) => number } = {},
): Promise<Estimate & { oneMs: number; otherMs: number }> {
  const rounds: Round[] = [];
  for (let n = 0; n < samples(WARM_UP_CALLS); n += 2) await abba(one, other);
  for (;;) {
    for (let n = 0; n < samples(ROUNDS); n++) rounds.push(await abba(one, other));
    const estimate = estimateOf(rounds, ratioOfMedians);
    if (rounds.length >= samples(MAX_ROUNDS) || !isDoubtful({ ...estimate, gate })) {
      return { ...estimate, oneMs: medianOne(rounds), otherMs: medianOther(rounds) };
    }
  }
}

export function ratioOfRounds(rounds: readonly Round[]): Estimate {
  return estimateOf(rounds, ratioOfMedians);
}

export function medianOf(samples: readonly number[]): Estimate {
  return estimateOf(samples, median);
}

/** Returns the quantile of the samples. @throws RangeError if there are no samples. */
export function quantile(samples: readonly number[], share: number): number {
  const sorted = Float64Array.from(samples).sort();
  const place = share * (sorted.length - 1);
  const [below, above] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  if (below === undefined || above === undefined) throw new RangeError('A quantile needs samples');
  return below + (above - below) * (place % 1);
}

export function median(samples: readonly number[]): number {
  return quantile(samples, 0.5);
}

async function abba(one: Prepare, other: Prepare): Promise<Round> {
  const first = await timeOf(one);
  const others = [await timeOf(other), await timeOf(other)];
  return { ones: [first, await timeOf(one)], others };
}

async function timeOf(prepare: Prepare): Promise<number> {
  const call = await prepare();
  const startMs = performance.now();
  await call();
  return performance.now() - startMs;
}

function ratioOfMedians(rounds: readonly Round[]): number {
  return medianOne(rounds) / medianOther(rounds);
}

const medianOne = (rounds: readonly Round[]) => median(rounds.flatMap(({ ones }) => ones));
const medianOther = (rounds: readonly Round[]) => median(rounds.flatMap(({ others }) => others));

const RESAMPLES = 1_000;

/** Calculates a percentile bootstrap interval. */
function estimateOf<Sample>(samples: readonly Sample[], statistic: (samples: readonly Sample[]) => number): Estimate {
  const again = Array.from({ length: RESAMPLES }, () => statistic(samples.map(() => anyOf(samples))));
  return {
    value: statistic(samples),
    interval: [quantile(again, 0.025), quantile(again, 0.975)],
    samples: samples.length,
  };
}

function anyOf<Sample>(samples: readonly Sample[]): Sample {
  const sample = samples[Math.floor(Math.random() * samples.length)];
  if (sample === undefined) throw new RangeError('There are no samples');
  return sample;
}
