import {
  CloudFormationClient,
  CloudFormationServiceException,
  DeleteStackCommand,
  DescribeStacksCommand,
  UpdateTerminationProtectionCommand,
} from '@aws-sdk/client-cloudformation';
import {
  CloudWatchClient,
  type Dimension,
  GetMetricDataCommand,
  paginateDescribeAlarms,
} from '@aws-sdk/client-cloudwatch';
import {
  DescribeRuleCommand,
  EventBridgeClient,
  ListTargetsByRuleCommand,
  ResourceNotFoundException as RuleNotFoundException,
} from '@aws-sdk/client-eventbridge';
import {
  DeleteFunctionConcurrencyCommand,
  GetAccountSettingsCommand,
  GetFunctionCommand,
  InvokeCommand,
  LambdaClient,
  ResourceNotFoundException as NoFunctionException,
  PutFunctionConcurrencyCommand,
  paginateListEventSourceMappings,
  TagResourceCommand,
  UntagResourceCommand,
} from '@aws-sdk/client-lambda';
import {
  CreateSecretCommand,
  DeleteSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  paginateListSecrets,
  ResourceNotFoundException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { paginateListSubscriptionsByTopic, SNSClient } from '@aws-sdk/client-sns';
import { idOfSecret, readDivided, writeDivided } from '../outside/divided-secret.ts';
import { MINUTE_MS } from '../values/calendar.ts';
import { gatewayAccountsName, IAM_REFUSALS, partStackName } from './names.ts';
import { OperatorError } from './operator-error.ts';

export interface Aws {
  stack(part?: string): Promise<DeployedStack | undefined>;
  /** Starts deleting a stack, even a protected one. Keeps retained resources. */
  deleteStack(part?: string): Promise<void>;
  deployedFunction(functionId: string): Promise<DeployedFunction | undefined>;
  /** Reserves concurrency for a function. 0 stops the function; undefined returns it to the account's shared pool. */
  reserve(functionId: string, executions: number | undefined): Promise<void>;
  /** Tags a function with its reserved concurrency before `stage stop`. Removes the tag if `value` is undefined. */
  noteBeforeStop(fn: DeployedFunction, value: DeployedFunction['beforeStop']): Promise<void>;
  /** Lists the alarms that notify this stage's topic. Alarm names are ambiguous, because stages can share a prefix. */
  alarms(topicArn: string): Promise<{ name: string; state: string; description: string; isMuted: boolean }[]>;
  subscriptions(topicArn: string): Promise<{ endpoint: string; isConfirmed: boolean }[]>;
  mappings(functionId: string): Promise<Mapping[]>;
  readers(sourceArn: string): Promise<(Mapping & { readonly functionName: string })[]>;
  rule(functionId: string): Promise<Rule | undefined>;
  concurrencyLimit(): Promise<number>;
  throttles(functionNames: readonly string[]): Promise<ReadonlyMap<string, number>>;
  iamRefusals(): Promise<number>;
  /** Returns the age in seconds of each queue's oldest message, or 0 for an empty queue. */
  oldestMessageSeconds(queueNames: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Calls a function with an event. @throws if the function crashes. */
  invoke(functionId: string, event: object): Promise<unknown>;
  readonly gatewayAccounts: SecretText;
  /** Deletes the gateway accounts' secrets immediately and irrevocably. Returns their names. */
  deleteGatewayAccounts(): Promise<string[]>;
}

export interface DeployedStack {
  readonly status: string;
  readonly reason?: string | undefined;
  readonly outputs: Readonly<Record<string, string>>;
}

export interface DeployedFunction {
  readonly arn: string;
  /** Reserved concurrency, which is also the maximum. Undefined if the function uses the shared pool. */
  readonly reserved: number | undefined;
  /** Reserved concurrency before `stage stop`. Undefined if the function was not stopped. */
  readonly beforeStop: number | 'none' | undefined;
}

export interface SecretText {
  read(): Promise<string>;
  write(text: string): Promise<void>;
}

const newClients = () => ({
  cloudFormation: new CloudFormationClient(),
  cloudWatch: new CloudWatchClient(),
  events: new EventBridgeClient(),
  lambda: new LambdaClient(),
  secrets: new SecretsManagerClient(),
  sns: new SNSClient(),
});

export function openAws(
  name: string,
  { cloudFormation, cloudWatch, events, lambda, secrets, sns }: ReturnType<typeof newClients> = newClients(),
): Aws {
  return {
    stack: (part) => describeStack(cloudFormation, stackOf(part)),
    async deleteStack(part) {
      const StackName = stackOf(part);
      await cloudFormation.send(
        new UpdateTerminationProtectionCommand({ StackName, EnableTerminationProtection: false }),
      );
      await cloudFormation.send(new DeleteStackCommand({ StackName }));
    },
    deployedFunction: (functionId) => findFunction(lambda, `${name}-${functionId}`),
    async reserve(functionId, executions) {
      const FunctionName = `${name}-${functionId}`;
      if (executions === undefined) await lambda.send(new DeleteFunctionConcurrencyCommand({ FunctionName }));
      else
        await lambda.send(
          new PutFunctionConcurrencyCommand({ FunctionName, ReservedConcurrentExecutions: executions }),
        );
    },
    async noteBeforeStop({ arn: Resource }, value) {
      if (value === undefined) await lambda.send(new UntagResourceCommand({ Resource, TagKeys: [BEFORE_STOP] }));
      else await lambda.send(new TagResourceCommand({ Resource, Tags: { [BEFORE_STOP]: String(value) } }));
    },
    alarms: (topicArn) => listAlarms(cloudWatch, `${name}-`, topicArn),
    subscriptions: (topicArn) => listSubscriptions(sns, topicArn),
    mappings: (functionId) => listMappings(lambda, { FunctionName: `${name}-${functionId}` }),
    readers: (EventSourceArn) => listMappings(lambda, { EventSourceArn }),
    rule: (functionId) => findRule(events, `${name}-${functionId}`),
    concurrencyLimit: async () => {
      const { AccountLimit } = await lambda.send(new GetAccountSettingsCommand());
      return AccountLimit?.ConcurrentExecutions ?? 0;
    },
    throttles: (functionNames) =>
      measure(
        cloudWatch,
        { namespace: 'AWS/Lambda', metric: 'Throttles', statistic: 'Sum', minutes: 60 },
        { name: 'FunctionName', values: functionNames },
      ),
    async iamRefusals() {
      const metric = { namespace: name, metric: IAM_REFUSALS, statistic: 'Sum', minutes: 60 } as const;
      return (await measure(cloudWatch, metric)).get('') ?? 0;
    },
    oldestMessageSeconds: (queueNames) =>
      measure(
        cloudWatch,
        { namespace: 'AWS/SQS', metric: 'ApproximateAgeOfOldestMessage', statistic: 'Maximum', minutes: 5 },
        { name: 'QueueName', values: queueNames },
      ),
    async invoke(functionId, event) {
      const { FunctionError, Payload } = await lambda.send(
        new InvokeCommand({ FunctionName: `${name}-${functionId}`, Payload: JSON.stringify(event) }),
      );
      if (FunctionError) throw new OperatorError(`The function ${functionId} crashed. Its log shows the reason.`);
      return JSON.parse(Payload?.transformToString() ?? 'null');
    },
    gatewayAccounts: secretText(secrets, gatewayAccountsName(name)),
    deleteGatewayAccounts: () => deleteSecrets(secrets, gatewayAccountsName(name)),
  };

  function stackOf(part: string | undefined): string {
    return part === undefined ? name : partStackName(name, part);
  }
}

async function describeStack(cloudFormation: CloudFormationClient, name: string): ReturnType<Aws['stack']> {
  try {
    const { Stacks } = await cloudFormation.send(new DescribeStacksCommand({ StackName: name }));
    const [stack] = Stacks ?? [];
    if (!stack) return undefined;
    const outputs = (stack.Outputs ?? []).map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]);
    return {
      status: String(stack.StackStatus),
      reason: stack.StackStatusReason,
      outputs: Object.fromEntries(outputs),
    };
  } catch (error) {
    // AWS has no error class for a missing stack.
    if (error instanceof CloudFormationServiceException && error.message.includes('does not exist')) return undefined;
    throw error;
  }
}

