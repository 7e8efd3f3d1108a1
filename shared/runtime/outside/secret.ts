import { askAws } from './ask-aws.ts';
import { environment } from './environment.ts';

export type SecretName = 'GATEWAY_ACCOUNTS';

/** A secret's text: the environment variable of its name on a laptop, on AWS what Secrets Manager has under its ARN. */
export async function readSecret(name: SecretName): Promise<string> {
  return process.env[name] ?? fetchSecret(environment(`${name}_SECRET_ARN`));
}

/** Below the timeout of every function that reads a secret, so that a silent Secrets Manager is an error in the log. */
export const SECRET_TIMEOUT_MS = 3_000;

async function fetchSecret(arn: string): Promise<string> {
  const response = await askAws('secretsmanager', '/', {
    headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': 'secretsmanager.GetSecretValue' },
    body: JSON.stringify({ SecretId: arn }),
    signal: AbortSignal.timeout(SECRET_TIMEOUT_MS),
  });
  const answer: unknown = await response.json();
  if (response.ok && typeof answer === 'object' && answer !== null && 'SecretString' in answer) {
    return String(answer.SecretString);
  }
  throw new Error(`Secrets Manager answered ${response.status} for ${arn}`);
}
