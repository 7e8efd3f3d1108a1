import { describe, expect, test } from 'vitest';
import { changesOf } from '../../../infra/cdk/changes.ts';
import { deployShown, type Hands } from '../../../infra/cdk/deploy-shown.ts';

const STAGE = 'momo-kiosk-prod';
const API = `${STAGE}-api`;
const STEPS = [
  { stacks: [STAGE], flags: [] },
  { stacks: [API], flags: [] },
];

describe('the list of changes in a deployment', () => {
  test('is empty if nothing changes', async () => {
    const stage = stageWith({ [STAGE]: template(), [API]: template() });
    expect(await deployShown(STEPS, false, stage)).toBe(0);
    expect(stage.asked).toEqual([]);
    expect(stage.done).toEqual([STAGE, API]);
  });

  test('has no warnings for a new stack', () => {
    const changes = changesOf(API, undefined, template());
    expect(changes).toMatchObject({ isNew: true, warnings: [], refusals: [] });
    expect(changes.text).toBe('1 DynamoDB::Table, 1 SecretsManager::Secret, 1 ApiGatewayV2::Api');
  });

  test('warns about each deleted or replaced resource', () => {
    const before = template({ Old: { Type: 'AWS::SQS::Queue', Properties: { QueueName: 'old' } } });
    expect(changesOf(API, before, template()).warnings).toEqual([`${API}: SQS::Queue Old is deleted.`]);
    const renamed = { Old: { Type: 'AWS::SQS::Queue', Properties: { QueueName: 'new' } } };
    expect(changesOf(API, before, template(renamed)).warnings).toEqual([
      `${API}: SQS::Queue Old is replaced by a new one.`,
    ]);
  });

  test('warns about wider permissions', () => {
    const [few, more] = [template(roleFor(['LINK#*'])), template(roleFor(['LINK#*', 'KEY#*']))];
    expect(changesOf(API, few, more).warnings).toEqual([`${API}: Role may dynamodb:PutItem on Table.Arn KEY#*.`]);
    expect(changesOf(API, more, few).warnings).toEqual([]);
    expect(changesOf(API, template(), few).warnings).toEqual([
      `${API}: Role may dynamodb:PutItem on Table.Arn LINK#*.`,
    ]);
    expect(changesOf(API, few, template(roleFor())).warnings).toEqual([
      `${API}: Role may dynamodb:PutItem on Table.Arn.`,
    ]);
  });

  test.each([
    ['Table', 'DynamoDB::Table', { KeySchema: [{ AttributeName: 'other', KeyType: 'HASH' }] }],
    ['Secret', 'SecretsManager::Secret', { Name: 'other' }],
    ['Api', 'ApiGatewayV2::Api', { ProtocolType: 'WEBSOCKET' }],
  ])('is rejected if the %s would be replaced or deleted', async (id, type, Properties) => {
    const gone = JSON.parse(template());
    delete gone.Resources[id];
    const replaced = template({ [id]: { Type: `AWS::${type}`, Properties } });
    for (const made of [replaced, JSON.stringify(gone)]) {
      const stage = stageWith({ [STAGE]: template(), [API]: template() }, { [STAGE]: made });
      await expect(deployShown(STEPS, true, stage)).rejects.toThrow(`${STAGE}: ${type} ${id} would be`);
      expect(stage.done).toEqual([]);
    }
  });

  test('mentions a table that is removed from the stack but kept', () => {
    const kept = { Table: { Type: 'AWS::DynamoDB::Table', DeletionPolicy: 'Retain' } };
    const changes = changesOf(STAGE, template(kept), template({ Table: undefined }));
    expect(changes.refusals).toEqual([]);
    expect(changes.warnings).toEqual([`${STAGE}: DynamoDB::Table Table is removed from the stack, but kept.`]);
  });
});

