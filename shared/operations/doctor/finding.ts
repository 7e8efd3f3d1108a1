import type { Deployment } from '../../runtime/stage/deployment.ts';
import { audiences, logGroupName, stackName } from '../../runtime/stage/names.ts';

export interface Finding {
  /** `not here`: the environment neither has nor needs this, as the local stack needs no alarms. */
  readonly state: 'fine' | 'wrong' | 'not here';
  readonly message: string;
  readonly todo?: string;
  /** Consequences of this finding: whole checks, or topics of other findings. */
  readonly explains?: readonly Topic[];
  /** Left out if another finding explains one of these topics. */
  readonly symptomOf?: readonly Topic[];
}

/** Consequences that one fault may have in several places. */
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

export function fine(message: string): Finding {
  return { state: 'fine', message };
}

export function wrong(
  message: string,
  todo: string,
  relations: Pick<Finding, 'explains' | 'symptomOf'> = {},
): Finding & { readonly todo: string } {
  return { state: 'wrong', message, todo, ...relations };
}

export function found(...all: readonly (Finding | readonly Finding[] | false | undefined)[]): Finding[] {
  return all.flatMap((one) => one || []);
}

export function notHere(message: string): Finding {
  return { state: 'not here', message };
}

export function remake({ aws, stage }: Pick<Deployment, 'aws' | 'stage'>): string {
  return aws ? repair(stage) : 'Start the local stack again: npm start';
}

/** Command that deploys a stage again with its domain, which a deployment without its context would lose. */
export function deployment(stage: string): string {
  return `npm run deploy -- -c stage=${stage}, with the rest of its context`;
}

/** Command that restores resources deleted by hand, which CloudFormation does not look for by itself. */
export function repair(stage: string): string {
  return `It was deleted or changed by hand, which an ordinary deployment does not notice: npm run deploy -- -c stage=${stage} --revert-drift, with the rest of its context. If that does not help: docs/operate/runbooks.md, "Recreate deleted resources".`;
}

export function isWrong({ state }: Finding): boolean {
  return state === 'wrong';
}

/**
 * An address by others as one word for the operator's shell, so that it cannot add a second command. Unchanged if it is
 * safe already.
 */
export function shellWord(text: string): string {
  return /^[\w:/.,@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Findings for a terminal, one a line, with advice below. Control characters in others' text are removed. */
export function presentFindings(findings: readonly Finding[]): string {
  return findings
    .flatMap(({ state, message, todo }) => [`${MARKS[state]} ${message}`, ...(todo ? [`  → ${todo}`] : [])])
    .map((line) => line.replace(/\p{Cc}/gu, ''))
    .join('\n');
}

const MARKS = { fine: '✓', wrong: '✗', 'not here': '-' } as const;

/** Command that shows the workers' errors of the last hour. Each line's stream names its function. */
export function errorsOfWorkers({ aws, stage }: Deployment): string {
  if (!aws) return 'see the terminal of "npm start"';
  return `aws logs tail ${logGroupName(stackName(stage), 'work')} --since 1h --filter-pattern '{ $.level != "INFO" }'`;
}

/** Commands that show IAM's refusals of the last hour. Each message names role, action and resource. */
export function refusalsInLogs({ stage }: Deployment): string {
  const command = (log: string) =>
    `aws logs tail ${log} --since 1h --filter-pattern '{ $.error.name = "AccessDenied*" }'`;
  return audiences.map((audience) => command(logGroupName(stackName(stage), audience))).join(', ');
}
