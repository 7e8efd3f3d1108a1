import { buffer } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import * as z from 'zod';
import { startServer } from './server.ts';

/**
 * Fakes the AWS APIs that a CDK deployment calls. As in CloudFormation, a failed creation is rolled back, and the stack
 * can only be deleted. Retained resources outlive their stack, and their names cannot be reused unless a change set
 * imports them.
 */
export interface StandIn {
  readonly stacks: ReadonlyMap<string, Stack>;
  readonly tables: Set<string>;
  readonly failing: Set<string>;
  readonly alarms: Map<string, string>;
  readonly done: string[];
  readonly environment: Readonly<Record<string, string>>;
}

interface Stack {
  readonly id: string;
  status: string;
  isProtected: boolean;
  template?: string;
  changeSet?: { readonly template: string; readonly imports: boolean };
  /** Rollback alarms of the last change set, and the number of minutes for which they are monitored. */
  rollback?: { readonly alarms: readonly string[]; readonly minutes: string | undefined };
}

export async function startAws(): Promise<StandIn> {
  const stacks = new Map<string, Stack>();
  const deleted = new Map<string, Stack>();
  const tables = new Set<string>();
  const alarms = new Map<string, string>();
  const failing = new Set<string>();
  const done: string[] = [];
  const files = new Map<string, string>();
  const { url, stop } = await startServer(async (request, response) => {
    const body = (await buffer(request)).toString();
    // The credential scope contains the AWS service's name.
    const service = /Credential=[^/]+\/\d+\/[^/]+\/(\w+)\//.exec(request.headers.authorization ?? '')?.[1] ?? '';
    const { status = 200, text } = answer(service, request.method ?? '', request.url ?? '', body);
    response.writeHead(status, { 'content-type': text.startsWith('{') ? 'application/x-amz-json-1.1' : 'text/xml' });
    response.end(text);
  });
  onTestFinished(stop);
  const environment = {
    AWS_ENDPOINT_URL: url,
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'operator',
    AWS_SECRET_ACCESS_KEY: 'secret',
  };
  return { stacks, tables, failing, alarms, done, environment };

  function answer(service: string, method: string, path: string, body: string): Answer {
    switch (service) {
      case 's3':
        if (method === 'PUT') files.set(fileOf(path), body);
        return method === 'PUT' || path.includes('?') ? { text: '<ListBucketResult/>' } : { status: 404, text: '' };
      case 'ssm':
        return { text: JSON.stringify({ Parameter: { Value: '30' } }) };
      case 'dynamodb':
        return readTable(Table.parse(JSON.parse(body)).TableName);
      case 'monitoring':
        return { text: JSON.stringify({ MetricAlarms: describeAlarms(Asked.parse(JSON.parse(body)).AlarmNames) }) };
      case 'sts':
        return { text: STS };
      case 'cloudformation':
        return cloudFormation(Object.fromEntries(new URLSearchParams(body)));
      default:
        throw new Error(`No deployment should call ${service}: ${method} ${path}`);
    }
  }

  /** Every table is empty. */
  function readTable(name: string): Answer {
    if (tables.has(name)) return { text: JSON.stringify({ Count: 0 }) };
    return { status: 400, text: JSON.stringify({ __type: 'ResourceNotFoundException' }) };
  }

  function describeAlarms(names: readonly string[]): object[] {
    return names.flatMap((AlarmName) => {
      const StateValue = alarms.get(AlarmName);
      return StateValue === undefined ? [] : [{ AlarmName, StateValue, AlarmArn: `${ALARM_ARN}${AlarmName}` }];
    });
  }

  function cloudFormation(asked: Readonly<Record<string, string>>): Answer {
    const { Action = '', StackName: of = '' } = asked;
    const name = of.startsWith('arn:') ? (of.split('/')[1] ?? '') : of;
    const stack = of.startsWith('arn:')
      ? [...stacks.values(), ...deleted.values()].find(({ id }) => id === of)
      : stacks.get(of);
    if (Action === 'CreateChangeSet') return createChangeSet(name, stack, asked);
    if (!stack) return refused(`Stack with id ${of} does not exist`);
    switch (Action) {
      case 'DescribeStacks':
        return result(Action, `<Stacks><member>${describe(name, stack)}</member></Stacks>`);
      case 'GetTemplate':
        return result(Action, `<TemplateBody>${escaped(stack.template ?? '{}')}</TemplateBody>`);
      case 'DescribeChangeSet':
        if (!stack.changeSet) return refused('ChangeSet [cdk-deploy-change-set] does not exist', 'ChangeSetNotFound');
        return result(Action, describeChangeSet(name, stack));
      case 'DeleteChangeSet':
        delete stack.changeSet;
        return result(Action, '');
      case 'DescribeStackEvents':
      case 'DescribeEvents':
        return result(Action, '');
      case 'UpdateTerminationProtection':
        stack.isProtected = asked.EnableTerminationProtection === 'true';
        done.push(`${name} is ${stack.isProtected ? 'protected' : 'not protected'}`);
        return result(Action, `<StackId>${stack.id}</StackId>`);
      case 'ExecuteChangeSet':
        execute(name, stack);
        done.push(`${name} is ${stack.status}`);
        return result(Action, '');
      case 'DeleteStack':
        if (stack.isProtected)
          return refused(`Stack [${stack.id}] cannot be deleted while TerminationProtection is enabled`);
        stacks.delete(name);
        deleted.set(stack.id, { ...stack, status: 'DELETE_COMPLETE' });
        done.push(`${name} is deleted`);
        return result(Action, '');
      default:
        throw new Error(`No deployment should ask for ${Action}`);
    }
  }

  function createChangeSet(name: string, stack: Stack | undefined, asked: Readonly<Record<string, string>>): Answer {
    const isNew = !stack || stack.status === 'REVIEW_IN_PROGRESS';
    if (isNew !== (asked.ChangeSetType === 'CREATE'))
      return refused(`Stack [${name}] already exists and cannot be created again`);
    if (!isNew && !/^(CREATE|UPDATE|UPDATE_ROLLBACK)_COMPLETE$/.test(stack.status))
      return refused(`Stack:${stack.id} is in ${stack.status} state and can not be updated.`);
    const template = files.get(fileOf(new URL(asked.TemplateURL ?? '').pathname)) ?? '';
    const changeSet = { template, imports: asked.ImportExistingResources === 'true' };
    const id = `arn:aws:cloudformation:eu-west-1:123456789012:stack/${name}/${crypto.randomUUID()}`;
    const rollback = {
      alarms: Object.entries(asked).flatMap(([key, value]) => (/RollbackTriggers.*\.Arn$/.test(key) ? [value] : [])),
      minutes: asked['RollbackConfiguration.MonitoringTimeInMinutes'],
    };
    stacks.set(name, Object.assign(stack ?? newStack(id), { changeSet, rollback }));
    const StackId = stacks.get(name)?.id;
    return result('CreateChangeSet', `<Id>${changeSetId(name)}</Id><StackId>${StackId}</StackId>`);
  }

  function execute(name: string, stack: Stack): void {
    const { template = '', imports } = stack.changeSet ?? {};
    const isFirst = stack.status === 'REVIEW_IN_PROGRESS';
    const wanted = Object.values(Template.parse(JSON.parse(template)).Resources).flatMap(
      ({ Type, Properties, DeletionPolicy }) =>
        Type === 'AWS::DynamoDB::Table' ? [{ name: String(Properties?.TableName), DeletionPolicy }] : [],
    );
    const isTaken = isFirst && !imports && wanted.some((table) => tables.has(table.name));
    const works = !isTaken && !failing.has(name);
    if (works) stack.template = template;
    for (const table of wanted) if (works || table.DeletionPolicy === 'Retain') tables.add(table.name);
    stack.status = `${isFirst ? '' : 'UPDATE_'}${works ? (isFirst ? 'CREATE_' : '') : 'ROLLBACK_'}COMPLETE`;
  }
}

