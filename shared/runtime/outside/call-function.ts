import { askAws } from './ask-aws.ts';
import { environment, functionVariable } from './environment.ts';

/** Below the thirty seconds for which API Gateway waits for whoever calls. */
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
