import * as z from 'zod';
import type { manifest, queues } from '../../functions/manifest.ts';
import { RETENTION } from '../../shared/runtime/outside/retention.ts';
import { stackName } from '../../shared/runtime/stage/names.ts';
import type { ThrottleGroup } from '../../shared/runtime/triggers/row.ts';

interface StageSettings {
  /**
   * True if the stage handles real money and messages. The stack is then protected against deletion, and the table and
   * gateway accounts outlive the stack.
   */
  readonly keepsData: boolean;
  /** Days to keep logs. Logs contain only ids and codes, and the callers' IP addresses. */
  readonly logRetentionDays: 7 | 30 | 90 | 180 | 365;
  /**
   * Days to keep charges, payments and texts. The expiry is set when a row is written. Ids and credits are kept
   * permanently.
   */
  readonly retentionDays: number;
  /**
   * Maximum request rate per route. Above this rate, API Gateway returns 429. Limits the cost that an outsider can
   * cause.
   */
  readonly throttles: {
    readonly [Group in ThrottleGroup]: { readonly ratePerSecond: number; readonly burst: number };
  };
  /** Maximum number of batches per queue to process in parallel. AWS requires at least 2. */
  readonly queueConcurrency: { readonly [Name in keyof typeof queues]: number };
  /** Number of batches per stream shard that each reader processes in parallel. A new table has four shards. */
  readonly streamLanes: number;
  /**
   * Reserved (and maximum) executions per function. Empty by default: AWS requires 100 unreserved executions, and a new
   * account has only 10. `-c reserveExecutions=on` sets `paymentExecutions`.
   */
  readonly reservedConcurrency?: { readonly [Name in keyof typeof manifest]?: number };
  readonly dashboard: boolean;
  /**
   * True to restrict roles to their table partitions with `dynamodb:LeadingKeys`. Turn this off if AWS does not supply
   * that key for transactions in your account and rejects every write.
   */
  readonly leadingKeys: boolean;
  readonly domain?: Domain;
  readonly operatorContact?: string;
  /** True to create the alarms, which make up half the cost of an idle stage. */
  readonly alarms: boolean;
  readonly alarmEmail?: string;
  /** An https URL for urgent alarms, such as a pager's. */
  readonly alarmUrl?: string;
  /** Monthly cost of the account, in US dollars, at which `alarmEmail` gets an e-mail. */
  readonly monthlyBudgetDollars?: number;
}

export interface Domain {
  readonly name: string;
  readonly certificateArn: string;
  /**
   * Hosted zone for the domain's DNS record. Without one, the operator creates a record that points to the
   * value of the `DomainTarget` output.
   */
  readonly hostedZone?: { readonly id: string; readonly name: string };
}

export interface Settings extends StageSettings {
  readonly stage: string;
  /** The stack's name, which prefixes all other names. */
  readonly name: string;
  /** The table's name. This is the stack's name, unless a restored table has replaced the original. */
  readonly tableName: string;
}

const kept: StageSettings = {
  keepsData: true,
  logRetentionDays: 90,
  retentionDays: RETENTION.defaultDays,
  // Each of the first three limits leaves room for 300 requests per second from an outsider.
  throttles: {
    merchants: { ratePerSecond: 400, burst: 800 },
    // Enough for 1,500 checkout pages that poll every two and a half seconds. No limit per IP address, because a
    // carrier's customers may share one.
    pages: { ratePerSecond: 600, burst: 1200 },
    // Phones that come back online report all pending events at once, and retry if throttled.
    callbacks: { ratePerSecond: 400, burst: 800 },
    claims: { ratePerSecond: 20, burst: 60 },
    // The reference is 1.5 MB, so ten requests per second exceed a terabyte a day.
    docs: { ratePerSecond: 10, burst: 60 },
  },
  // A phone sends about one text every twenty seconds. A second batch keeps a slow gateway from delaying a fast one.
  // Five webhooks take about 0.3 s, so fifty batches deliver 800 per second. Ten batches deliver 160 push notifications
  // or 1,000 follow-up jobs per second. Together with the stream's lanes, these batches use about 110 concurrent
  // executions. The account's limit should be 1,000.
  queueConcurrency: {
    'deliver-sms': 5,
    'settle-receipt': 5,
    'deliver-webhook': 50,
    'deliver-push': 10,
    'run-follow-up': 10,
  },
  streamLanes: 4,
  dashboard: true,
  leadingKeys: true,
  alarms: true,
};

