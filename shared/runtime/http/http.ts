import { gzipSync } from 'node:zlib';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import type * as z from 'zod/mini';
import { logInvocation } from '../outside/log.ts';
import type { Outside } from '../outside/outside.ts';
import { realOutside } from '../outside/real-outside.ts';
import type { CalledRow } from '../triggers/row.ts';
import { type Answer, acceptsGzip } from './answer.ts';
import { answerError, type ErrorPage, publicErrorOf } from './answer-errors.ts';
import type { AnyCaller, Authenticate } from './caller.ts';
import { limitRate } from './limit-rate.ts';
import { refuseLargeBody } from './read-body.ts';
import { type HttpRequest, type Reading, requestOf } from './request.ts';

interface HttpOptions<Body, Caller extends AnyCaller> extends Reading<Body> {
  readonly authenticate?: Authenticate<Caller>;
  readonly errorPage?: ErrorPage;
}

type EventHandler = (event: APIGatewayProxyEventV2, context: Context) => Promise<Answer>;
export interface HttpHandler extends EventHandler {
  /** The same handler with another `Outside`: a test's or a simulation's. */
  readonly with: (outside: Outside) => EventHandler;
  /** Its row in the manifest, and the schema that parses its body. */
  readonly row: CalledRow;
  readonly body: z.core.$ZodType | undefined;
}

type Handle<Route, Body, Caller> = (
  request: HttpRequest<Route, Body>,
  outside: Outside,
  caller: Caller,
) => Promise<Answer>;

/**
 * Wraps a function behind API Gateway's HTTP API (payload 2.0): authentication, parsing, `handle`, and every error as the
 * envelope. Routes that take a key use `merchantRoute`, which calls this.
 */
export function http<const Route extends CalledRow, Body = undefined, Caller extends AnyCaller = undefined>(
  row: Route,
  options: HttpOptions<Body, Caller>,
  handle: Handle<Route, Body, Caller>,
): HttpHandler {
  const handlerWith =
    (outside: Outside): EventHandler =>
    async (event, context) =>
      forClient(event, await answerTo(event, context, { row, options, outside, handle }));
  let real: EventHandler | undefined;
  const handler: EventHandler = (event, context) => {
    logInvocation(context);
    real ??= handlerWith(realOutside());
    return real(event, context);
  };
  return Object.assign(handler, { with: handlerWith, row, body: options.body });
}

interface Answering<Route, Body, Caller extends AnyCaller> {
  readonly row: Route;
  readonly options: HttpOptions<Body, Caller>;
  readonly outside: Outside;
  readonly handle: Handle<Route, Body, Caller>;
}

/**
 * Who calls is known before the body is looked at, so that a stranger learns nothing about it; a caller who may not use the route is refused
 * after the rate, so that a loop of refusals has one too.
 */
async function answerTo<Route extends CalledRow, Body, Caller extends AnyCaller>(
  event: APIGatewayProxyEventV2,
  context: Context,
  { row, options, outside, handle }: Answering<Route, Body, Caller>,
): Promise<Answer> {
  const { http, requestId: request_id } = event.requestContext;
  const startedMs = outside.now();
  let caller: Caller | undefined;
  const log = ({ statusCode: status }: Answer, code?: string) => {
    // A request without a valid key or session has no line here: the access log of API Gateway has a line for every request, with all but
    // the merchant, the code and what the function itself took. `request_id` is the same in both.
    if (!caller || row.on === 'default') return;
    outside.log.info('request', {
      route: `${row.on === 'http' ? row.method : http.method} ${row.path}`,
      request_id,
      ...(caller.merchant_id && { merchant_id: caller.merchant_id }),
      ...(caller.user_id && { user_id: caller.user_id }),
      status,
      ...(code && { code }),
      duration_ms: outside.now() - startedMs,
    });
  };
  try {
    if (row.on !== 'default' && !(row.on === 'http' && row.method === 'GET'))
      refuseLargeBody(event, row.maxBodyKilobytes);
    caller = await options.authenticate?.(event, outside);
    if (caller) limitRate(outside, caller.rate);
    if (caller?.refusal) throw caller.refusal;
    const request = requestOf<Route, Body>(event, options);
    const answer = await inTime(context, handle(request, outside, caller as Caller));
    await caller?.notes?.use;
    log(answer);
    return answer;
  } catch (thrown) {
    const error = publicErrorOf(outside, thrown, { request_id, ...(caller && { merchant_id: caller.merchant_id }) });
    const { code } = error;
    const answer = await answerError(outside, error, event, options.errorPage);
    if (caller?.notes && row.on === 'http') {
      const { method, path: route } = row;
      const failure = { method, route, status: answer.statusCode, code, request_id };
      await Promise.all([caller.notes.use, caller.notes.failed(failure)]);
    }
    log(answer, code);
    return answer;
  }
}

/** So long before Lambda stops a function its caller is answered, and its log says why. */
const SPARE_MS = 5;

/** @throws TimeoutError where Lambda is about to stop the function. A test's context says no time. */
async function inTime<Result>(context: Partial<Context>, working: Promise<Result>): Promise<Result> {
  const leftMs = context.getRemainingTimeInMillis?.();
  if (leftMs === undefined) return working;
  const { promise, reject } = Promise.withResolvers<never>();
  const late = () => reject(new DOMException('The function has used up its time.', 'TimeoutError'));
  const timer = setTimeout(late, Math.max(0, leftMs - SPARE_MS));
  try {
    return await Promise.race([working, promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** On every answer: browsers must not guess its type, nor connect without TLS again. */
const HEADERS = {
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
  'x-content-type-options': 'nosniff',
};

/** What every answer tells browsers, in the form that its client takes. That to a HEAD request has no body. */
function forClient({ headers, requestContext }: APIGatewayProxyEventV2, answer: Answer): Answer {
  const shown = compressed(headers, { ...answer, headers: { ...HEADERS, ...answer.headers } });
  return requestContext.http.method === 'HEAD' ? { ...shown, body: '', isBase64Encoded: false } : shown;
}

/** A smaller body hardly gets smaller, and fits in one packet as it is. */
const MIN_BYTES = 1024;
const TEXT = /^(text\/(html|css|javascript|csv)|application\/json)\b/;

/**
 * Compresses texts for clients that accept it: API Gateway's HTTP API does not.
 *
 * Compressing a secret beside what an attacker can write makes its length a hint (BREACH), if the attacker can have the victim's
 * client send many requests. No client sends anything here by itself that opens an answer: a session's cookie goes along with links
 * alone when another site asks, and pages of the dashboard that open so hold no secret; an API key is a header that no browser
 * adds, a checkout's secret is its address, which an attacker would have to know to send anything there, and a page's nonce is
 * different in each answer.
 */
function compressed(asked: APIGatewayProxyEventV2['headers'], answer: Answer): Answer {
  const { body, isBase64Encoded } = answer;
  if (isBase64Encoded || !TEXT.test(answer.headers['content-type'] ?? '')) return answer;
  if (Buffer.byteLength(body) < MIN_BYTES) return answer;
  const headers = { ...answer.headers, vary: 'accept-encoding' };
  if (!acceptsGzip(asked)) return { ...answer, headers };
  return {
    ...answer,
    headers: { ...headers, 'content-encoding': 'gzip' },
    body: gzipSync(body).toString('base64'),
    isBase64Encoded: true,
  };
}