describe('the confirmation of a deployment', () => {
  const changed = template({ Queue: { Type: 'AWS::SQS::Queue' } });

  test('is requested once for all stacks', async () => {
    const stage = stageWith({ [STAGE]: template(), [API]: template() }, { [STAGE]: changed, [API]: changed });
    expect(await deployShown(STEPS, false, stage)).toBe(0);
    expect(stage.asked).toHaveLength(1);
    expect(stage.printed.join('\n')).toMatch(new RegExp(`${STAGE}\n[^]*${API}\n`));
    expect(stage.done).toEqual([STAGE, API]);
  });

  test('stops the deployment if declined', async () => {
    const stage = stageWith({ [STAGE]: template(), [API]: template() }, { [API]: changed });
    stage.answers.push(false);
    expect(await deployShown(STEPS, false, stage)).toBe(1);
    expect(stage.done).toEqual([]);
  });

  test('is requested again if a stack has changed since it was shown', async () => {
    const stage = stageWith({ [STAGE]: template(), [API]: template() }, { [STAGE]: changed, [API]: changed });
    stage.whenDone = () => stage.stacks.set(API, template({ Other: { Type: 'AWS::SNS::Topic' } }));
    stage.answers.push(true, false);
    expect(await deployShown(STEPS, false, stage)).toBe(1);
    expect(stage.done).toEqual([STAGE]);
    expect(stage.printed.join('\n')).toMatch(`These stacks have changed since they were shown: ${API}.`);
    expect(stage.printed).toContainEqual(`${API}: SNS::Topic Other is deleted.`);
  });

  test('fails without a terminal and without --yes', async () => {
    const alone = stageWith({ [STAGE]: template(), [API]: template() }, { [API]: changed });
    await expect(deployShown(STEPS, false, { ...alone, ask: undefined })).rejects.toThrow('add --yes');
    expect(await deployShown(STEPS, true, { ...alone, ask: undefined })).toBe(0);
    expect(alone.asked).toEqual([]);
  });
});

test('the next deployment resumes at the failed step', async () => {
  const changed = template({ Queue: { Type: 'AWS::SQS::Queue' } });
  const stage = stageWith({ [STAGE]: template(), [API]: template() }, { [STAGE]: changed, [API]: changed });
  stage.failing.add(API);
  expect(await deployShown(STEPS, false, stage)).toBe(1);
  expect(stage.stacks.get(STAGE)).toBe(changed);
  stage.failing.clear();
  stage.printed.length = 0;
  expect(await deployShown(STEPS, false, stage)).toBe(0);
  expect(stage.printed.join('\n')).toContain(`${STAGE}\nnothing changes`);
  expect(stage.stacks.get(API)).toBe(changed);
});

/** Returns a template with a table, a secret and an API. `resources` overrides resources. */
function template(resources: Readonly<Record<string, object | undefined>> = {}): string {
  return JSON.stringify({
    Resources: {
      Table: { Type: 'AWS::DynamoDB::Table', Properties: { KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }] } },
      Secret: { Type: 'AWS::SecretsManager::Secret', Properties: { Name: 'gateways' } },
      Api: { Type: 'AWS::ApiGatewayV2::Api', Properties: { ProtocolType: 'HTTP' } },
      ...resources,
    },
  });
}

/** Returns a role that may put items into these partitions. The default is all partitions. */
function roleFor(partitions?: readonly string[]) {
  const Condition = partitions && { 'ForAnyValue:StringLike': { 'dynamodb:LeadingKeys': partitions } };
  const Resource = { 'Fn::GetAtt': ['Table', 'Arn'] };
  const Statement = [{ Effect: 'Allow', Action: 'dynamodb:PutItem', Resource, ...(Condition && { Condition }) }];
  const Policies = [{ PolicyName: 'Rights', PolicyDocument: { Statement } }];
  return { Role: { Type: 'AWS::IAM::Role', Properties: { AssumeRolePolicyDocument: {}, Policies } } };
}

interface Stage extends Hands {
  readonly stacks: Map<string, string>;
  readonly failing: Set<string>;
  readonly asked: string[];
  readonly printed: string[];
  readonly done: string[];
  /** Answers to the confirmation prompts, in order. The default is yes. */
  readonly answers: boolean[];
  whenDone: () => unknown;
}

function stageWith(has: Readonly<Record<string, string>>, made: Readonly<Record<string, string>> = {}): Stage {
  const stage: Stage = {
    stacks: new Map(Object.entries(has)),
    failing: new Set(),
    asked: [],
    printed: [],
    done: [],
    answers: [],
    whenDone: () => {},
    deployed: async (name) => stage.stacks.get(name),
    made: (name) => made[name] ?? has[name] ?? '',
    print: (line) => stage.printed.push(line),
    ask: async (question) => {
      stage.asked.push(question);
      return stage.answers.shift() ?? true;
    },
    deploy: async ({ stacks }) => {
      for (const name of stacks) {
        if (stage.failing.has(name)) return 1;
        stage.stacks.set(name, stage.made(name));
        stage.done.push(name);
      }
      stage.whenDone();
      return 0;
    },
  };
  return stage;
}
