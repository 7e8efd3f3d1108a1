import {
  DescribeRuleCommand,
  type EventBridgeClient,
  ListTargetsByRuleCommand,
  ResourceNotFoundException,
} from '@aws-sdk/client-eventbridge';
import { type LambdaClient, paginateListEventSourceMappings } from '@aws-sdk/client-lambda';

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

/** Undefined where there is none, or it calls nothing. */
export async function findRule(client: EventBridgeClient, Name: string): Promise<Rule | undefined> {
  try {
    const { State } = await client.send(new DescribeRuleCommand({ Name }));
    const { Targets = [] } = await client.send(new ListTargetsByRuleCommand({ Rule: Name }));
    return Targets.length > 0 ? { name: Name, isEnabled: State !== 'DISABLED' } : undefined;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}
