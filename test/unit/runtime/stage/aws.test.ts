import { CloudFormationClient, CloudFormationServiceException } from '@aws-sdk/client-cloudformation';
import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { EventBridgeClient, ResourceNotFoundException as NoRule } from '@aws-sdk/client-eventbridge';
import { LambdaClient, ResourceNotFoundException as NoFunction } from '@aws-sdk/client-lambda';
import { ResourceNotFoundException, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SNSClient } from '@aws-sdk/client-sns';
import { expect, test } from 'vitest';
import { openAws } from '../../../../shared/runtime/stage/aws.ts';
import { missingAwsSetup } from '../../../../shared/runtime/stage/missing-aws-setup.ts';
import { OperatorError } from '../../../../shared/runtime/stage/operator-error.ts';

test('stack outputs are returned', async () => {
  const { aws, asked } = answering(() => ({
    Stacks: [{ StackStatus: 'CREATE_COMPLETE', Outputs: [{ OutputKey: 'ApiUrl', OutputValue: 'https://pay' }] }],
  }));
  expect(await aws.stack()).toEqual({ status: 'CREATE_COMPLETE', outputs: { ApiUrl: 'https://pay' } });
  expect(asked).toEqual([['DescribeStacksCommand', { StackName: 'momo-kiosk-test' }]]);
});

test('a stack is deleted after its protection is disabled', async () => {
  const { aws, asked } = answering(() => ({}));
  await aws.deleteStack('api');
  const StackName = 'momo-kiosk-test-api';
  expect(asked).toEqual([
    ['UpdateTerminationProtectionCommand', { StackName, EnableTerminationProtection: false }],
    ['DeleteStackCommand', { StackName }],
  ]);
});

test('a stop returns each function’s original concurrency', async () => {
  const arn = 'arn:aws:lambda:eu-west-1:1:function:momo-kiosk-test-sms-send';
  const answers: Record<string, object> = {
    'momo-kiosk-test-sms-send': {
      Configuration: { FunctionArn: arn },
      Concurrency: { ReservedConcurrentExecutions: 0 },
      Tags: { stage: 'test', 'reserved-before-stop': '20' },
    },
    'momo-kiosk-test-docs-page': { Configuration: {}, Tags: { 'reserved-before-stop': 'none' } },
    'momo-kiosk-test-not-found': { Configuration: {} },
    'momo-kiosk-test-secret': { Configuration: {}, TagsError: { ErrorCode: '403', Message: 'no right' } },
  };
  const { aws, asked } = answering(({ FunctionName }) => {
    const found = answers[String(FunctionName)];
    if (FunctionName && !found) throw new NoFunction({ $metadata: {}, message: 'no such function', Type: 'User' });
    return found ?? {};
  });
  const fn = await aws.deployedFunction('sms-send');
  expect(fn).toEqual({ arn, reserved: 0, beforeStop: 20 });
  expect(await aws.deployedFunction('docs-page')).toEqual({ arn: '', reserved: undefined, beforeStop: 'none' });
  expect(await aws.deployedFunction('not-found')).toEqual({ arn: '', reserved: undefined, beforeStop: undefined });
  expect(await aws.deployedFunction('gone')).toBeUndefined();
  await expect(aws.deployedFunction('secret')).rejects.toThrow(
    /tags of momo-kiosk-test-secret cannot be read: no right/,
  );
  asked.length = 0;
  if (fn) await aws.noteBeforeStop(fn, 'none');
  if (fn) await aws.noteBeforeStop(fn, undefined);
  await aws.reserve('not-found', 0);
  await aws.reserve('not-found', undefined);
  const FunctionName = 'momo-kiosk-test-not-found';
  expect(asked).toEqual([
    ['TagResourceCommand', { Resource: arn, Tags: { 'reserved-before-stop': 'none' } }],
    ['UntagResourceCommand', { Resource: arn, TagKeys: ['reserved-before-stop'] }],
    ['PutFunctionConcurrencyCommand', { FunctionName, ReservedConcurrentExecutions: 0 }],
    ['DeleteFunctionConcurrencyCommand', { FunctionName }],
  ]);
});

test('a stage’s gateway accounts are deleted with all secrets', async () => {
  const names = ['momo-kiosk-test/gateways', 'momo-kiosk-test/gateways/2', 'momo-kiosk-test/gateways-old'];
  const { aws, asked } = answering(() => ({ SecretList: names.map((Name) => ({ Name })) }));
  expect(await aws.deleteGatewayAccounts()).toEqual(names.slice(0, 2));
  expect(asked.slice(1)).toEqual(
    names.slice(0, 2).map((SecretId) => ['DeleteSecretCommand', { SecretId, ForceDeleteWithoutRecovery: true }]),
  );
});

