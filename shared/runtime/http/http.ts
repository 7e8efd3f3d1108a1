import middy from '@middy/core';
import jsonBodyParser from '@middy/http-json-body-parser';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import * as z from 'zod/mini';
import { logInvocation } from '../outside/log.ts';
import { type Outside, realOutside } from '../outside/outside.ts';
import type { DefaultRow, HttpRow } from '../triggers/row.ts';
import { type FieldError, invalidRequest, PublicError } from '../values/errors.ts';
import { parseLossless } from '../values/json.ts';
import type { FailureResponse, PageMeta } from './responses.ts';

export interface Answer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Whether the body is base64 of bytes that are no text. */
  readonly isBase64Encoded?: boolean;
}

/** The names in a path: `'/a/{b}/c/{d}'` has `'b' | 'd'`. */
export type PathNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathNames<Rest>
  : never;
type PathOf<Route> = Route extends { path: infer Path extends string } ? PathNames<Path> : never;

export interface HttpRequest<Route, Body> {
  readonly method: string;
  readonly rawPath: string;
  readonly path: Readonly<Record<PathOf<Route>, string>>;
  readonly query: Readonly<Record<string, string | undefined>>;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The body as it came; empty where there is none. */
  readonly rawBody: string;
  /** The body as the route's schema gave it back; undefined where the route has no schema. */
  readonly body: Body;
  readonly requestId: string;
}

/** Whoever showed a key: its merchant. */
type AnyCaller = { readonly merchant_id: string } | undefined;

export interface HttpOptions<Body, Caller extends AnyCaller> {
  readonly body?: z.core.$ZodType<Body>;
  /** Whether the body may also come from an HTML form. */
  readonly form?: boolean;
  /** Who calls. Comes before the body is looked at, so that a stranger learns nothing about it. */
  readonly authenticate?: (authorization: string | undefined, outside: Outside) => Promise<Caller>;
  /** An error as a page, on routes that people open in a browser. Whoever asks for JSON still gets the envelope. */
  readonly errorPage?: (error: PublicError, requestId: string, outside: Outside) => Promise<Answer>;
}

type InWorld = (event: APIGatewayProxyEventV2, context: Context) => Promise<Answer>;
export interface HttpHandler extends InWorld {
  /** The same handler in another world: a test's or a simulation's. */
  readonly with: (outside: Outside) => InWorld;
  /** Its row in the manifest, and the schema that parses its body. */
  readonly row: HttpRow | DefaultRow;
  readonly body: z.core.$ZodType | undefined;
}

/**
 * Wraps a function behind API Gateway's HTTP API (payload 2.0): authentication, parsing, `handle`, and every error as the
 * envelope. Routes that take a key use `merchantRoute`, which calls this.
 */
export function http<const Route extends HttpRow | DefaultRow, Body = undefined, Caller extends AnyCaller = undefined>(
  row: Route,
  options: HttpOptions<Body, Caller>,
  handle: (request: HttpRequest<Route, Body>, outside: Outside, caller: Caller) => Promise<Answer>,
): HttpHandler {
  const inWorld = (outside: Outside): InWorld => {
    const read = async (event: Prepared<Caller>) =>
      handle(requestOf<Route, Body>(event, options.body), outside, event.caller);
    // The one chain of every HTTP function; middy runs these in the order they stand.
    const chain = middy<Prepared<Caller>, Answer>(read).before(async ({ event }) => {
      refuseLargeBody(event, row);
      event.caller = (await options.authenticate?.(event.headers.authorization, outside)) as Caller;
      event.rawBody = event.isBase64Encoded ? Buffer.from(event.body ?? '', 'base64').toString() : (event.body ?? '');
    });
    if (options.body) {
      chain.use(jsonBodyParser({ disableContentTypeError: options.form === true })).before(keepNumbersOfMetadata);
      if (options.form) chain.before(readForm);
    }
    chain.onError(async (request) => {
      const { headers, requestContext } = request.event;
      const error = publicError(request.error, request.event, outside);
      request.event.code = error.code;
      request.response =
        options.errorPage && !asksForJson(headers)
          ? await options.errorPage(error, requestContext.requestId, outside)
          : errorAnswer(error, requestContext.requestId);
    });
    return async (event, context) => {
      const prepared = event as Prepared<Caller>;
      const startedMs = outside.now();
      const answer = await chain(prepared, context);
      logRequest(outside, row, prepared, answer.statusCode, outside.now() - startedMs);
      return answer;
    };
  };
  let real: InWorld | undefined;
  const handler: InWorld = (event, context) => {
    logInvocation(context);
    real ??= inWorld(realOutside());
    return real(event, context);
  };
  return Object.assign(handler, { with: inWorld, row, body: options.body });
}

