import { AwsClient } from 'aws4fetch';
import { idOfSecret, readDivided } from './divided-secret.ts';
import { environment, functionVariable } from './environment.ts';

interface Request extends Pick<RequestInit, 'headers' | 'body' | 'signal'> {
  readonly endpoint?: string | undefined;
  readonly retries?: number;
}

/**
 * Sends a POST request to an AWS service, signed with the function's role. Adds 8 KB to a bundle; an SDK client would
 * add 14 KB.
 * @throws if the service does not respond.
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
  // SDK clients read this variable on their own.
  const host = endpoint || process.env.AWS_ENDPOINT_URL || `https://${service}.${region}.amazonaws.com`;
  return client.fetch(`${host.replace(/\/$/, '')}${path}`, { ...init, method: 'POST' });
}

export type SecretName = 'GATEWAY_ACCOUNTS';

export async function readSecret(name: SecretName): Promise<string> {
  const text = process.env[name];
  if (text !== undefined) return text;
  const first = environment(`${name}_SECRET`);
  const signal = AbortSignal.timeout(SECRET_TIMEOUT_MS);
  return readDivided((number) => fetchSecret(idOfSecret(first, number), signal));
}

/** Timeout for reading a secret. Must be shorter than the timeout of every function that reads one. */
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
  throw new Error(`Secrets Manager responded with ${response.status} for ${id}`);
}

/** Timeout for calling a function. API Gateway's timeout is thirty seconds. */
const CALL_TIMEOUT_MS = 28_000;

/**
 * Calls a function and waits for its response. `LAMBDA_ENDPOINT` is set on the local stack.
 * @throws if the call fails or times out.
 */
export async function callFunction(name: string, question: object): Promise<unknown> {
  const path = `/2015-03-31/functions/${environment(functionVariable(name))}/invocations`;
  const response = await askAws('lambda', path, {
    endpoint: process.env.LAMBDA_ENDPOINT,
    body: JSON.stringify(question),
    signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
    // Do not retry: the function may have run even if the call failed.
    retries: 0,
  });
  // Lambda responds with 200 and this header if the function throws.
  if (response.ok && !response.headers.has('x-amz-function-error')) return response.json();
  throw new Error(`${name} failed (${response.status}). The function’s log shows the reason.`);
}
