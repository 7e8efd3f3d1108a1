import { AwsClient } from 'aws4fetch';
import { environment, queueUrlVariable } from './environment.ts';
import { type Outside, realOutside } from './outside.ts';
import { openQueues, type Queues } from './queues.ts';

/** What a function that no caller waits for may do besides: queue jobs and read secrets. */
export interface WorkerOutside extends Outside {
  queues: Queues;
  /** The text of a secret. `name` is the environment variable that says where it is. */
  secret(name: SecretName): Promise<string>;
}

export type SecretName = 'GATEWAY_ACCOUNTS';

export function realWorkerOutside(): WorkerOutside {
  real ??= {
    ...realOutside(),
    queues: openQueues((queue) => environment(queueUrlVariable(queue)), process.env.SQS_ENDPOINT),
    secret: async (name) => process.env[name] ?? fetchSecret(environment(`${name}_SECRET_ARN`)),
  };
  return real;
}

let real: WorkerOutside | undefined;

/** One signed request, in place of an SDK client that would be a third of the function's bundle. */
async function fetchSecret(arn: string): Promise<string> {
  const region = environment('AWS_REGION');
  const client = new AwsClient({
    accessKeyId: environment('AWS_ACCESS_KEY_ID'),
    secretAccessKey: environment('AWS_SECRET_ACCESS_KEY'),
    sessionToken: process.env.AWS_SESSION_TOKEN,
    service: 'secretsmanager',
    region,
  });
  const response = await client.fetch(`https://secretsmanager.${region}.amazonaws.com/`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': 'secretsmanager.GetSecretValue' },
    body: JSON.stringify({ SecretId: arn }),
    signal: AbortSignal.timeout(5_000),
  });
  const answer: unknown = await response.json();
  if (response.ok && typeof answer === 'object' && answer !== null && 'SecretString' in answer) {
    return String(answer.SecretString);
  }
  throw new Error(`Secrets Manager answered ${response.status} for ${arn}`);
}
