import * as z from 'zod';
import type { manifest, queues } from '../../functions/manifest.ts';
import { RETENTION } from '../../shared/runtime/outside/retention.ts';
import { stackName } from '../../shared/runtime/stage/names.ts';
import type { ThrottleGroup } from '../../shared/runtime/triggers/row.ts';

/** What differs between stages. A deployment's own values belong in `stages`; context (`-c name=value`) goes before them. */
interface StageSettings {
  /**
   * Whether the stage holds money and messages of real people. Then the table and the gateway accounts outlive the stack, and
   * neither the table nor the stack can be deleted in one step.
   */
  readonly keepsData: boolean;
  /** Days. Logs hold ids and codes only, but the access log has callers' addresses, so they are kept no longer than useful. */
  readonly logRetentionDays: 7 | 30 | 90 | 180 | 365;
  /** For how many days charges, payments and texts are kept: each row gets its date when it is made. Ids and credits stay. */
  readonly retentionDays: number;
  /**
   * What each route of a group takes before API Gateway answers 429: a cap on the bill that a stranger can cause, and a wall
   * between what strangers and what merchants ask for.
   */
  readonly throttles: {
    readonly [Group in ThrottleGroup]: { readonly ratePerSecond: number; readonly burst: number };
  };
  /** How many batches of each queue are worked on at a time; AWS's minimum is 2. */
  readonly queueConcurrency: { readonly [Name in keyof typeof queues]: number };
  /** How many batches of a shard of the table's stream each of its readers works on at a time. A new table has four shards. */
  readonly streamLanes: number;
  /**
   * Executions reserved for a function, which is also its maximum. Empty by default: AWS requires 100 to stay unreserved, so a
   * new account, which has 10 in all, cannot reserve any. The workers are capped without it, by `queueConcurrency` and the stream.
   */
  readonly reservedConcurrency?: { readonly [Name in keyof typeof manifest]?: number };
  /** Whether people have a dashboard: a stack of its own, which can be left out. */
  readonly dashboard: boolean;
  /**
   * Whether a role is narrowed to partitions of the table, by conditions on `dynamodb:LeadingKeys`. Off is for an account where AWS
   * does not supply that key in transactions, and so refuses all that is written: roles then have the same actions on the whole table.
   */
  readonly leadingKeys: boolean;
  readonly domain?: Domain;
  /** Who runs the stage, and how they are reached, in a few words: what the dashboard and the API say where somebody has to ask them. */
  readonly operatorContact?: string;
  /** Whether there are alarms. They are half of what an idle stage costs, and where nobody pays nobody need be woken. */
  readonly alarms: boolean;
  /** Gets every alarm. */
  readonly alarmEmail?: string;
  /** An https address, such as a pager's, that gets the alarms for which somebody must be woken. */
  readonly alarmUrl?: string;
  /** What the account may cost in a month, in US dollars, before `alarmEmail` gets a mail. */
  readonly monthlyBudgetDollars?: number;
}

export interface Domain {
  readonly name: string;
  /** A certificate for the name, in the region of the stack. */
  readonly certificateArn: string;
  /** Where the name's record is made. Without it the operator makes one, to the address in the output `DomainTarget`. */
  readonly hostedZone?: { readonly id: string; readonly name: string };
}

export interface Settings extends StageSettings {
  readonly stage: string;
  /** The stack's name, and the start of every other name, by which the operator's command line finds them. */
  readonly name: string;
  /** The stack's name too, until a table was restored to a point in time and taken in its place. */
  readonly tableName: string;
}

