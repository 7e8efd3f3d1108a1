import middy from '@middy/core';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import type * as z from 'zod/mini';
import { logInvocation } from '../outside/log.ts';
import { type Outside, realOutside } from '../outside/outside.ts';
import type { CalledRow } from '../triggers/row.ts';
import type { Answer } from './answer.ts';
import { answerErrors, type ErrorPage } from './middleware/answer-errors.ts';
import { answerHead } from './middleware/answer-head.ts';
import { type Authenticate, authenticate } from './middleware/authenticate.ts';
import { compressText } from './middleware/compress-text.ts';
import { guardBrowser } from './middleware/guard-browser.ts';
import { limitRate } from './middleware/limit-rate.ts';
import { logRequest } from './middleware/log-request.ts';
import type { AnyCaller, HttpEvent, Internal } from './middleware/middleware.ts';
import { noteRequest } from './middleware/note-request.ts';
import { keepNumbersOfMetadata, keepRawBody, readForm, readJson } from './middleware/read-body.ts';
import { refuseCaller } from './middleware/refuse-caller.ts';
import { refuseLargeBody } from './middleware/refuse-large-body.ts';
import { type HttpRequest, requestOf } from './request.ts';

export interface HttpOptions<Body, Caller extends AnyCaller> {
  readonly body?: z.core.$ZodType<Body>;
  /** The parameters that the query may have, where any other is refused. */
  readonly query?: readonly string[];
  /** Whether the body may also come from an HTML form. */
  readonly form?: boolean;
  readonly authenticate?: Authenticate<Caller>;
  readonly errorPage?: ErrorPage;
}

type InWorld = (event: APIGatewayProxyEventV2, context: Context) => Promise<Answer>;
export interface HttpHandler extends InWorld {
  /** The same handler with another `Outside`: a test's or a simulation's. */
  readonly with: (outside: Outside) => InWorld;
  /** Its row in the manifest, and the schema that parses its body. */
  readonly row: CalledRow;
  readonly body: z.core.$ZodType | undefined;
}

/**
 * Wraps a function behind API Gateway's HTTP API (payload 2.0): authentication, parsing, `handle`, and every error as the
 * envelope. Routes that take a key use `merchantRoute`, which calls this.
 */
export function http<const Route extends CalledRow, Body = undefined, Caller extends AnyCaller = undefined>(
  row: Route,
  options: HttpOptions<Body, Caller>,
  handle: (request: HttpRequest<Route, Body>, outside: Outside, caller: Caller) => Promise<Answer>,
): HttpHandler {
  const inWorld = (outside: Outside): InWorld => {
    const chain = chainOf(row, options, outside, async (event) =>
      handle(requestOf<Route, Body>(event, options.body, options.query), outside, event.caller),
    );
    return (event, context) => chain(event as HttpEvent<Caller>, context);
  };
  let real: InWorld | undefined;
  const handler: InWorld = (event, context) => {
    logInvocation(context);
    real ??= inWorld(realOutside());
    return real(event, context);
  };
  return Object.assign(handler, { with: inWorld, row, body: options.body });
}

/** The one chain of every HTTP function. What comes `before` runs in this order, `after` and `onError` in the opposite one. */
function chainOf<Caller extends AnyCaller>(
  row: CalledRow,
  options: HttpOptions<unknown, Caller>,
  outside: Outside,
  read: (event: HttpEvent<Caller>) => Promise<Answer>,
) {
  const chain = middy<HttpEvent<Caller>, Answer, Error, Context, Internal>(read)
    .use(answerHead())
    .use(compressText())
    .use(guardBrowser())
    .use(logRequest(outside, row))
    .use(noteRequest(row))
    .use(answerErrors(outside, options.errorPage))
    .use(refuseLargeBody(row));
  if (options.authenticate)
    chain.use(authenticate(outside, options.authenticate)).use(limitRate(outside)).use(refuseCaller());
  chain.use(keepRawBody());
  if (options.body) chain.use(readJson({ form: options.form === true })).use(keepNumbersOfMetadata());
  if (options.body && options.form) chain.use(readForm());
  return chain;
}
