import { runUnsafeSimulation } from '@cloud-copilot/iam-simulate';
import type { Resource, Template } from '../infra/cdk/synthesise.ts';
import type { RecordedCall } from './recorded-calls.ts';

/*
 * What the roles of a stage may do to its table, decided by an evaluator of IAM's policies that is not ours.
 */

const ACCOUNT = '123456789012';
const TABLE = `arn:aws:dynamodb:eu-west-1:${ACCOUNT}:table`;

/** A request as IAM is asked: an action on the table or one of its indexes, with the partition keys that it names. */
export interface Check {
  /** A function of the manifest. */
  readonly name: string;
  readonly action: string;
  readonly index?: string | undefined;
  readonly keys: readonly string[];
}

/** Decides for the roles of a template. */
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

/** The policies of a function's role, with each resource as an ARN: names are enough, since all is in one account. */
export function documentsOf(template: Template, { Properties }: Resource): unknown[] {
  const role = template.resource(Properties.Role);
  return template.policiesOf(role).map((document) => resolved(template, document));
}

function resolved(template: Template, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => resolved(template, one));
  if (typeof value !== 'object' || value === null) return value;
  if (['Ref', 'Fn::GetAtt', 'Fn::Join'].some((name) => name in value)) {
    const text = template.text(value);
    return text.startsWith('arn:') ? text : `${TABLE}/${text}`;
  }
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, resolved(template, one)]));
}

/**
 * What IAM may be asked for a recorded call. AWS does not say whether a leg of a transaction, or of a batch, is held against its own
 * key, against those of all, or against those of the legs of its action: each reading is a check.
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