/** Tag set by `stage stop`. */
const BEFORE_STOP = 'reserved-before-stop';

async function findFunction(client: LambdaClient, FunctionName: string): ReturnType<Aws['deployedFunction']> {
  try {
    const found = await client.send(new GetFunctionCommand({ FunctionName }));
    const { Configuration, Concurrency, Tags = {}, TagsError } = found;
    // A second stop that cannot read the tags would overwrite the original reservation.
    if (TagsError) throw new OperatorError(`The tags of ${FunctionName} cannot be read: ${TagsError.Message}`);
    const before = Tags[BEFORE_STOP];
    return {
      arn: Configuration?.FunctionArn ?? '',
      reserved: Concurrency?.ReservedConcurrentExecutions,
      beforeStop: before === undefined || before === 'none' ? before : Number(before),
    };
  } catch (error) {
    if (error instanceof NoFunctionException) return undefined;
    throw error;
  }
}

async function listAlarms(
  client: CloudWatchClient,
  AlarmNamePrefix: string,
  topicArn: string,
): ReturnType<Aws['alarms']> {
  const found = [];
  for await (const { MetricAlarms } of paginateDescribeAlarms({ client }, { AlarmNamePrefix })) {
    for (const alarm of MetricAlarms ?? []) {
      const { AlarmName = '', StateValue = '', AlarmDescription = '', AlarmActions, ActionsEnabled = true } = alarm;
      if (AlarmActions?.includes(topicArn))
        found.push({ name: AlarmName, state: StateValue, description: AlarmDescription, isMuted: !ActionsEnabled });
    }
  }
  return found;
}

