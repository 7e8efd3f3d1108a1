import { audiences, logGroupName, stackName } from '../../runtime/stage/names.ts';
import type { Place } from '../../runtime/stage/place.ts';

/** One thing that was checked in an environment. */
export interface Finding {
  /** `not here`: the environment has no such thing and needs none, as the local stack has no alarms. */
  readonly state: 'fine' | 'wrong' | 'not here';
  readonly says: string;
  /** What to do about it, if it is wrong. */
  readonly todo?: string;
  /** What else is wrong because of it: whole checks, or topics of other findings. */
  readonly explains?: readonly Topic[];
  /** It is left out where another finding explains one of these. */
  readonly symptomOf?: readonly Topic[];
}

/** What one fault may make wrong in several places. */
export type Topic =
  | CheckName
  | 'no sender'
  | 'another release'
  | 'stopped'
  | 'clocks of phones'
  | 'housekeeping runs'
  | 'what housekeeping does'
  | `function ${string}`
  | `jobs of ${string}`;

export type CheckName =
  | 'clock'
  | 'stack'
  | 'functions'
  | 'table'
  | 'triggers'
  | 'queues'
  | 'housekeeping'
  | 'api'
  | 'gateways'
  | 'senders'
  | 'merchants'
  | 'wallets'
  | 'dashboard'
  | 'alarms';

export function fine(says: string): Finding {
  return { state: 'fine', says };
}

export function wrong(
  says: string,
  todo: string,
  relations: Pick<Finding, 'explains' | 'symptomOf'> = {},
): Finding & { readonly todo: string } {
  return { state: 'wrong', says, todo, ...relations };
}

/** The findings among what was looked at. */
export function found(...all: readonly (Finding | readonly Finding[] | false | undefined)[]): Finding[] {
  return all.flatMap((one) => one || []);
}

export function notHere(says: string): Finding {
  return { state: 'not here', says };
}

/** What makes again what is missing there. */
export function remake({ aws, stage }: Pick<Place, 'aws' | 'stage'>): string {
  return aws ? repair(stage) : 'Start the local stack again: npm start';
}

/** The command that deploys a stage again. Without the context that it was deployed with, it would lose its domain. */
export function deployment(stage: string): string {
  return `npm run deploy -- -c stage=${stage}, with the rest of its context`;
}

/** The command that makes again what was deleted by hand, which CloudFormation does not look for by itself. */
export function repair(stage: string): string {
  return `It was deleted or changed by hand, which an ordinary deployment does not notice: npm run deploy -- -c stage=${stage} --revert-drift, with the rest of its context. If that does not help: docs/operate/runbooks.md, "Recreate deleted resources".`;
}

export function isWrong({ state }: Finding): boolean {
  return state === 'wrong';
}

/**
 * A word of a command that others wrote, as an address: one word for the operator's shell, too, and no second command. As it is
 * where that is the case anyway.
 */
export function shellWord(text: string): string {
  return /^[\w:/.,@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** For a person: a line a finding, and below what is wrong what to do. What others wrote in it gives the terminal no commands. */
export function presentFindings(findings: readonly Finding[]): string {
  return findings
    .flatMap(({ state, says, todo }) => [`${MARKS[state]} ${says}`, ...(todo ? [`  → ${todo}`] : [])])
    .map((line) => line.replace(/\p{Cc}/gu, ''))
    .join('\n');
}

const MARKS = { fine: '✓', wrong: '✗', 'not here': '-' } as const;

/** The command that shows what workers logged as going wrong in the last hour. Each line's stream names its function. */
export function errorsOfWorkers({ aws, stage }: Place): string {
  if (!aws) return 'see the terminal of "npm start"';
  return `aws logs tail ${logGroupName(stackName(stage), 'work')} --since 1h --filter-pattern '{ $.level != "INFO" }'`;
}

/** The commands that show what IAM refused in the last hour: the message names role, action and resource. */
export function refusalsInLogs({ stage }: Place): string {
  const command = (log: string) =>
    `aws logs tail ${log} --since 1h --filter-pattern '{ $.error.name = "AccessDenied*" }'`;
  return audiences.map((audience) => command(logGroupName(stackName(stage), audience))).join(', ');
}