const kept: StageSettings = {
  keepsData: true,
  // A customer disputes a payment within about two months.
  logRetentionDays: 90,
  retentionDays: RETENTION.defaultDays,
  // A stranger's 300 a second fit into each of the first three, beside those for whom it is there.
  throttles: {
    merchants: { ratePerSecond: 400, burst: 800 },
    // 1,500 checkout pages that ask for news every two and a half seconds. No address has a limit of its own: a carrier's customers share one.
    pages: { ratePerSecond: 600, burst: 1200 },
    // Phones that were offline tell all at once when they are back; one that is refused tells again later.
    callbacks: { ratePerSecond: 400, burst: 800 },
    claims: { ratePerSecond: 20, burst: 60 },
    // The reference is a megabyte and a half: ten a second are already a terabyte a day.
    docs: { ratePerSecond: 10, burst: 60 },
  },
  // Two batches would do for phones, which send about one text every twenty seconds; the rest keeps a slow gateway from
  // holding up a quick one. A batch of five webhooks to servers that answer within a quarter of a second takes some 0.3 s: fifty
  // are 800 a second. Push services answer as quickly: ten are 160. With the stream's lanes they take about 100 of the account's executions, which should be 1,000.
  queueConcurrency: { 'deliver-sms': 5, 'settle-receipt': 5, 'deliver-webhook': 50, 'deliver-push': 10 },
  // So that a send of fifty does not hold up the others.
  streamLanes: 4,
  dashboard: true,
  leadingKeys: true,
  alarms: true,
};

/** Every stage that is not named here is kept like `prod`: forgetting to name one must not cost its data. */
const stages: Readonly<Record<string, StageSettings>> = {
  dev: {
    ...kept,
    keepsData: false,
    logRetentionDays: 7,
    // A few people; the burst lets 200 sends at once through, which is what the journeys try.
    throttles: {
      merchants: { ratePerSecond: 50, burst: 300 },
      pages: { ratePerSecond: 50, burst: 300 },
      callbacks: { ratePerSecond: 50, burst: 300 },
      claims: { ratePerSecond: 5, burst: 20 },
      docs: { ratePerSecond: 5, burst: 60 },
    },
    // The least there is, so that some of the ten executions that a new account may have are left for the API.
    queueConcurrency: { 'deliver-sms': 2, 'settle-receipt': 2, 'deliver-webhook': 2, 'deliver-push': 2 },
    streamLanes: 1,
    alarms: false,
  },
  prod: kept,
};