test('a missing stack is returned as undefined', async () => {
  const failing = (message: string) =>
    answering(() => {
      throw new CloudFormationServiceException({ name: 'ValidationError', $fault: 'client', $metadata: {}, message });
    }).aws;
  expect(await failing('Stack with id momo-kiosk-test does not exist').stack()).toBeUndefined();
  await expect(failing('Rate exceeded').stack()).rejects.toThrow('Rate exceeded');
});

test('alarms of similarly named stages are excluded', async () => {
  const { aws, asked } = answering(({ NextToken }) => ({
    MetricAlarms: [
      {
        AlarmName: NextToken ? 'b' : 'a',
        StateValue: 'OK',
        AlarmDescription: 'Texts wait.',
        AlarmActions: ['arn:topic'],
        ...(NextToken ? { ActionsEnabled: false } : {}),
      },
      { AlarmName: 'c', StateValue: 'OK', AlarmDescription: 'Another’s.', AlarmActions: ['arn:another'] },
    ],
    ...(!NextToken && { NextToken: 'more' }),
  }));
  expect(await aws.alarms('arn:topic')).toEqual([
    { name: 'a', state: 'OK', description: 'Texts wait.', isMuted: false },
    { name: 'b', state: 'OK', description: 'Texts wait.', isMuted: true },
  ]);
  expect(asked[0]?.[1]).toMatchObject({ AlarmNamePrefix: 'momo-kiosk-test-' });
});

test('alarm subscribers are listed with their confirmation status', async () => {
  const { aws } = answering(() => ({
    Subscriptions: [
      { Endpoint: 'ama@example.com', SubscriptionArn: 'arn:aws:sns:eu-west-1:1:topic:2' },
      { Endpoint: 'kofi@example.com', SubscriptionArn: 'PendingConfirmation' },
    ],
  }));
  expect(await aws.subscriptions('arn:topic')).toEqual([
    { endpoint: 'ama@example.com', isConfirmed: true },
    { endpoint: 'kofi@example.com', isConfirmed: false },
  ]);
});

test('IAM denials are totalled over an hour', async () => {
  const { aws, asked } = answering(() => ({ MetricDataResults: [{ Id: 'm0', Values: [2, 3] }] }));
  expect(await aws.iamRefusals()).toBe(5);
  const metric = { Namespace: 'momo-kiosk-test', MetricName: 'iam refusals', Dimensions: [] };
  expect(asked).toMatchObject([
    ['GetMetricDataCommand', { MetricDataQueries: [{ MetricStat: { Metric: metric, Stat: 'Sum' } }] }],
  ]);
  const quiet = answering(() => ({ MetricDataResults: [{ Id: 'm0', Values: [] }] }));
  expect(await quiet.aws.iamRefusals()).toBe(0);
});

test('throttles are totalled over an hour', async () => {
  const { aws, asked } = answering(() => ({ MetricDataResults: [{ Id: 'm1', Values: [2, 3] }] }));
  expect([...(await aws.throttles(['a', 'b']))]).toEqual([
    ['a', 0],
    ['b', 5],
  ]);
  expect([...(await aws.oldestMessageSeconds(['a', 'b']))]).toEqual([
    ['a', 0],
    ['b', 3],
  ]);
  expect(asked).toMatchObject([
    ['GetMetricDataCommand', { MetricDataQueries: [{ Id: 'm0' }, { MetricStat: { Stat: 'Sum' } }] }],
    ['GetMetricDataCommand', { MetricDataQueries: [{ Id: 'm0' }, { MetricStat: { Stat: 'Maximum' } }] }],
  ]);
});

test('a crash in a called function is reported', async () => {
  const Payload = { transformToString: () => '{"batchItemFailures":[]}' };
  const { aws, asked } = answering(() => ({ Payload }));
  expect(await aws.invoke('work-relay', { Records: [] })).toEqual({ batchItemFailures: [] });
  expect(asked).toEqual([['InvokeCommand', { FunctionName: 'momo-kiosk-test-work-relay', Payload: '{"Records":[]}' }]]);
  const crashing = answering(() => ({ FunctionError: 'Unhandled', Payload })).aws;
  await expect(crashing.invoke('work-relay', {})).rejects.toThrow(OperatorError);
});