/** The success envelope; `data` may hold `JSON.rawJSON` numbers. A page of a list has `meta`. */
export function ok<Data extends object>(message: string, data: Data, meta?: PageMeta): Answer {
  return jsonAnswer(200, JSON.stringify({ status: true, message, data, meta }));
}

export function redirect(location: string, statusCode: 302 | 303 = 302): Answer {
  return { statusCode, headers: { location, 'cache-control': 'no-store' }, body: '' };
}

export function jsonAnswer(statusCode: number, body: string, headers: Readonly<Record<string, string>> = {}): Answer {
  return {
    statusCode,
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', ...headers },
    body,
  };
}

/** Whether a client wants the envelope where a browser gets a page. No browser says either of its own accord. */
export function asksForJson(headers: Readonly<Record<string, string | undefined>>): boolean {
  return [headers.accept, headers['content-type']].some((type) => type?.includes('application/json'));
}

/** What the chain adds to the event on its way to the handler. */
type Prepared<Caller> = APIGatewayProxyEventV2 & { caller: Caller; rawBody: string; code?: PublicError['code'] };

/**
 * The line of a merchant's request. Where nobody showed a key there is none: the access log of API Gateway has a line for every
 * request, with all but the merchant, the code and what the function itself took. `request_id` is the same in both.
 */
function logRequest(
  outside: Outside,
  row: HttpRow | DefaultRow,
  { caller, code, requestContext }: Prepared<AnyCaller>,
  status: number,
  duration_ms: number,
): void {
  if (!caller || row.on !== 'http') return;
  const { merchant_id } = caller;
  const fields = { request_id: requestContext.requestId, merchant_id, status, ...(code && { code }), duration_ms };
  outside.log.info('request', { route: `${row.method} ${row.path}`, ...fields });
}

/**
 * Before anything reads it: a parser's effort grows with the body. API Gateway lets 10 MB through, and nothing here needs
 * more than a few kilobytes.
 */
function refuseLargeBody({ body = '', isBase64Encoded }: APIGatewayProxyEventV2, row: HttpRow | DefaultRow): void {
  if (row.on === 'default' || row.method === 'GET') return;
  const bytes = isBase64Encoded ? (body.length * 3) / 4 : Buffer.byteLength(body);
  const { maxBodyKilobytes = MAX_BODY_KILOBYTES } = row;
  if (bytes <= maxBodyKilobytes * 1024) return;
  throw new PublicError('body_too_large', `The body has more than ${maxBodyKilobytes} KB. Send less in one request.`);
}

const MAX_BODY_KILOBYTES = 256;

/** The body parser reads numbers as doubles. `metadata` is not ours to round, so its numbers are read again as written. */
function keepNumbersOfMetadata({ event }: { event: { body?: unknown; rawBody: string } }) {
  const { body } = event;
  if (typeof body !== 'object' || body === null || !('metadata' in body)) return;
  const whole = parseLossless(event.rawBody);
  if (typeof whole === 'object' && whole !== null && 'metadata' in whole) body.metadata = whole.metadata;
}

