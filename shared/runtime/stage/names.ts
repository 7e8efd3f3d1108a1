/** The name of a stage's stack, with which every other name of the stage begins. */
export function stackName(stage: string): string {
  return `momo-kiosk-${stage}`;
}

/** The stack with a part of a stage, whose own stack has this name. */
export function partStackName(stack: string, part: string): string {
  return `${stack}-${part}`;
}

/** The part that a function is in; undefined where it is in the stage's own stack. */
export function partHolding<Part extends { readonly holds: readonly string[] }>(
  parts: readonly Part[],
  functionName: string,
): Part | undefined {
  const isIn = (place: string) => functionName === place || functionName.startsWith(`${place}/`);
  return parts.find(({ holds }) => holds.some(isIn));
}

/** A function's name where no slash may stand: in constructs, Lambdas, queues and alarms. */
export function idOf(name: string): string {
  return name.replaceAll('/', '-');
}

/** The queue that gets what a queue, or a function behind the stream, has given up. */
export function deadLettersOf(name: string): string {
  return `${name}-dead-letters`;
}

/** Whose requests or jobs a log has, and so who is hurt by an error in it. */
export const audiences = ['customers', 'merchants', 'work'] as const;
export type Audience = (typeof audiences)[number];

/** What a stage counts under its own name: how often IAM refused what one of its functions did. */
export const IAM_REFUSALS = 'iam refusals';

/** The log that all functions of one audience share. */
export function logGroupName(stack: string, audience: Audience): string {
  return `/aws/lambda/${stack}/${audience}`;
}

/** The log of who called the API. Below /aws/vendedlogs, so that API Gateway's entry in the account's log policy, whose size is limited, stays one. */
export function accessLogName(stack: string): string {
  return `/aws/vendedlogs/${stack}/api`;
}

/** The secret with the accounts at the gateways. */
export function gatewayAccountsName(stack: string): string {
  return `${stack}/gateways`;
}
