import type { Resource, Template } from '../infra/cdk/synthesise.ts';

export const ACCOUNT = '123456789012';
export const TABLE = `arn:aws:dynamodb:eu-west-1:${ACCOUNT}:table`;

/** Returns the policies of a function's role, with each resource as an ARN. */
export function documentsOf(template: Template, { Properties }: Resource): unknown[] {
  return template.policiesOf(template.resource(Properties.Role)).map((document) => resolved(template, document));
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
