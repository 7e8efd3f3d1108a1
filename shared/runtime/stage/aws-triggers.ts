import { DescribeRuleCommand, type EventBridgeClient, ListRuleNamesByTargetCommand } from '@aws-sdk/client-eventbridge';
import {
  GetFunctionConfigurationCommand,
  type LambdaClient,
  paginateListEventSourceMappings,
  ResourceNotFoundException,
} from '@aws-sdk/client-lambda';

/** What feeds a function from a queue or a stream. */
export interface Mapping {
  readonly id: string;
  /** The ARN of the queue or the stream. */
  readonly source: string;
  /** `Enabled`, `Disabled`, or what it is changing to. */
  readonly state: string;
}

/** What calls a function on a schedule. */
export interface Rule {
  readonly name: string;
  readonly isEnabled: boolean;
}

export async function listMappings(client: LambdaClient, FunctionName: string): Promise<Mapping[]> {
  const found: Mapping[] = [];
  for await (const { EventSourceMappings } of paginateListEventSourceMappings({ client }, { FunctionName })) {
    for (const { UUID = '', EventSourceArn = '', State = '' } of EventSourceMappings ?? [])
      found.push({ id: UUID, source: EventSourceArn, state: State });
  }
  return found;
}

/** None where the function does not exist. */
export async function listRules(
  lambda: LambdaClient,
  client: EventBridgeClient,
  functionName: string,
): Promise<Rule[]> {
  const TargetArn = await arnOf(lambda, functionName);
  const found: Rule[] = [];
  if (!TargetArn) return found;
  // A hundred to a page, and there is one.
  const { RuleNames = [] } = await client.send(new ListRuleNamesByTargetCommand({ TargetArn }));
  for (const Name of RuleNames) {
    const { State } = await client.send(new DescribeRuleCommand({ Name }));
    found.push({ name: Name, isEnabled: State !== 'DISABLED' });
  }
  return found;
}

async function arnOf(lambda: LambdaClient, FunctionName: string): Promise<string | undefined> {
  try {
    return (await lambda.send(new GetFunctionConfigurationCommand({ FunctionName }))).FunctionArn;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}