interface Answer {
  readonly status?: number;
  readonly text: string;
}

const Table = z.object({ TableName: z.string() });
const Asked = z.object({ AlarmNames: z.array(z.string()) });
export const ALARM_ARN = 'arn:aws:cloudwatch:eu-west-1:123456789012:alarm:';
const Template = z.object({
  Resources: z.record(
    z.string(),
    z.object({
      Type: z.string(),
      DeletionPolicy: z.string().optional(),
      Properties: z.record(z.string(), z.unknown()).optional(),
    }),
  ),
});

function newStack(id: string): Stack {
  return { id, status: 'REVIEW_IN_PROGRESS', isProtected: false };
}

/** Templates are named by their hash, so the bucket does not matter. */
function fileOf(path: string): string {
  return path.replace(/\?.*$/, '').split('/').at(-1) ?? '';
}

function changeSetId(stack: string): string {
  return `arn:aws:cloudformation:eu-west-1:123456789012:changeSet/cdk-deploy-change-set/${stack}`;
}

function describe(name: string, { id, status, isProtected, template = '{}' }: Stack): string {
  const isNothing = status.includes('ROLLBACK') || status === 'REVIEW_IN_PROGRESS';
  const outputs = isNothing ? '' : outputsOf({ TableName: name, ...textsIn(template) });
  return `<StackName>${name}</StackName><StackId>${id}</StackId><StackStatus>${status}</StackStatus><CreationTime>2026-11-21T00:00:00Z</CreationTime><EnableTerminationProtection>${isProtected}</EnableTerminationProtection>${outputs}`;
}