/** Settings by stage. An unknown stage keeps its data, as `prod` does. */
const stages: Readonly<Record<string, StageSettings>> = {
  dev: {
    ...kept,
    keepsData: false,
    logRetentionDays: 7,
    // Allows the 200 simultaneous sends in the journey tests.
    throttles: {
      merchants: { ratePerSecond: 50, burst: 300 },
      pages: { ratePerSecond: 50, burst: 300 },
      callbacks: { ratePerSecond: 50, burst: 300 },
      claims: { ratePerSecond: 5, burst: 20 },
      docs: { ratePerSecond: 5, burst: 60 },
    },
    // AWS's minimum. A new account has ten executions, and the API needs some.
    queueConcurrency: {
      'deliver-sms': 2,
      'settle-receipt': 2,
      'deliver-webhook': 2,
      'deliver-push': 2,
      'run-follow-up': 2,
    },
    streamLanes: 1,
    alarms: false,
  },
  prod: kept,
};

/**
 * Reads the settings from the CDK context.
 * @throws an Error that names the wrong context value and the reason.
 */
export function settingsFrom(context: (name: ContextName) => unknown): Settings {
  const { stage, domain, certificateArn, hostedZoneId, hostedZoneName, monthlyBudget, reserveExecutions, ...given } =
    parseContext(context);
  const name = stackName(stage);
  const hostedZone = hostedZoneId && hostedZoneName ? { id: hostedZoneId, name: hostedZoneName } : undefined;
  const ofStage = stages[stage] ?? kept;
  const settings = {
    ...ofStage,
    ...(reserveExecutions && { reservedConcurrency: paymentExecutions(ofStage) }),
    stage,
    name,
    tableName: name,
    ...(domain && certificateArn && { domain: { name: domain, certificateArn, hostedZone } }),
    ...(monthlyBudget !== undefined && { monthlyBudgetDollars: monthlyBudget }),
    ...given,
  };
  refuseChannelsWithoutAlarms(settings);
  refuseForeignTable(settings);
  return settings;
}

/**
 * Executions that a payment needs on its way from the phone to its charge, so that other requests cannot use them all.
 * At 400 requests per second, phones' callbacks take 40 if each needs 0.1 s. A new table has four shards.
 */
function paymentExecutions({ queueConcurrency, streamLanes }: StageSettings): Settings['reservedConcurrency'] {
  return {
    'callback/smsgate': 40,
    'callback/forwarder': 10,
    'work/relay': 4 * streamLanes,
    'work/settle-receipt': queueConcurrency['settle-receipt'],
  };
}

/** Rejects alarm addresses for a stage without alarms. `alarmEmail` is allowed with a budget, which also uses it. */
function refuseChannelsWithoutAlarms({ stage, alarms, alarmEmail, alarmUrl, monthlyBudgetDollars }: Settings): void {
  if (alarms || !(alarmUrl || (alarmEmail && monthlyBudgetDollars === undefined))) return;
  throw new Error(`The stage ${stage} has no alarms to send. Add -c alarms=on.`);
}

/**
 * Rejects a table that may belong to another stage. Stage names contain no dot, so a name starting with `<name>.` is
 * safe.
 */
function refuseForeignTable({ stage, name, tableName, keepsData }: Settings): void {
  if (tableName === name) return;
  if (!tableName.startsWith(`${name}.`)) {
    throw new Error(
      `The table ${tableName} does not belong to the stage ${stage}. Use ${name}, or a table whose name begins with "${name}.".`,
    );
  }
  if (!keepsData)
    throw new Error(
      `The stage ${stage} does not keep its data, so its table cannot be replaced. Leave out -c tableName.`,
    );
}

const RETENTION_RANGE = `a whole number of days from ${RETENTION.leastDays} to ${RETENTION.mostDays}`;

