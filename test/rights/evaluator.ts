import { runUnsafeSimulation } from '@cloud-copilot/iam-simulate';
import type { Template } from '../infra/cdk/synthesise.ts';
import { ACCOUNT, documentsOf, TABLE } from '../support/iam.ts';
import type { RecordedCall } from '../support/recorded-calls.ts';

/** Uses an independent IAM policy evaluator to decide what a stage's roles may do to its table. */

/** A request as IAM sees it: an action on the table or an index, with its partition keys. */
export interface Check {
  readonly name: string;
  readonly action: string;
  readonly index?: string | undefined;
  readonly keys: readonly string[];
}

export function evaluatorOf(template: Template, stack: string): (check: Check) => boolean {
  const policies = new Map<string, readonly unknown[]>();
  return ({ name, action, index, keys }) => {
    const functionName = `${stack}-${name.replaceAll('/', '-')}`;
    const documents =
      policies.get(functionName) ?? documentsOf(template, template.the('AWS::Lambda::Function', functionName));
    policies.set(functionName, documents);
    const verdict = runUnsafeSimulation(
      {
        request: {
          principal: `arn:aws:iam::${ACCOUNT}:role/${functionName}`,
          action: `dynamodb:${action}`,
          resource: { resource: `${TABLE}/${stack}${index ? `/index/${index}` : ''}`, accountId: ACCOUNT },
          contextVariables: { 'dynamodb:LeadingKeys': [...keys] },
        },
        identityPolicies: documents.map((policy, n) => ({ name: String(n), policy })),
        serviceControlPolicies: [],
        resourceControlPolicies: [],
      },
      {},
    );
    return verdict === 'Allowed';
  };
}

/**
 * Returns the checks that IAM might make for a recorded call. AWS does not document whether part of a transaction or
 * batch is checked against its own key, against the keys of all parts, or against the keys for its action, so each of
 * these is a check.
 */
export function checksOf({ name, operation, parts }: RecordedCall): Check[] {
  const own = parts.map(({ action, index, partition }) => ({ name, action, index, keys: [partition] }));
  if (operation !== 'TransactWriteItems' && operation !== 'BatchGetItem') return own;
  const keysOf = (of: RecordedCall['parts']) => [...new Set(of.map(({ partition }) => partition))];
  const actions = new Set(parts.map(({ action }) => action));
  return [
    ...own,
    ...[...actions].map((action) => ({ name, action, keys: keysOf(parts) })),
    ...[...actions].map((action) => ({ name, action, keys: keysOf(parts.filter((part) => part.action === action)) })),
  ];
}
