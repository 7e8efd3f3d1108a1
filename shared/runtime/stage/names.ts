export function stackName(stage: string): string {
  return `momo-kiosk-${stage}`;
}

export function partStackName(stack: string, part: string): string {
  return `${stack}-${part}`;
}

export function partHolding<Part extends { readonly holds: readonly string[] }>(
  parts: readonly Part[],
  functionName: string,
): Part | undefined {
  const isIn = (place: string) => functionName === place || functionName.startsWith(`${place}/`);
  return parts.find(({ holds }) => holds.some(isIn));
}

export function idOf(name: string): string {
  return name.replaceAll('/', '-');
}

export function deadLettersOf(name: string): string {
  return `${name}-dead-letters`;
}

/** Groups of functions that share a log: for customers, for merchants, and for background work. */
export const audiences = ['customers', 'merchants', 'work'] as const;
export type Audience = (typeof audiences)[number];

export const IAM_REFUSALS = 'iam refusals';

export function logGroupName(stack: string, audience: Audience): string {
  return `/aws/lambda/${stack}/${audience}`;
}

/**
 * Returns the name of the API's access log. The /aws/vendedlogs prefix saves space in the account's log policy, whose
 * size is limited.
 */
export function accessLogName(stack: string): string {
  return `/aws/vendedlogs/${stack}/api`;
}

export function gatewayAccountsName(stack: string): string {
  return `${stack}/gateways`;
}
