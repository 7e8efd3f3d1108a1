import { AwsClient } from 'aws4fetch';
import { idOfSecret, readDivided } from './divided-secret.ts';
import { environment, functionVariable } from './environment.ts';

interface Request extends Pick<RequestInit, 'headers' | 'body' | 'signal'> {
  /** The local stack's, in place of AWS's. */
  readonly endpoint?: string | undefined;
  /** How often it is repeated where AWS is busy. */
  readonly retries?: number;
}

/**
 * One signed POST to an AWS service, in the region of the function and with its role. The library is 8 KB of a bundle, an SDK's
 * client 14. @throws if there is no answer.
 */
function askAws(service: string, path: string, { endpoint, retries, ...init }: Request): Promise<Response> {
  const region = environment('AWS_REGION');
  const client = new AwsClient({
    accessKeyId: environment('AWS_ACCESS_KEY_ID'),
    secretAccessKey: environment('AWS_SECRET_ACCESS_KEY'),
    sessionToken: process.env.AWS_SESSION_TOKEN,
    service,
    region,
    ...(retries !== undefined && { retries }),
  });
  // As the SDK's clients do, which read the variable by themselves.
  const host = endpoint || process.env.AWS_ENDPOINT_URL || `https://${service}.${region}.amazonaws.com`;
  return client.fetch(`${host.replace(/\/$/, '')}${path}`, { ...init, method: 'POST' });
}

export type SecretName = 'GATEWAY_ACCOUNTS';

/** A secret's text: the environment variable of its name on a laptop, on AWS what Secrets Manager has under the name that it names. */
export async function readSecret(name: SecretName): Promise<string> {
  const text = process.env[name];
  if (text !== undefined) return text;
  const first = environment(`${name}_SECRET`);
  // For all of them together.
  const signal = AbortSignal.timeout(SECRET_TIMEOUT_MS);
  return readDivided((number) => fetchSecret(idOfSecret(first, number), signal));
}

/** Below the timeout of every function that reads a secret, so that a silent Secrets Manager is an error in the log. */
export const SECRET_TIMEOUT_MS = 3_000;

async function fetchSecret(id: string, signal: AbortSignal): Promise<string> {
  const response = await askAws('secretsmanager', '/', {
    headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': 'secretsmanager.GetSecretValue' },
    body: JSON.stringify({ SecretId: id }),
    signal,
  });
  const answer: unknown = await response.json();
  if (response.ok && typeof answer === 'object' && answer !== null && 'SecretString' in answer) {
    return String(answer.SecretString);
  }
  throw new Error(`Secrets Manager answered ${response.status} for ${id}`);
}

/** Below the thirty seconds for which API Gateway waits for the caller. */
const CALL_TIMEOUT_MS = 28_000;

/** Calls a function and waits for its answer. `LAMBDA_ENDPOINT` is the local stack's. @throws if it fails, or takes too long. */
export async function callFunction(name: string, question: object): Promise<unknown> {
  const path = `/2015-03-31/functions/${environment(functionVariable(name))}/invocations`;
  const response = await askAws('lambda', path, {
    endpoint: process.env.LAMBDA_ENDPOINT,
    body: JSON.stringify(question),
    signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
    // Whether it ran is not known then.
    retries: 0,
  });
  // What a function throws is a 200 with this header.
  if (response.ok && !response.headers.has('x-amz-function-error')) return response.json();
  throw new Error(`${name} failed (${response.status}); its own log says why`);
}