async function listSubscriptions(client: SNSClient, TopicArn: string): ReturnType<Aws['subscriptions']> {
  const found = [];
  for await (const { Subscriptions } of paginateListSubscriptionsByTopic({ client }, { TopicArn })) {
    for (const { Endpoint = '', SubscriptionArn = '' } of Subscriptions ?? []) {
      // The ARN is `PendingConfirmation` until the recipient confirms by e-mail.
      found.push({ endpoint: Endpoint, isConfirmed: SubscriptionArn.startsWith('arn:') });
    }
  }
  return found;
}

function secretText(secrets: SecretsManagerClient, first: string): SecretText {
  return { read: () => readDivided(readOne), write: (text) => writeDivided(text, writeOne) };

  async function readOne(number: number): Promise<string> {
    const SecretId = idOfSecret(first, number);
    try {
      return (await secrets.send(new GetSecretValueCommand({ SecretId }))).SecretString ?? '';
    } catch (error) {
      if (!(error instanceof ResourceNotFoundException)) throw error;
      throw new OperatorError(
        `There is no secret ${SecretId}. Deploy the stage first, or check the AWS region in use.`,
      );
    }
  }

  async function writeOne(number: number, SecretString: string): Promise<void> {
    const SecretId = idOfSecret(first, number);
    try {
      await secrets.send(new PutSecretValueCommand({ SecretId, SecretString }));
    } catch (error) {
      if (number === 1 || !(error instanceof ResourceNotFoundException)) throw error;
      await secrets.send(new CreateSecretCommand({ Name: SecretId, SecretString }));
    }
  }
}

async function deleteSecrets(client: SecretsManagerClient, first: string): Promise<string[]> {
  const names: string[] = [];
  const Filters = [{ Key: 'name' as const, Values: [first] }];
  for await (const { SecretList = [] } of paginateListSecrets({ client }, { Filters }))
    names.push(
      ...SecretList.flatMap(({ Name = '' }) => (Name === first || Name.startsWith(`${first}/`) ? [Name] : [])),
    );
  // Deleting without recovery frees the names for the next deployment.
  for (const SecretId of names)
    await client.send(new DeleteSecretCommand({ SecretId, ForceDeleteWithoutRecovery: true }));
  return names;
}

interface Measurement {
  readonly namespace: string;
  readonly metric: string;
  readonly statistic: 'Sum' | 'Maximum';
  readonly minutes: number;
}

/** Returns a metric's sums over the last `minutes`, keyed by dimension value ('' for a metric without dimensions). */
async function measure(
  cloudWatch: CloudWatchClient,
  { namespace: Namespace, metric: MetricName, statistic: Stat, minutes }: Measurement,
  dimension: { readonly name?: string; readonly values: readonly string[] } = { values: [''] },
): Promise<ReadonlyMap<string, number>> {
  const EndTime = new Date();
  const { MetricDataResults = [] } = await cloudWatch.send(
    new GetMetricDataCommand({
      StartTime: new Date(EndTime.getTime() - minutes * MINUTE_MS),
      EndTime,
      MetricDataQueries: dimension.values.map((Value, n) => {
        const Dimensions: Dimension[] = dimension.name ? [{ Name: dimension.name, Value }] : [];
        return {
          Id: `m${n}`,
          MetricStat: { Metric: { Namespace, MetricName, Dimensions }, Period: 60, Stat },
        };
      }),
    }),
  );
  const ofMinutes = new Map(MetricDataResults.map(({ Id, Values = [] }) => [Id, Values]));
  return new Map(
    dimension.values.map((value, n) => {
      const found = ofMinutes.get(`m${n}`) ?? [];
      return [value, Stat === 'Sum' ? found.reduce((sum, each) => sum + each, 0) : Math.max(0, ...found)];
    }),
  );
}

export interface Mapping {
  readonly id: string;
  readonly source: string;
  readonly state: string;
}

export interface Rule {
  readonly name: string;
  readonly isEnabled: boolean;
}

export async function listMappings(
  client: LambdaClient,
  of: { readonly FunctionName: string } | { readonly EventSourceArn: string },
): ReturnType<Aws['readers']> {
  const found = [];
  for await (const { EventSourceMappings } of paginateListEventSourceMappings({ client }, of)) {
    for (const { UUID = '', EventSourceArn = '', State = '', FunctionArn = '' } of EventSourceMappings ?? [])
      found.push({ id: UUID, source: EventSourceArn, state: State, functionName: FunctionArn.split(':').at(6) ?? '' });
  }
  return found;
}

export async function findRule(client: EventBridgeClient, Name: string): Promise<Rule | undefined> {
  try {
    const { State } = await client.send(new DescribeRuleCommand({ Name }));
    const { Targets = [] } = await client.send(new ListTargetsByRuleCommand({ Rule: Name }));
    return Targets.length > 0 ? { name: Name, isEnabled: State !== 'DISABLED' } : undefined;
  } catch (error) {
    if (error instanceof RuleNotFoundException) return undefined;
    throw error;
  }
}
