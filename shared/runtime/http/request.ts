import type * as z from 'zod/mini';
import { PublicError } from '../values/errors.ts';
import type { HttpEvent } from './middleware/middleware.ts';
import { parseBody, refuseLongTexts, refuseUnknownParameters } from './parse-body.ts';

/** The parameter names in a path: `'/a/{b}/c/{d}'` yields `'b' | 'd'`. */
export type PathNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathNames<Rest>
  : never;
type PathOf<Route> = Route extends { path: infer Path extends string } ? PathNames<Path> : never;

export interface HttpRequest<Route, Body> {
  readonly method: string;
  readonly rawPath: string;
  readonly rawQuery: string;
  readonly path: Readonly<Record<PathOf<Route>, string>>;
  readonly query: Readonly<Record<string, string | undefined>>;
  /** Header names are in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly cookies: readonly string[];
  readonly rawBody: string;
  readonly rawBytes: Buffer;
  readonly isRepaired: boolean;
  readonly body: Body;
  readonly requestId: string;
  /** IP address of the connection. Never taken from headers. */
  readonly sourceIp: string;
}

/**
 * Builds a handler's request from an event, after all middlewares.
 * @throws PublicError `invalid_request`, `not_found`.
 */
export function requestOf<Route, Body>(
  event: HttpEvent<unknown>,
  schema?: z.core.$ZodType<Body>,
  parameters?: readonly string[],
): HttpRequest<Route, Body> {
  const query = event.queryStringParameters ?? {};
  refuseLongTexts(query);
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
    isRepaired: event.isRepaired === true,
    body: (schema && parseBody(schema, event.body)) as Body,
    requestId: event.requestContext.requestId,
    sourceIp: event.requestContext.http.sourceIp,
  };
}

/**
 * Reads the ids in a path. Strips trailing punctuation, which messaging apps add to links, and invisible characters.
 * @throws PublicError `not_found` if an id is too long for a table key.
 */
export function readIds(parameters: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, id = '']) => {
      if (id.length > MAX_PATH_ID_CHARACTERS || !id.isWellFormed()) {
        throw new PublicError('not_found', 'No object has the id in this path. Check that you copied the whole id.');
      }
      return [name, (readers[name] ?? withoutPunctuation)(id) || id];
    }),
  );
}

/** Readers of the ids in links that customers forward. People also type slugs, with capitals. */
const readers: Readonly<Record<string, (id: string) => string>> = {
  access_code: lettersAndDigits,
  slug: (id) => lettersAndDigits(id.toLowerCase()),
};

function lettersAndDigits(id: string): string {
  return id.replace(/(?<![^\da-z])[^\da-z]+$/i, '');
}

/** Keeps underscores and hyphens, with which some ids end. */
function withoutPunctuation(id: string): string {
  return id.replace(BEHIND_ADDRESS, '');
}

const PUNCTUATION = String.raw`[\p{Cf}.,;:!?)\]}>*"'’”»]`;
const BEHIND_ADDRESS = new RegExp(`(?<!${PUNCTUATION})${PUNCTUATION}+$`, 'u');

export const MAX_PATH_ID_CHARACTERS = 255;
