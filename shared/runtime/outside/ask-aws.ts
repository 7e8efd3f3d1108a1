import { setTimeout } from 'node:timers/promises';
import { Hash } from '@smithy/core/serde';
import { SignatureV4 } from '@smithy/signature-v4';
import { idOfSecret, readDivided } from './divided-secret.ts';
import { environment, functionVariable } from './environment.ts';

interface Request {
  readonly endpoint?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
}

/**
 * Sends a POST request to an AWS service, signed with the function's role. DynamoDB's client already bundles the signer;
 * an SDK client would add 14 KB.
 * @throws if the service does not respond.
 */
async function askAws(service: string, path: string, { endpoint, headers, body, signal }: Request): Promise<Response> {
  const region = environment('AWS_REGION');
  const sessionToken = process.env.AWS_SESSION_TOKEN;
  const credentials = {
    accessKeyId: environment('AWS_ACCESS_KEY_ID'),
    secretAccessKey: environment('AWS_SECRET_ACCESS_KEY'),
    ...(sessionToken && { sessionToken }),
  };
  // SDK clients read this variable on their own.
  const base = endpoint || process.env.AWS_ENDPOINT_URL || `https://${service}.${region}.amazonaws.com`;
  const url = new URL(`${base.replace(/\/$/, '')}${path}`);
  const signer = new SignatureV4({ service, region, credentials, sha256: Hash.bind(null, 'sha256') });
  const { protocol, hostname, host, pathname } = url;
  const place = { method: 'POST', protocol, hostname, path: pathname };
  const signed = await signer.sign({ ...place, headers: { ...headers, host }, body });
  return fetch(url, { method: 'POST', headers: signed.headers, body, signal });
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

/** Waits before each new attempt, while Secrets Manager is busy or faulty. */
const RETRY_AFTER_MS = [100, 200, 400, 800];

async function fetchSecret(id: string, signal: AbortSignal, attempt = 0): Promise<string> {
  const response = await askAws('secretsmanager', '/', {
    headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': 'secretsmanager.GetSecretValue' },
    body: JSON.stringify({ SecretId: id }),
    signal,
  });
  const answer: unknown = response.ok && (await response.json());
  if (typeof answer === 'object' && answer !== null && 'SecretString' in answer) {
    return String(answer.SecretString);
  }
  const pauseMs = RETRY_AFTER_MS[attempt];
  const isBusy = response.status === 429 || response.status >= 500;
  if (!isBusy || pauseMs === undefined) throw new Error(`Secrets Manager responded with ${response.status} for ${id}`);
  await setTimeout(pauseMs, undefined, { signal });
  return fetchSecret(id, signal, attempt + 1);
}

/** Timeout for calling a function. API Gateway's timeout is thirty seconds. */
const CALL_TIMEOUT_MS = 28_000;

/**
 * Calls a function and waits for its response. Never retries, because the function may have run. `LAMBDA_ENDPOINT` is
 * set on the local stack.
 * @throws if the call fails or times out.
 */
export async function callFunction(name: string, question: object): Promise<unknown> {
  const path = `/2015-03-31/functions/${environment(functionVariable(name))}/invocations`;
  const response = await askAws('lambda', path, {
    endpoint: process.env.LAMBDA_ENDPOINT,
    body: JSON.stringify(question),
    signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
  });
  // Lambda responds with 200 and this header if the function throws.
  if (response.ok && !response.headers.has('x-amz-function-error')) return response.json();
  throw new Error(`${name} failed (${response.status}). The function’s log shows the reason.`);
}
