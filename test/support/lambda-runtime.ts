import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { dirname, join } from 'node:path';
import { json } from 'node:stream/consumers';
import { startServer } from './server.ts';

export interface Run {
  /** For each event, the function's response or the error it reported. */
  readonly outcomes: readonly unknown[];
  readonly log: readonly string[];
}

/** Runs a bundle in its own process and sends it events through a fake Lambda Runtime API (decision 37). */
export async function runInLambda(
  file: string,
  events: readonly unknown[],
  environment: NodeJS.ProcessEnv,
): Promise<Run> {
  const outcomes: unknown[] = [];
  // Like Lambda, freezes the function while it waits for an event, then stops it.
  const api = await startServer((request, response) => void answer(request, response));
  const child = spawn(process.execPath, [...FLAGS, CLIENT], {
    env: { ...RUNTIME, ...environment, AWS_LAMBDA_RUNTIME_API: new URL(api.url).host, LAMBDA_TASK_ROOT: dirname(file) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (log += text));
  await once(child, 'close');
  await api.stop();
  if (outcomes.length < events.length) throw new Error(`The function ended before it responded: ${log}`);
  return { outcomes, log: log.split('\n').filter(Boolean) };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const id = String(outcomes.length);
    switch (`${request.method} ${request.url}`) {
      case `GET ${RUNTIME_API}/invocation/next`:
        if (outcomes.length === events.length) child.kill();
        else response.writeHead(200, headersOf(id)).end(JSON.stringify(events[outcomes.length]));
        return;
      case `POST ${RUNTIME_API}/init/error`:
        log += JSON.stringify(await json(request));
        break;
      case `POST ${RUNTIME_API}/invocation/${id}/response`:
      case `POST ${RUNTIME_API}/invocation/${id}/error`:
        outcomes.push(await json(request));
        break;
      default:
        log += `The Runtime API has no ${request.method} ${request.url}`;
        child.kill();
        return;
    }
    response.writeHead(202, { 'content-type': 'application/json' }).end('{"status":"OK"}');
  }
}

const CLIENT = join(import.meta.dirname, 'runtime-client.ts');
const RUNTIME_API = '/2018-06-01/runtime';

const FLAGS = ['--no-experimental-require-module', '--no-experimental-detect-module'];

/** Environment variables that Lambda sets. */
const RUNTIME = {
  _HANDLER: 'index.handler',
  AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
  AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
  AWS_LAMBDA_LOG_FORMAT: 'JSON',
  AWS_LAMBDA_LOG_LEVEL: 'INFO',
  AWS_LAMBDA_FUNCTION_NAME: 'momo-kiosk-dev-function',
  AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
  AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '512',
  AWS_LAMBDA_LOG_GROUP_NAME: '/aws/lambda/momo-kiosk-dev-function',
  AWS_LAMBDA_LOG_STREAM_NAME: '2026/11/20/[$LATEST]0123456789abcdef',
  TZ: ':UTC',
};

function headersOf(id: string) {
  return {
    'content-type': 'application/json',
    'lambda-runtime-aws-request-id': id,
    'lambda-runtime-invoked-function-arn': 'arn:aws:lambda:us-east-1:123456789012:function:momo-kiosk-dev-function',
    'lambda-runtime-deadline-ms': String(Date.now() + 10_000),
  };
}
