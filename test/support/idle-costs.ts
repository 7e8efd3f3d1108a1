import { handler as housekeeping } from '../../functions/work/housekeeping.ts';
import { ACCOUNTS_CACHE_SECONDS } from '../../shared/phones/gateway/accounts.ts';
import { HOUR_MS } from '../../shared/runtime/values/calendar.ts';
import { meter } from '../bench/meter.ts';
import { PRICES } from '../bench/prices.ts';
import { type Bill, Story } from '../bench/story.ts';
import type { Template } from '../infra/cdk/synthesise.ts';
import { signedCallback } from './receipts.ts';
import { createSender, createWorld } from './world.ts';

const MONTH_MINUTES = 730 * 60;

/**
 * AWS list prices in eu-west-1, in US dollars per month. Source:
 * aws.amazon.com/{cloudwatch,secrets-manager,sqs}/pricing.
 */
export const MONTHLY = {
  alarmMetric: 0.1,
  /** A metric that is published every hour of the month. */
  customMetric: 0.3,
  secret: 0.4,
  secretRead: 0.05 / 1e4,
  /** One empty receive request. Fair queues cost nothing extra without a message group. */
  emptyPoll: 0.4 / 1e6,
} as const;

/** An account's monthly free tier ("always free" on aws.amazon.com/free). */
export const FREE = {
  alarmMetrics: 10,
  customMetrics: 10,
  queueRequests: 1e6,
  invocations: 1e6,
  lambdaGigabyteSeconds: 400_000,
  logGigabytes: 5,
} as const;

/** Receive requests per queue per month: Lambda keeps five long polls of 20 seconds open. */
const POLLS_PER_QUEUE = 5 * 3 * MONTH_MINUTES;
/** Generous estimate of a run's duration, which includes waiting for the gateway. */
const RUN_SECONDS = 0.5;
const RUN_LOG_BYTES = 1_800;

/** A phone's ping interval (docs/deploy/phone.md). */
const PING_SECONDS = 300;
const PINGS_PER_MONTH = (MONTH_MINUTES * 60) / PING_SECONDS;

/** Resources used by a housekeeping run on an idle stage with one phone. */
export interface IdleRun {
  readonly readUnits: number;
  readonly writeUnits: number;
  readonly metrics: number;
}

/** Upper limits for a housekeeping run, checked by `idle-costs.test.ts`. */
export const BILLED_RUN: IdleRun = { readUnits: 18, writeUnits: 2, metrics: 10 };

export async function idleRun(): Promise<IdleRun> {
  const world = await createWorld({ inMemory: true });
  // The first run of each hour reads half a unit more.
  world.clock.nowMs -= world.clock.nowMs % HOUR_MS;
  await createSender(world, '+233241234567');
  await housekeeping.with(world.outside)();
  world.clock.nowMs += 60_000;
  const { readUnits, writeUnits } = await meter(world, () => housekeeping.with(world.outside)());
  return { readUnits, writeUnits, metrics: Object.keys(world.counted).length };
}

/** Upper limits for a phone's ping with empty caches, checked by `idle-costs.test.ts`. */
export const BILLED_PING = {
  apiRequests: 1,
  invocations: 1,
  lambdaGigabyteSeconds: 0.007,
  readUnits: 1,
  writeUnits: 1,
  logBytes: 400,
} as const satisfies Partial<Bill>;

export async function idlePing(): Promise<Bill> {
  const world = await createWorld({ inMemory: true });
  await createSender(world, '+233241234567');
  const ping = async () => {
    const story = new Story(world);
    const event = { deviceId: 'device-1', event: 'system:ping', id: 'ping', payload: { health: {} } };
    await story.request('callback/smsgate', signedCallback(world, event));
    await story.goOn();
    return story.bill;
  };
  await ping();
  world.clock.nowMs += PING_SECONDS * 1000;
  return ping();
}

export interface IdleCosts {
  readonly alarms: number;
  readonly metrics: number;
  readonly queues: number;
  readonly secrets: number;
  readonly housekeeping: number;
  readonly pings: number;
  readonly total: number;
}

/** Returns the monthly cost of an idle stage in US dollars. `isAlone` means that the account has no other stage. */
export function idleCosts(template: Template, isAlone: boolean): IdleCosts {
  const beyond = (used: number, free: number) => (isAlone ? Math.max(0, used - free) : used);
  const alarmMetrics = template
    .all('AWS::CloudWatch::Alarm')
    .flatMap(
      ({ Properties }) =>
        Properties.Metrics?.filter((metric: object) => 'MetricStat' in metric) ?? [Properties.MetricName],
    ).length;
  const queues = template
    .all('AWS::Lambda::EventSourceMapping')
    .filter(({ Properties }) => Properties.ScalingConfig).length;
  const secrets = template.all('AWS::SecretsManager::Secret').length;
  const costs: Omit<IdleCosts, 'total'> = {
    alarms: beyond(alarmMetrics, FREE.alarmMetrics) * MONTHLY.alarmMetric,
    metrics: beyond(BILLED_RUN.metrics, FREE.customMetrics) * MONTHLY.customMetric,
    queues: beyond(queues * POLLS_PER_QUEUE, FREE.queueRequests) * MONTHLY.emptyPoll,
    secrets: secrets * (MONTHLY.secret + (MONTH_MINUTES * 60 * MONTHLY.secretRead) / ACCOUNTS_CACHE_SECONDS),
    housekeeping: template
      .all('AWS::Events::Rule')
      .map(({ Properties }) => housekeepingCost(template, Properties.Targets[0].Arn, beyond))
      .reduce((sum, one) => sum + one, 0),
    pings: pingsCost(beyond),
  };
  return { ...costs, total: Object.values(costs).reduce((sum, one) => sum + one, 0) };
}

function pingsCost(beyond: (used: number, free: number) => number): number {
  const of = (each: number) => each * PINGS_PER_MONTH;
  return (
    of(BILLED_PING.apiRequests) * PRICES.apiRequest +
    beyond(of(BILLED_PING.invocations), FREE.invocations - MONTH_MINUTES) * PRICES.invocation +
    beyond(of(BILLED_PING.lambdaGigabyteSeconds), FREE.lambdaGigabyteSeconds / 2) * PRICES.lambdaGigabyteSecond +
    of(BILLED_PING.readUnits) * PRICES.readUnit +
    of(BILLED_PING.writeUnits) * PRICES.writeUnit +
    beyond(of(BILLED_PING.logBytes) / 1e9, FREE.logGigabytes / 2) * PRICES.logGigabyte
  );
}

function housekeepingCost(template: Template, fn: unknown, beyond: (used: number, free: number) => number): number {
  const { readUnits, writeUnits } = BILLED_RUN;
  const gigabytes = template.resource(fn).Properties.MemorySize / 1024;
  return (
    beyond(MONTH_MINUTES, FREE.invocations) * PRICES.invocation +
    beyond(MONTH_MINUTES * RUN_SECONDS * gigabytes, FREE.lambdaGigabyteSeconds) * PRICES.lambdaGigabyteSecond +
    beyond((MONTH_MINUTES * RUN_LOG_BYTES) / 1e9, FREE.logGigabytes) * PRICES.logGigabyte +
    MONTH_MINUTES * (readUnits * PRICES.readUnit + writeUnits * PRICES.writeUnit)
  );
}
