import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { dirname, join } from 'node:path';

export interface Run {
  /** What Lambda is told about each event: the function's answer, or the error that its caller gets. */
  readonly outcomes: readonly unknown[];
  /** The lines of its log. */
  readonly log: readonly string[];
}

const CLIENT = join(import.meta.dirname, 'aws-lambda-ric');

/**
 * Has a bundle handle events one after the other, in a process that knows nothing else, under AWS's own runtime client for
 * Node.js. Its JavaScript is here as published (aws-lambda-ric 4.0.2, decision 36); as a dependency it would compile curl in each `npm ci`.
 */
export async function runInLambda(
  file: string,
  events: readonly unknown[],
  environment: NodeJS.ProcessEnv,
): Promise<Run> {
  const child = spawn(process.execPath, [...FLAGS, join(CLIENT, 'index.mjs')], {
    env: { ...RUNTIME, ...environment, LAMBDA_TASK_ROOT: dirname(file) },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (text) => {
      log += text;
    });
  }
  const closed = once(child, 'close');
  const outcomes: unknown[] = [];
  for (const event of events) {
    child.send(invocation(event));
    const [outcome] = await Promise.race([once(child, 'message'), closed]);
    if (typeof outcome !== 'string') throw new Error(`The function ended before it answered: ${log}`);
    outcomes.push(JSON.parse(outcome));
  }
  child.send('no more');
  await closed;
  return { outcomes, log: log.split('\n').filter(Boolean) };
}

/** What Lambda switches off in its Node.js, and the stand-in for the compiled part. */
const FLAGS = [
  '--no-experimental-require-module',
  '--no-experimental-detect-module',
  '--require',
  join(CLIENT, 'native-client.cjs'),
];

/** What Lambda tells every function that logs as ours do. */
const RUNTIME = {
  _HANDLER: 'index.handler',
  AWS_LAMBDA_RUNTIME_API: '127.0.0.1:9001',
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

function invocation(event: unknown) {
  return {
    bodyJson: JSON.stringify(event),
    headers: {
      'lambda-runtime-aws-request-id': randomUUID(),
      'lambda-runtime-invoked-function-arn': 'arn:aws:lambda:us-east-1:123456789012:function:momo-kiosk-dev-function',
      'lambda-runtime-deadline-ms': String(Date.now() + 10_000),
    },
  };
}
