import type { Deployment } from '../../runtime/stage/deployment.ts';
import { audiences, logGroupName, stackName } from '../../runtime/stage/names.ts';

export interface Finding {
  /** `not here`: this environment does not have the checked part. For example, the local stack has no alarms. */
  readonly state: 'fine' | 'wrong' | 'not here';
  readonly message: string;
  readonly todo?: string;
  /** Topics that this fault also affects. */
  readonly explains?: readonly Topic[];
  /** The finding is omitted if another finding explains one of these topics. */
  readonly symptomOf?: readonly Topic[];
}

/** Areas that a fault can affect. */
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
  return aws ? repair(stage) : 'Start the local stack again with: npm start';
}

/** Returns the command that redeploys a stage, including its domain, which would otherwise be removed. */
export function deployment(stage: string): string {
  return `npm run deploy -- -c stage=${stage}, with the rest of its context`;
}

/** Returns the command that restores manually deleted resources. CloudFormation does not detect that they are gone. */
export function repair(stage: string): string {
  return `It was deleted or changed by hand. Restore it with: npm run deploy -- -c stage=${stage} --revert-drift, with the rest of its context. If that does not help, see docs/operate/runbooks.md, "Recreate deleted resources".`;
}

export function isWrong({ state }: Finding): boolean {
  return state === 'wrong';
}

/** Quotes text for a shell if necessary, to prevent command injection. */
export function shellWord(text: string): string {
  return /^[\w:/.,@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Formats findings for a terminal, with advice below each. Strips control characters. */
export function presentFindings(findings: readonly Finding[]): string {
  return findings
    .flatMap(({ state, message, todo }) => [`${MARKS[state]} ${message}`, ...(todo ? [`  → ${todo}`] : [])])
    .map((line) => line.replace(/\p{Cc}/gu, ''))
    .join('\n');
}

const MARKS = { fine: '✓', wrong: '✗', 'not here': '-' } as const;

/** Returns the command that shows the workers' errors from the last hour. */
export function errorsOfWorkers({ aws, stage }: Deployment): string {
  if (!aws) return 'see the terminal of "npm start"';
  return `aws logs tail ${logGroupName(stackName(stage), 'work')} --since 1h --filter-pattern '{ $.level != "INFO" }'`;
}

/** Returns the commands that show IAM denials from the last hour. */
export function refusalsInLogs({ stage }: Deployment): string {
  const command = (log: string) =>
    `aws logs tail ${log} --since 1h --filter-pattern '{ $.error.name = "AccessDenied*" }'`;
  return audiences.map((audience) => command(logGroupName(stackName(stage), audience))).join(', ');
}
