import { ArnFormat, Stack, Validations } from 'aws-cdk-lib';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement, type Role } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { manifest, service } from '../../functions/manifest.ts';
import { deadLettersOf, idOf, partStackName } from '../../shared/runtime/stage/names.ts';
import type { Row } from '../../shared/runtime/triggers/row.ts';
import type { Settings } from './settings.ts';

/** Allows a function to call another by name. A reference would couple the two deployments. */
export function mayCall(scope: Construct, { name: stack }: Settings, name: string): PolicyStatement {
  const resourceName = `${stack}-${idOf(name)}`;
  const arnFormat = ArnFormat.COLON_RESOURCE_NAME;
  const arn = Stack.of(scope).formatArn({ service: 'lambda', resource: 'function', resourceName, arnFormat });
  return allow(['lambda:InvokeFunction'], [arn]);
}

/** Returns the permissions for operations: inspecting the stage, and retrying or dropping dead letters. */
export function stageRights(scope: Construct, settings: Settings, table: ITable): PolicyStatement[] {
  const { name: stack } = settings;
  const arn = (of: string, resource: string) => Stack.of(scope).formatArn({ service: of, resource });
  const ofKind = (on: Row['on']) =>
    Object.entries<Row>(manifest).flatMap(([name, row]) => (row.on === on ? [name] : []));
  const queues = (names: readonly string[]) => names.map((name) => arn('sqs', `${stack}-${name}`));
  const jobs = queues(service.queues);
  const letters = queues([...service.queues, ...ofKind('stream').map(idOf)].map(deadLettersOf));
  return [
    allow(['sqs:GetQueueUrl', 'sqs:GetQueueAttributes'], [...jobs, ...letters]),
    allow(['sqs:SendMessage'], jobs),
    allow(['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:ChangeMessageVisibility'], letters),
    ...ofKind('stream').map((name) => mayCall(scope, settings, name)),
    allow(['dynamodb:GetShardIterator', 'dynamodb:GetRecords'], [arn('dynamodb', streamsOf(settings))]),
    allow(
      ['dynamodb:DescribeTable', 'dynamodb:DescribeTimeToLive', 'dynamodb:DescribeContinuousBackups'],
      [table.tableArn],
    ),
    allow(
      ['cloudformation:DescribeStacks'],
      stacksOf(settings).map((name) => arn('cloudformation', name)),
    ),
    allow(
      ['events:DescribeRule', 'events:ListTargetsByRule'],
      ofKind('schedule').map((name) => arn('events', `rule/${stack}-${idOf(name)}`)),
    ),
    allow(['lambda:GetFunction', 'lambda:ListTags'], [functionsOf(scope, settings)]),
    allow(['sns:ListSubscriptionsByTopic'], [arn('sns', `${stack}-alarms`)]),
    // AWS does not let these actions be limited to resources. They read only names and metrics, but also read those of
    // other stacks.
    allow(
      [
        'cloudwatch:DescribeAlarms',
        'cloudwatch:GetMetricData',
        'lambda:GetAccountSettings',
        'lambda:ListEventSourceMappings',
      ],
      ['*'],
    ),
  ];
}

/** Returns the stack's ARNs with any id. AWS does not document which id IAM checks for a request by name. */
function stacksOf({ name }: Settings): string[] {
  return [name, ...service.parts.map((part) => partStackName(name, part.name))].map((stack) => `stack/${stack}/*`);
}

function functionsOf(scope: Construct, { name }: Settings): string {
  const arnFormat = ArnFormat.COLON_RESOURCE_NAME;
  return Stack.of(scope).formatArn({ service: 'lambda', resource: 'function', resourceName: `${name}-*`, arnFormat });
}

/** Returns a pattern for the table's streams. Earlier streams stay readable for a day. */
function streamsOf({ tableName }: Settings): string {
  return `table/${tableName}/stream/*`;
}

export function acknowledgeStageRights(role: Role, settings: Settings): void {
  Validations.of(role).acknowledge({
    id: 'AwsSolutions-IAM5[Resource::*]',
    reason:
      'AWS has no narrower resource for reading alarms, metrics, the account’s limit and a function’s event sources.',
  });
  for (const stack of stacksOf(settings))
    acknowledgeStar(role, 'cloudformation', stack, 'A stack that is created again gets a new id.');
  acknowledgeStar(
    role,
    'lambda',
    `function:${settings.name}-*`,
    'A role has no room for ninety names, and this permission only reads.',
  );
  const because = 'A table gets a new stream each time streaming is switched on.';
  acknowledgeStar(role, 'dynamodb', streamsOf(settings), because);
}

export function acknowledgeStar(role: Role, service: string, resource: string, reason: string): void {
  const arn = `arn:<AWS::Partition>:${service}:<AWS::Region>:<AWS::AccountId>:${resource}`;
  Validations.of(role).acknowledge({ id: `AwsSolutions-IAM5[Resource::${arn}]`, reason });
}

export function allow(actions: string[], resources: string[]): PolicyStatement {
  return new PolicyStatement({ actions, resources });
}
