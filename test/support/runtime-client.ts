import { createRequire } from 'node:module';
import { join } from 'node:path';

/**
 * The client side of Lambda's Runtime API for custom runtimes: loads the handler, requests events and posts responses.
 * `lambda-runtime.ts` is the server side.
 */
const {
  AWS_LAMBDA_RUNTIME_API,
  LAMBDA_TASK_ROOT = '',
  _HANDLER = '',
  AWS_LAMBDA_FUNCTION_NAME,
  AWS_LAMBDA_FUNCTION_VERSION,
  AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
  AWS_LAMBDA_LOG_GROUP_NAME,
  AWS_LAMBDA_LOG_STREAM_NAME,
} = process.env;
const runtime = `http://${AWS_LAMBDA_RUNTIME_API}/2018-06-01/runtime`;

try {
  const handler = load();
  for (;;) await handleNext(handler);
} catch (error) {
  await post('init/error', asError(error));
  process.exitCode = 1;
}

function load() {
  const [file = '', name = ''] = _HANDLER.split('.');
  const handler = createRequire(join(LAMBDA_TASK_ROOT, 'index.js'))(`./${file}`)[name];
  if (typeof handler !== 'function') throw new Error(`${_HANDLER} is undefined or not exported`);
  if (handler.length > 2) throw new Error('From Node.js 24 on, Lambda does not support handlers with a callback');
  return handler;
}

async function handleNext(handler: (event: unknown, context: object) => unknown): Promise<void> {
  const next = await fetch(`${runtime}/invocation/next`);
  const event = await next.json();
  const context = contextOf(next.headers);
  let outcome: ['response' | 'error', unknown];
  try {
    outcome = ['response', (await handler(event, context)) ?? null];
  } catch (error) {
    outcome = ['error', asError(error)];
  }
  await post(`invocation/${context.awsRequestId}/${outcome[0]}`, outcome[1]);
}

function contextOf(headers: Headers) {
  return {
    awsRequestId: headers.get('lambda-runtime-aws-request-id'),
    invokedFunctionArn: headers.get('lambda-runtime-invoked-function-arn'),
    functionName: AWS_LAMBDA_FUNCTION_NAME,
    functionVersion: AWS_LAMBDA_FUNCTION_VERSION,
    memoryLimitInMB: AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
    logGroupName: AWS_LAMBDA_LOG_GROUP_NAME,
    logStreamName: AWS_LAMBDA_LOG_STREAM_NAME,
    getRemainingTimeInMillis: () => Number(headers.get('lambda-runtime-deadline-ms')) - Date.now(),
  };
}

async function post(path: string, body: unknown): Promise<void> {
  const told = await fetch(`${runtime}/${path}`, { method: 'POST', body: JSON.stringify(body) });
  if (!told.ok) throw new Error(`Lambda responded to ${path} with status ${told.status}`);
}

function asError(error: unknown) {
  const { name, message, stack = '' } = error instanceof Error ? error : new Error(String(error));
  return { errorType: name, errorMessage: message, stackTrace: stack.split('\n') };
}