/** @throws an Error that says which context value is wrong and how. */
export function settingsFrom(context: (name: ContextName) => unknown): Settings {
  const { stage, domain, certificateArn, hostedZoneId, hostedZoneName, monthlyBudget, ...given } =
    parseContext(context);
  const name = stackName(stage);
  const hostedZone = hostedZoneId && hostedZoneName ? { id: hostedZoneId, name: hostedZoneName } : undefined;
  const settings = {
    ...(stages[stage] ?? kept),
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

/** Anyone who names an address expects mail. A budget's mail goes to `alarmEmail` too, with or without alarms. */
function refuseChannelsWithoutAlarms({ stage, alarms, alarmEmail, alarmUrl, monthlyBudgetDollars }: Settings): void {
  if (alarms || !(alarmUrl || (alarmEmail && monthlyBudgetDollars === undefined))) return;
  throw new Error(`The stage ${stage} has no alarms, so nobody would be told of any: add -c alarms=on.`);
}

/** A dot cannot be in a stage's name, so a table that is named like this belongs to no other stage. */
function refuseForeignTable({ stage, name, tableName, keepsData }: Settings): void {
  if (tableName === name) return;
  if (!tableName.startsWith(`${name}.`)) {
    throw new Error(`The table of the stage ${stage} is ${name}, or begins with "${name}."; ${tableName} does not.`);
  }
  if (!keepsData) throw new Error(`The stage ${stage} does not keep its data, so no other table can take its place.`);
}

const RETENTION_RANGE = `a whole number of days from ${RETENTION.leastDays} to ${RETENTION.mostDays}`;

const Context = z
  .object({
    // Function names are the longest that hold it: 64 characters, and the service and the function take 44 of them.
    stage: z
      .string()
      .regex(/^[a-z][a-z0-9-]{0,19}$/, 'a stage is a lower-case letter, then up to 19 letters, digits or dashes')
      .default('dev')
      .describe('its name (default: dev)'),
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
    hostedZoneId: z.string().min(1).optional().describe('of Route 53, where the domain’s record is then made'),
    hostedZoneName: z.string().min(1).optional().describe('its name, with hostedZoneId'),
    dashboard: onOrOff('the dashboard is on or off').describe('on (default), or off, without pages for people'),
    leadingKeys: onOrOff('the conditions on leadingKeys are on or off').describe(
      'on (default), or off where AWS refuses all that is written',
    ),
    operatorContact: z
      .string()
      .regex(/^[^\n<>]{3,60}$/, 'a few words on one line, such as "Ama Owusu, 024 123 4567"')
      .optional()
      .describe('who runs the stage, and how merchants reach them'),
    alarms: onOrOff('alarms are on or off').describe('on or off (default: off in dev, on elsewhere)'),
    alarmEmail: z.email('must be an email address').optional().describe('gets every alarm'),
    alarmUrl: z
      .url({ protocol: /^https$/, hostname: z.regexes.domain, error: 'an https address' })
      .optional()
      .describe('an https address, such as a pager’s, for alarms that must wake somebody'),
    tableName: z
      .string()
      .regex(/^[a-zA-Z0-9_.-]{3,255}$/, 'a table has a name of 3 to 255 letters, digits, dots, dashes or underscores')
      .optional()
      .describe('a restored table, in place of its own'),
    monthlyBudget: z
      .string()
      .regex(/^[1-9]\d{0,5}$/, 'a whole number of US dollars a month, such as 20')
      .transform(Number)
      .optional()
      .describe('US dollars a month of the whole account; alarmEmail gets a mail before'),
    retentionDays: z
      .string()
      .regex(/^\d{1,4}$/, RETENTION_RANGE)
      .transform(Number)
      .refine((days) => days >= RETENTION.leastDays && days <= RETENTION.mostDays, RETENTION_RANGE)
      .optional()
      .describe(`for how many days charges, payments and texts are kept (default: ${RETENTION.defaultDays})`),
  })
  .refine((given) => given.monthlyBudget === undefined || Boolean(given.alarmEmail), {
    message: 'a monthlyBudget mails to alarmEmail: give both',
  })
  .refine((given) => Boolean(given.domain) === Boolean(given.certificateArn), {
    message: 'domain and certificateArn belong together: give both or neither',
  })
  .refine((given) => Boolean(given.hostedZoneId) === Boolean(given.hostedZoneName), {
    message: 'hostedZoneId and hostedZoneName belong together: give both or neither',
  })
  .refine((given) => !given.hostedZoneId || Boolean(given.domain), {
    message: 'a hosted zone is of no use without a domain',
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

/** Every setting of the context, a line each. */
export function settingsHelp(): string {
  return contextNames.map((name) => `  ${name.padEnd(16)} ${Context.shape[name].description}`).join('\n');
}

/**
 * A name that is not a setting was mistyped. CDK's own names have a colon, an @ or a dash in them.
 * @throws an Error that names those that are.
 */
export function refuseUnknown(names: readonly string[]): void {
  const known: readonly string[] = contextNames;
  const unknown = names.filter((name) => !/[:@-]/.test(name) && !known.includes(name));
  if (unknown.length === 0) return;
  throw new Error(
    `There is no setting ${unknown.join(', ')}. Those of the context (-c name=value) are ${known.join(', ')}.`,
  );
}

/** What is not given is left out, so that it stands in nothing's place. */
function parseContext(context: (name: ContextName) => unknown): Context {
  const given = contextNames.map((name) => [name, context(name)]).filter(([, value]) => value !== undefined);
  const parsed = Context.safeParse(Object.fromEntries(given));
  if (!parsed.success) throw new Error(`The context (-c name=value) does not fit:\n${z.prettifyError(parsed.error)}`);
  return parsed.data;
}