/** Takes the form that the JSON parser left alone. */
function readForm({
  event,
}: {
  event: { body?: unknown; rawBody: string; headers: Record<string, string | undefined> };
}) {
  const type = event.headers['content-type'] ?? '';
  if (/^application\/(.+\+)?json\b/i.test(type)) return;
  if (!/^application\/x-www-form-urlencoded\b/i.test(type)) {
    throw new PublicError(
      'unsupported_media_type',
      'Send the body as a form (Content-Type: application/x-www-form-urlencoded) or as JSON (application/json).',
    );
  }
  event.body = Object.fromEntries(new URLSearchParams(event.rawBody));
}

function requestOf<Route, Body>(event: Prepared<unknown>, schema?: z.core.$ZodType<Body>): HttpRequest<Route, Body> {
  return {
    method: event.requestContext.http.method,
    rawPath: event.rawPath,
    path: checkIds(event.pathParameters ?? {}) as Record<PathOf<Route>, string>,
    query: event.queryStringParameters ?? {},
    headers: event.headers,
    rawBody: event.rawBody,
    body: (schema && parseBody(schema, event.body)) as Body,
    requestId: event.requestContext.requestId,
  };
}

/** Nothing has an id that is longer, or no text: the table would refuse to look for it, with an error nobody expects. */
function checkIds(parameters: Record<string, string | undefined>): Record<string, string | undefined> {
  for (const id of Object.values(parameters)) {
    if (id && (id.length > MAX_PATH_ID_CHARACTERS || !id.isWellFormed())) {
      throw new PublicError('not_found', 'Nothing has the id in this path. Check that it was copied whole.');
    }
  }
  return parameters;
}

export const MAX_PATH_ID_CHARACTERS = 255;

function parseBody<Body>(schema: z.core.$ZodType<Body>, body: unknown): Body {
  const parsed = z.safeParse(schema, body);
  if (parsed.success) return parsed.data;
  const [first, ...rest] = parsed.error.issues.map(fieldError);
  throw first ? invalidRequest([first, ...rest]) : parsed.error;
}

function fieldError({ path, message }: z.core.$ZodIssue): FieldError {
  const field = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('');
  return { field: field.replace(/^\./, '') || 'body', message };
}

/** What the caller may know of an error. What nobody expected is logged. */
function publicError(error: unknown, { caller, requestContext }: Prepared<AnyCaller>, outside: Outside): PublicError {
  const known = error instanceof PublicError ? error : bodyParserError(error);
  const about = { request_id: requestContext.requestId, ...(caller && { merchant_id: caller.merchant_id }) };
  if (!known) outside.log.error('unexpected_error', { ...about, error });
  return known ?? UNEXPECTED;
}

function errorAnswer({ statusCode, code, message, errors, headers }: PublicError, requestId: string): Answer {
  const envelope: FailureResponse = {
    status: false,
    message,
    code,
    ...(errors && { errors: [...errors] }),
    request_id: requestId,
  };
  return jsonAnswer(statusCode, JSON.stringify(envelope), headers);
}

const UNEXPECTED = new PublicError(
  'internal',
  'Something went wrong on our side. Try again; if it stays, send request_id to whoever runs this service.',
);

/** What @middy/http-json-body-parser throws: 415 for the content type, 422 for the body. */
function bodyParserError(error: unknown): PublicError | undefined {
  if (!(error instanceof Error && 'statusCode' in error)) return undefined;
  if (error.statusCode === 415) {
    return new PublicError(
      'unsupported_media_type',
      'Send the body as JSON, with the header Content-Type: application/json.',
    );
  }
  if (error.statusCode !== 422) return undefined;
  return error.message.startsWith('Forbidden key')
    ? invalidRequest([{ field: 'body', message: 'the keys __proto__ and constructor.prototype are not taken' }])
    : new PublicError('malformed_json', 'The body is not valid JSON. Send one JSON object.');
}