const Context = z
  .object({
    // AWS allows 64 characters for a function name, and 44 are taken.
    stage: z
      .string()
      .regex(/^[a-z][a-z0-9-]{0,19}$/, 'a stage is a lower-case letter, then up to 19 letters, digits or dashes')
      .default('dev')
      .describe('the name of the stage (default: dev)'),
    domain: z
      .string()
      .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, 'a domain is a host name such as pay.example.com, without https://')
      .optional()
      .describe('a host name of your own, with certificateArn'),
    certificateArn: z
      .string()
      .startsWith('arn:', 'the ARN of a certificate in ACM')
      .optional()
      .describe('the certificate of the domain, in ACM'),
    hostedZoneId: z.string().min(1).optional().describe('the Route 53 zone in which to create the domain’s record'),
    hostedZoneName: z.string().min(1).optional().describe('the name of that zone'),
    dashboard: onOrOff('the dashboard is on or off').describe('on (default), or off for a stage without a dashboard'),
    leadingKeys: onOrOff('the conditions on leadingKeys are on or off').describe(
      'on (default), or off if AWS denies all writes',
    ),
    reserveExecutions: onOrOff('reserving executions is on or off').describe(
      'on to reserve executions for payments (default: off; needs a limit of 200 in the account)',
    ),
    operatorContact: z
      .string()
      .regex(/^[^\n<>]{3,60}$/, 'a few words on one line, such as "Ama Owusu, 024 123 4567"')
      .optional()
      .describe('who runs the stage, and how merchants reach them'),
    alarms: onOrOff('alarms are on or off').describe('on or off (default: off in dev, on elsewhere)'),
    alarmEmail: z.email('must be an email address').optional().describe('the address that gets every alarm'),
    alarmUrl: z
      .url({ protocol: /^https$/, hostname: z.regexes.domain, error: 'an https address' })
      .optional()
      .describe('an https address, such as a pager’s, for alarms that must wake somebody'),
    tableName: z
      .string()
      .regex(/^[a-zA-Z0-9_.-]{3,255}$/, 'a table has a name of 3 to 255 letters, digits, dots, dashes or underscores')
      .optional()
      .describe('a restored table to use instead of the stage’s own'),
    monthlyBudget: z
      .string()
      .regex(/^[1-9]\d{0,5}$/, 'a whole number of US dollars a month, such as 20')
      .transform(Number)
      .optional()
      .describe('US dollars a month for the whole account; alarmEmail gets a warning before'),
    retentionDays: z
      .string()
      .regex(/^\d{1,4}$/, RETENTION_RANGE)
      .transform(Number)
      .refine((days) => days >= RETENTION.leastDays && days <= RETENTION.mostDays, RETENTION_RANGE)
      .optional()
      .describe(`how many days charges, payments and texts are kept (default: ${RETENTION.defaultDays})`),
  })
  .refine((given) => given.monthlyBudget === undefined || Boolean(given.alarmEmail), {
    message: 'monthlyBudget e-mails are sent to alarmEmail, so set both',
  })
  .refine((given) => Boolean(given.domain) === Boolean(given.certificateArn), {
    message: 'domain and certificateArn belong together, so set both or neither',
  })
  .refine((given) => Boolean(given.hostedZoneId) === Boolean(given.hostedZoneName), {
    message: 'hostedZoneId and hostedZoneName belong together, so set both or neither',
  })
  .refine((given) => !given.hostedZoneId || Boolean(given.domain), {
    message: 'a hosted zone has no effect without a domain',
  });
type Context = z.infer<typeof Context>;

function onOrOff(rule: string) {
  return z
    .enum(['on', 'off'], rule)
    .transform((written) => written === 'on')
    .optional();
}

type ContextName = keyof Context;
const contextNames = Context.keyof().options;

export function settingsHelp(): string {
  return contextNames.map((name) => `  ${name.padEnd(18)} ${Context.shape[name].description}`).join('\n');
}

/**
 * Rejects mistyped settings. Ignores CDK's own settings, whose names contain a colon, an @ or a dash.
 * @throws an Error that lists the valid names.
 */
export function refuseUnknown(names: readonly string[]): void {
  const known: readonly string[] = contextNames;
  const unknown = names.filter((name) => !/[:@-]/.test(name) && !known.includes(name));
  if (unknown.length === 0) return;
  throw new Error(`There is no setting ${unknown.join(', ')}. The settings (-c name=value) are ${known.join(', ')}.`);
}

/** A key with an undefined value would override the default. */
function parseContext(context: (name: ContextName) => unknown): Context {
  const given = contextNames.map((name) => [name, context(name)]).filter(([, value]) => value !== undefined);
  const parsed = Context.safeParse(Object.fromEntries(given));
  if (!parsed.success)
    throw new Error(`The context (-c name=value) is invalid. Correct these values:\n${z.prettifyError(parsed.error)}`);
  return parsed.data;
}
