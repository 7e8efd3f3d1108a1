import { describe, expect, test } from 'vitest';
import { faultsOf, isStateful, replacingProperties } from './service-spec.ts';
import committed from './stateful-resources.json' with { type: 'json' };
import { synthesise } from './synthesise.ts';

const certificateArn = 'arn:aws:acm:eu-west-1:123456789012:certificate/0f6f';
const ZONE = { hostedZoneId: 'Z123', hostedZoneName: 'example.com' };
const DOMAIN = { domain: 'pay.example.com', certificateArn, ...ZONE };
const contexts = [{}, { stage: 'prod', alarmEmail: 'ops@example.com', monthlyBudgetDollars: '50', ...DOMAIN }];
const templates = contexts.map((context) => synthesise(context));
const [, prod] = templates;
if (!prod) throw new Error('There are two templates');

describe('the check of a template’s resource properties', () => {
  test.each(contexts.map((context, n) => [context, n] as const))('reports nothing with the context %j', (_, n) => {
    const resources = Object.values(templates[n]?.resources ?? {});
    expect(resources.length).toBeGreaterThan(100);
    expect(resources.flatMap(({ Type, Properties }) => faultsOf(Type, Properties))).toEqual([]);
  });

  test.each([
    ['AWS::SQS::Queue', { QueueNames: 'a' }, 'AWS::SQS::Queue has no property QueueNames'],
    ['AWS::DynamoDB::Table', { TableName: 'a' }, 'AWS::DynamoDB::Table lacks KeySchema'],
    [
      'AWS::DynamoDB::Table',
      { KeySchema: [{ AttributeName: 'pk' }] },
      'AWS::DynamoDB::Table.KeySchema[0] lacks KeyType',
    ],
    [
      'AWS::Lambda::Function',
      { Role: { Ref: 'Role' }, Code: {}, LoggingConfig: { Format: 'JSON' } },
      'AWS::Lambda::Function.LoggingConfig has no property Format',
    ],
    ['AWS::SQS::Queue', { QueueName: ['a'] }, 'AWS::SQS::Queue.QueueName is no string'],
  ])('reports a fault in a resource of type %s with %j: %s', (type, properties, fault) => {
    expect(faultsOf(type, properties)).toEqual([fault]);
  });
});

describe('the list of stateful resources', () => {
  /** Resource types that contain data. AWS's own list lacks log groups and APIs. */
  const KEEP_STATE =
    /^AWS::(DynamoDB::Table|SecretsManager::Secret|SQS::Queue|Logs::LogGroup|ApiGatewayV2::(Api|DomainName))$/;

  test('includes every type that AWS considers stateful', () => {
    const stateful = prod.types.filter(isStateful);
    expect(stateful.length).toBeGreaterThan(2);
    for (const type of stateful) expect(type).toMatch(KEEP_STATE);
  });

  /** The logical ids, with the properties that replace the resource when changed. */
  const current = Object.fromEntries(
    Object.entries(prod.resources)
      .filter(([, { Type }]) => KEEP_STATE.test(Type))
      .map(([id, { Type, Properties }]) => {
        const set = replacingProperties(Type).filter((name) => Properties[name] !== undefined);
        return [id, [Type, ...set.map((name) => `${name}=${JSON.stringify(Properties[name])}`)].join(' ')];
      }),
  );

  test('equals the deployed list', () => {
    expect(replacements(committed, current)).toEqual([]);
  });

  test('blocks a deployment that would replace a resource', () => {
    const table = 'AWS::DynamoDB::Table TableName="momo-kiosk-prod" KeySchema=[]';
    const renamed = 'AWS::DynamoDB::Table TableName="other" KeySchema=[]';
    expect(replacements({ Table: table }, { Table: table })).toEqual([]);
    expect(replacements({ Table: table }, { Table: renamed })).toEqual([
      `A deployment would replace Table and lose what the old one holds: it was ${table}, and would be ${renamed}.`,
    ]);
    expect(replacements({ Table: table }, { ServiceTable: table })).toEqual([
      expect.stringContaining('would delete Table'),
      expect.stringContaining('{"ServiceTable":'),
    ]);
  });
});

/**
 * Returns a deployment's changes to stateful resources. CloudFormation treats a changed logical id as a new resource.
 */
function replacements(before: Readonly<Record<string, string>>, after: Readonly<Record<string, string>>): string[] {
  const was = Object.entries(before).flatMap(([id, old]) => {
    const now = after[id];
    if (now === old) return [];
    if (now === undefined) {
      return [
        `A deployment would delete ${id} (${old}) with what it holds. If that is meant, take it out of stateful-resources.json.`,
      ];
    }
    return [`A deployment would replace ${id} and lose what the old one holds: it was ${old}, and would be ${now}.`];
  });
  const isNew = ([id]: [string, string]) => before[id] === undefined;
  const added = Object.entries(after)
    .filter(isNew)
    .map(([id, now]) => JSON.stringify({ [id]: now }));
  return [...was, ...added.map((line) => `What keeps state is new, so add it to stateful-resources.json: ${line}`)];
}