test('a function’s event source mappings are listed with their states', async () => {
  const FunctionArn = 'arn:aws:lambda:eu-west-1:1:function:deliver-sms';
  const source = 'arn:aws:sqs:eu-west-1:1:deliver-sms';
  const mapping = { UUID: 'u1', EventSourceArn: source, State: 'Disabled', FunctionArn };
  const found = { id: 'u1', source, state: 'Disabled', functionName: 'deliver-sms' };
  const { aws, asked } = answering(() => ({ EventSourceMappings: [mapping] }));
  expect(await aws.mappings('work-deliver-sms')).toEqual([found]);
  expect(await aws.readers('arn:stream')).toEqual([found]);
  expect(asked.map(([, input]) => input)).toMatchObject([
    { FunctionName: 'momo-kiosk-test-work-deliver-sms' },
    { EventSourceArn: 'arn:stream' },
  ]);
});

test('a function’s schedule rule is found by name', async () => {
  const { aws, asked } = answering((input) => {
    if (input.Name === 'momo-kiosk-test-gone') throw noRule();
    return input.Name ? { State: 'DISABLED' } : { Targets: String(input.Rule).endsWith('idle') ? [] : [{ Id: 't' }] };
  });
  const name = 'momo-kiosk-test-work-housekeeping';
  expect(await aws.rule('work-housekeeping')).toEqual({ name, isEnabled: false });
  expect(asked).toContainEqual(['ListTargetsByRuleCommand', { Rule: name }]);
  expect(await aws.rule('gone')).toBeUndefined();
  expect(await aws.rule('idle')).toBeUndefined();
});

test('the account’s concurrency limit is returned', async () => {
  const { aws } = answering(() => ({ AccountLimit: { ConcurrentExecutions: 10 } }));
  expect(await aws.concurrencyLimit()).toBe(10);
});

test('a missing secret causes an error that suggests deploying', async () => {
  const { aws } = answering(() => {
    throw new ResourceNotFoundException({ $metadata: {}, message: 'no such secret' });
  });
  await expect(aws.gatewayAccounts.read()).rejects.toThrow(/no secret momo-kiosk-test\/gateways\. Deploy/);
});

test('a second secret is created for an oversized value', async () => {
  const stored = new Map<string, string>([['momo-kiosk-test/gateways', '{}']]);
  const { aws, asked } = answering(({ SecretId, Name, SecretString }) => {
    const id = String(SecretId ?? Name);
    if (SecretId && !stored.has(id)) throw new ResourceNotFoundException({ $metadata: {}, message: 'no such secret' });
    if (SecretString) stored.set(id, String(SecretString));
    return { SecretString: stored.get(id) };
  });
  const text = JSON.stringify({
    phone: {
      signing_keys: Object.fromEntries(Array.from({ length: 2000 }, (_, n) => [`device-${n}`, 'k'.repeat(40)])),
    },
  });
  await aws.gatewayAccounts.write(text);
  await aws.gatewayAccounts.write(text);
  expect([...stored.keys()]).toEqual(['momo-kiosk-test/gateways', 'momo-kiosk-test/gateways/2']);
  expect(asked.filter(([command]) => command === 'CreateSecretCommand')).toHaveLength(1);
  expect(await aws.gatewayAccounts.read()).toBe(text);
});

test('a missing region or an expired sign-in is distinguished from other failures', () => {
  expect(missingAwsSetup(new Error('Region is missing'))).toMatch(/AWS_REGION/);
  expect(missingAwsSetup(Object.assign(new Error(), { name: 'ExpiredTokenException' }))).toMatch(/Sign in again/);
  expect(missingAwsSetup(new Error('Rate exceeded'))).toBeUndefined();
});

function noRule() {
  return new NoRule({ $metadata: {}, message: 'no such rule' });
}

/** Simulates AWS: returns `answer(input)` for every command and records the requests. */
function answering(answer: (input: Record<string, unknown>) => object) {
  const asked: [string, object][] = [];
  const region = { region: 'us-east-1' };
  const send = async (command: { input: object }) => {
    asked.push([command.constructor.name, command.input]);
    return answer({ ...command.input });
  };
  const clients = {
    cloudFormation: Object.assign(new CloudFormationClient(region), { send }),
    cloudWatch: Object.assign(new CloudWatchClient(region), { send }),
    events: Object.assign(new EventBridgeClient(region), { send }),
    lambda: Object.assign(new LambdaClient(region), { send }),
    secrets: Object.assign(new SecretsManagerClient(region), { send }),
    sns: Object.assign(new SNSClient(region), { send }),
  };
  return { aws: openAws('momo-kiosk-test', clients), asked };
}