function outputsOf(outputs: Readonly<Record<string, string>>): string {
  const members = Object.entries(outputs).map(
    ([key, value]) => `<member><OutputKey>${key}</OutputKey><OutputValue>${escaped(value)}</OutputValue></member>`,
  );
  return `<Outputs>${members.join('')}</Outputs>`;
}

function textsIn(template: string): Record<string, string> {
  const { Outputs = {} } = Outputting.parse(JSON.parse(template));
  const texts = Object.entries(Outputs).flatMap(([key, { Value }]) =>
    typeof Value === 'string' ? [[key, Value]] : [],
  );
  return Object.fromEntries(texts);
}

const Outputting = z.object({ Outputs: z.record(z.string(), z.object({ Value: z.unknown() })).optional() });

function describeChangeSet(name: string, { id }: Stack): string {
  const change =
    '<member><Type>Resource</Type><ResourceChange><Action>Add</Action><LogicalResourceId>Table</LogicalResourceId><ResourceType>AWS::DynamoDB::Table</ResourceType></ResourceChange></member>';
  return `<StackName>${name}</StackName><StackId>${id}</StackId><ChangeSetId>${changeSetId(name)}</ChangeSetId><ChangeSetName>cdk-deploy-change-set</ChangeSetName><Status>CREATE_COMPLETE</Status><ExecutionStatus>AVAILABLE</ExecutionStatus><CreationTime>2026-11-21T00:00:00Z</CreationTime><Changes>${change}</Changes>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

function result(action: string, inner: string): Answer {
  return { text: `<${action}Response><${action}Result>${inner}</${action}Result></${action}Response>` };
}

function refused(message: string, code = 'ValidationError'): Answer {
  const error = `<Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error>`;
  return { status: 400, text: `<ErrorResponse>${error}</ErrorResponse>` };
}

const STS =
  '<Response><GetCallerIdentityResult><Account>123456789012</Account><Arn>arn:aws:iam::123456789012:user/operator</Arn></GetCallerIdentityResult><AssumeRoleResult><Credentials><AccessKeyId>role</AccessKeyId><SecretAccessKey>secret</SecretAccessKey><SessionToken>token</SessionToken><Expiration>2099-01-01T00:00:00Z</Expiration></Credentials></AssumeRoleResult></Response>';
