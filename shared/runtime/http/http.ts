import { gzipSync } from 'node:zlib';
import middy from '@middy/core';
import jsonBodyParser from '@middy/http-json-body-parser';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import type * as z from 'zod/mini';
import { logInvocation } from '../outside/log.ts';
import type { Outside } from '../outside/outside.ts';
import { realOutside } from '../outside/real-outside.ts';
import type { CalledRow } from '../triggers/row.ts';
import { invalidRequest, PublicError } from '../values/errors.ts';
import { parseLossless } from '../values/json.ts';
import { jsonFault } from '../values/json-fault.ts';
import { repairJson } from '../values/repair-json.ts';
import { type Answer, acceptsGzip } from './answer.ts';
import { answerErrors, type ErrorPage } from './middleware/answer-errors.ts';
import { type Authenticate, authenticate } from './middleware/authenticate.ts';
import { limitRate } from './middleware/limit-rate.ts';
import type { AnyCaller, HttpEvent, Internal, Middleware } from './middleware/middleware.ts';
import { type HttpRequest, requestOf } from './request.ts';

interface HttpOptions<Body, Caller extends AnyCaller> {
  readonly body?: z.core.$ZodType<Body>;
  readonly query?: readonly string[];
  readonly form?: boolean;
  readonly repairsJson?: boolean;
  readonly authenticate?: Authenticate<Caller>;
  readonly errorPage?: ErrorPage;
}

type EventHandler = (event: APIGatewayProxyEventV2, context: Context) => Promise<Answer>;
export interface HttpHandler extends EventHandler {
  readonly with: (outside: Outside) => EventHandler;
  readonly row: CalledRow;
  readonly body: z.core.$ZodType | undefined;
}

/**
 * Wraps a handler for API Gateway's HTTP API (payload 2.0) with authentication, parsing and error envelopes. Routes
 * with an API key use `merchantRoute` instead.
 */
export function http<const Route extends CalledRow, Body = undefined, Caller extends AnyCaller = undefined>(
  row: Route,
  options: HttpOptions<Body, Caller>,
  handle: (request: HttpRequest<Route, Body>, outside: Outside, caller: Caller) => Promise<Answer>,
): HttpHandler {
  const handlerWith = (outside: Outside): EventHandler => {
    const chain = chainOf(row, options, outside, async (event) =>
      handle(requestOf<Route, Body>(event, options.body, options.query), outside, event.caller),
    );
    return (event, context) => chain(event as HttpEvent<Caller>, context);
  };
  let real: EventHandler | undefined;
  const handler: EventHandler = (event, context) => {
    logInvocation(context);
    real ??= handlerWith(realOutside());
    return real(event, context);
  };
  return Object.assign(handler, { with: handlerWith, row, body: options.body });
}

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
  if (options.repairsJson) chain.use(repairBody());
  if (options.body)
    chain
      .use(readJson({ form: options.form === true }))
      .use(refuseFaultyJson())
      .use(keepNumbersOfMetadata());
  if (options.body && options.form) chain.use(readForm());
  return chain;
}

/**
 * Responds to HEAD like GET, but without the body. Must be the outermost middleware, because the others inspect the
 * body.
 */
function answerHead(): Middleware {
  const cut: Middleware['after'] = (request) => {
    if (request.response && request.event.requestContext.http.method === 'HEAD') {
      request.response = { ...request.response, body: '', isBase64Encoded: false };
    }
  };
  return { after: cut, onError: cut };
}

const HEADERS = {
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
  'x-content-type-options': 'nosniff',
};

function guardBrowser(): Middleware {
  const guard: Middleware['after'] = (request) => {
    const { response } = request;
    if (response) request.response = { ...response, headers: { ...HEADERS, ...response.headers } };
  };
  return { after: guard, onError: guard };
}

/** Minimum body size for compression. Smaller bodies fit into one packet anyway. */
const MIN_BYTES = 1024;
const TEXT = /^(text\/(html|css|javascript|csv)|application\/json)\b/;

/**
 * Compresses responses, because API Gateway's HTTP API does not. Must run on the final response.
 *
 * BREACH does not apply, because no compressed response contains both a secret and text chosen by an attacker who can
 * make the victim send requests. Cross-site requests carry session cookies only when the user follows a link, and
 * dashboard pages opened that way contain no secret. API keys are sent in headers that no browser adds. A checkout
 * page's only secret is its own URL. Page nonces change with every response.
 */
function compressText(): Middleware {
  const compress: Middleware['after'] = (request) => {
    const { response, event } = request;
    if (!response || response.isBase64Encoded || !TEXT.test(response.headers['content-type'] ?? '')) return;
    if (Buffer.byteLength(response.body) < MIN_BYTES) return;
    const headers = { ...response.headers, vary: 'accept-encoding' };
    request.response = acceptsGzip(event.headers)
      ? {
          ...response,
          headers: { ...headers, 'content-encoding': 'gzip' },
          body: gzipSync(response.body).toString('base64'),
          isBase64Encoded: true,
        }
      : { ...response, headers };
  };
  return { after: compress, onError: compress };
}

/**
 * Logs requests from merchants and dashboard users. All other requests appear only in API Gateway's access log. Both
 * logs include the `request_id`.
 */
