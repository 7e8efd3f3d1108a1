import type * as z from 'zod/mini';
import { PublicError } from '../values/errors.ts';
import type { HttpEvent } from './middleware/middleware.ts';
import { parseBody, refuseUnknownParameters } from './parse-body.ts';

/** The parameter names in a path: `'/a/{b}/c/{d}'` has `'b' | 'd'`. */
export type PathNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathNames<Rest>
  : never;
type PathOf<Route> = Route extends { path: infer Path extends string } ? PathNames<Path> : never;

export interface HttpRequest<Route, Body> {
  readonly method: string;
  readonly rawPath: string;
  /** Without the question mark. */
  readonly rawQuery: string;
  readonly path: Readonly<Record<PathOf<Route>, string>>;
  readonly query: Readonly<Record<string, string | undefined>>;
  /** Keys in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly cookies: readonly string[];
  readonly rawBody: string;
  readonly rawBytes: Buffer;
  readonly isMended: boolean;
  readonly body: Body;
  readonly requestId: string;
  /** The address of the connection, which no header can change. */
  readonly sourceIp: string;
}

/**
 * The request that a handler receives, from an event that passed the middlewares.
 * @throws PublicError `invalid_request`, `not_found`.
 */
export function requestOf<Route, Body>(
  event: HttpEvent<unknown>,
  schema?: z.core.$ZodType<Body>,
  parameters?: readonly string[],
): HttpRequest<Route, Body> {
  const query = event.queryStringParameters ?? {};
  if (parameters) refuseUnknownParameters(query, parameters);
  return {
    method: event.requestContext.http.method,
    rawPath: event.rawPath,
    rawQuery: event.rawQueryString,
    path: readIds(event.pathParameters ?? {}) as Record<PathOf<Route>, string>,
    query,
    headers: event.headers,
    cookies: event.cookies ?? [],
    rawBody: event.rawBody,
    rawBytes: event.rawBytes,
    isMended: event.isMended === true,
    body: (schema && parseBody(schema, event.body)) as Body,
    requestId: event.requestContext.requestId,
    sourceIp: event.requestContext.http.sourceIp,
  };
}

/**
 * The ids in a path, without trailing punctuation and hidden characters, because messengers include the full stop after
 * an address.
 * @throws PublicError `not_found` for an id that is too long for a table key.
 */
export function readIds(parameters: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, id = '']) => {
      if (id.length > MAX_PATH_ID_CHARACTERS || !id.isWellFormed()) {
        throw new PublicError(
          'not_found',
          'There is nothing with the id in this path. Check that it was copied in full.',
        );
      }
      return [name, id.replace(BEHIND_ADDRESS, '') || id];
    }),
  );
}

const BEHIND_ADDRESS = /[\p{Cf}.,;:!?)\]}>*"'’”»]+$/u;

export const MAX_PATH_ID_CHARACTERS = 255;
