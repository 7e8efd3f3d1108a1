import { ArnFormat, Stack } from 'aws-cdk-lib';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { manifest, service } from '../../functions/manifest.ts';
import { idOf } from '../../shared/runtime/stage/names.ts';
import type { Row } from '../../shared/runtime/triggers/row.ts';
import type { Settings } from './settings.ts';

/**
 * The rights of a function that looks after its stage: to see how everything of the stage is, and to retry or drop dead
 * letters. The stage's parts are named and not referred to, which would tie the deployments of two stacks together.
 */
export function stageRights(
  scope: Construct,
  { name: stack }: Settings,
  { tableArn }: Pick<Table, 'tableArn'>,
): PolicyStatement[] {
  const onStream = Object.entries<Row>(manifest).flatMap(([name, row]) => (row.on === 'stream' ? [idOf(name)] : []));
  const queue = (name: string) => Stack.of(scope).formatArn({ service: 'sqs', resource: `${stack}-${name}` });
  const jobs = service.queues.map(queue);
  const letters = [...service.queues, ...onStream].map((name) => queue(`${name}-dead-letters`));
  const fn = (id: string) =>
    Stack.of(scope).formatArn({
      service: 'lambda',
      resource: 'function',
      resourceName: `${stack}-${id}`,
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    });
  const named = (of: string, resource: string, resourceName: string) =>
    Stack.of(scope).formatArn({ service: of, resource, resourceName });
  return [
    allow(['sqs:GetQueueUrl', 'sqs:GetQueueAttributes'], [...jobs, ...letters]),
    allow(['sqs:SendMessage'], jobs),
    allow(['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:ChangeMessageVisibility'], letters),
    allow(['lambda:InvokeFunction'], onStream.map(fn)),
    allow(['dynamodb:GetShardIterator', 'dynamodb:GetRecords'], [`${tableArn}/stream/*`]),
    allow(['dynamodb:DescribeTable', 'dynamodb:DescribeTimeToLive', 'dynamodb:DescribeContinuousBackups'], [tableArn]),
    allow(['cloudformation:DescribeStacks'], [named('cloudformation', 'stack', `${stack}/*`)]),
    allow(['lambda:GetFunctionConfiguration'], [fn('*')]),
    allow(['events:DescribeRule'], [named('events', 'rule', `${stack}-*`)]),
    allow(
      ['sns:ListSubscriptionsByTopic'],
      [Stack.of(scope).formatArn({ service: 'sns', resource: `${stack}-alarms` })],
    ),
    // These know no single resource. All of them only read, and what they tell of other services in the account are names
    // and figures.
    allow(
      [
        'cloudwatch:DescribeAlarms',
        'cloudwatch:GetMetricData',
        'events:ListRuleNamesByTarget',
        'lambda:GetAccountSettings',
        'lambda:ListEventSourceMappings',
      ],
      ['*'],
    ),
  ];
}

function allow(actions: string[], resources: string[]): PolicyStatement {
  return new PolicyStatement({ actions, resources });
}