function logRequest(outside: Outside, row: CalledRow): Middleware {
  const log: Middleware['after'] = ({
    event: { caller, requestContext },
    internal: { startedMs = 0, code },
    response,
  }) => {
    if (!caller || !response || row.on === 'default') return;
    outside.log.info('request', {
      route: `${row.on === 'http' ? row.method : requestContext.http.method} ${row.path}`,
      request_id: requestContext.requestId,
      ...(caller.merchant_id && { merchant_id: caller.merchant_id }),
      ...(caller.user_id && { user_id: caller.user_id }),
      status: response.statusCode,
      ...(code && { code }),
      duration_ms: outside.now() - startedMs,
    });
  };
  return {
    before: ({ internal }) => {
      internal.startedMs = outside.now();
    },
    after: log,
    onError: log,
  };
}

function noteRequest(row: CalledRow): Middleware {
  return {
    after: ({ event: { caller } }) => caller?.notes?.use,
    onError: async ({ event: { caller, requestContext }, internal: { code }, response }) => {
      if (!caller?.notes || !response || row.on !== 'http') return;
      const { method, path: route } = row;
      const { statusCode: status } = response;
      const failure = { method, route, status, ...(code && { code }), request_id: requestContext.requestId };
      await Promise.all([caller.notes.use, caller.notes.failed(failure)]);
    },
  };
}

const MAX_BODY_KILOBYTES = 256;

/** Rejects large bodies before parsing. API Gateway allows 10 MB; our routes need a few kilobytes. */
function refuseLargeBody(row: CalledRow): Middleware {
  return {
    before: ({ event: { body = '', isBase64Encoded } }) => {
      if (row.on === 'default' || (row.on === 'http' && row.method === 'GET')) return;
      const bytes = isBase64Encoded ? (body.length * 3) / 4 : Buffer.byteLength(body);
      const { maxBodyKilobytes = MAX_BODY_KILOBYTES } = row;
      if (bytes <= maxBodyKilobytes * 1024) return;
      throw new PublicError(
        'body_too_large',
        `The body is larger than ${maxBodyKilobytes} KB. Send less in one request.`,
      );
    },
  };
}

/**
 * Rejects identified callers that may not use the route. Runs after the rate limit, so rejected requests also count.
 */
function refuseCaller(): Middleware {
  return {
    before: ({ event: { caller } }) => {
      if (caller?.refusal) throw caller.refusal;
    },
  };
}

function keepRawBody(): Middleware {
  return {
    before: ({ event }) => {
      event.rawBytes = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
      event.rawBody = event.isBase64Encoded ? event.rawBytes.toString() : (event.body ?? '');
    },
  };
}

function repairBody(): Middleware {
  return {
    before: ({ event }) => {
      if (!IS_JSON.test(event.headers['content-type'] ?? '')) return;
      const body = repairJson(jsonOf(event));
      if (body !== undefined) Object.assign(event, { body, isBase64Encoded: false, isRepaired: true });
    },
  };
}

/** Returns the body without the byte order mark that some editors write, which JSON does not allow. */
function jsonOf({ rawBody }: { readonly rawBody: string }): string {
  return rawBody.replace(/^\ufeff/, '');
}

const IS_JSON = /^application\/(.+\+)?json\b/i;

/** Decoders replace invalid UTF-8 with U+FFFD, which loses the original text. */
const NOT_UTF_8 = 'must be UTF-8, but contains bytes in another encoding, such as Latin-1, or the character U+FFFD';

/** Parses JSON bodies. If `form` is true, leaves other content types to `readForm`. */
function readJson({ form }: { form: boolean }): Middleware {
  const parser: Middleware = jsonBodyParser({ disableContentTypeError: form });
  return {
    before: (request) => {
      const { event } = request;
      if (!form && event.rawBody === '') return void Object.assign(event, { body: {} });
      if (!form && event.rawBody.includes('\ufffd')) throw invalidRequest([{ field: 'body', message: NOT_UTF_8 }]);
      if (!event.isRepaired && jsonOf(event) !== event.rawBody)
        Object.assign(event, { body: jsonOf(event), isBase64Encoded: false });
      return parser.before?.(request);
    },
  };
}

function refuseFaultyJson(): Middleware {
  return {
    before: ({ event }) => {
      if (typeof event.body !== 'object' || event.isRepaired) return;
      const fault = jsonFault(jsonOf(event));
      if (fault) throw invalidRequest([fault]);
    },
  };
}

/** Restores the original notation of numbers in `metadata`, which the body parser converted to doubles. */
function keepNumbersOfMetadata(): Middleware {
  return {
    before: ({ event }) => {
      const body: unknown = event.body;
      if (typeof body !== 'object' || body === null || !('metadata' in body) || event.isRepaired) return;
      const whole = parseLossless(jsonOf(event));
      if (typeof whole === 'object' && whole !== null && 'metadata' in whole) body.metadata = whole.metadata;
    },
  };
}

function readForm(): Middleware {
  return {
    before: ({ event }) => {
      const type = event.headers['content-type'] ?? '';
      if (IS_JSON.test(type)) return;
      if (!/^application\/x-www-form-urlencoded\b/i.test(type)) {
        throw new PublicError(
          'unsupported_media_type',
          'Send the body as a form (Content-Type: application/x-www-form-urlencoded) or as JSON (application/json).',
        );
      }
      Object.assign(event, { body: Object.fromEntries(new URLSearchParams(event.rawBody)) });
    },
  };
}
