import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { doubleKeyIn } from '../values/double-key.ts';
import { invalidRequest, PublicError } from '../values/errors.ts';
import { parseLossless } from '../values/json.ts';

type Event = Pick<APIGatewayProxyEventV2, 'body' | 'isBase64Encoded' | 'headers'>;

const MAX_BODY_KILOBYTES = 256;

/**
 * Before anything reads it: a parser's effort grows with the body. API Gateway lets 10 MB through, and nothing here needs
 * more than a few kilobytes. @throws PublicError `body_too_large`.
 */
export function refuseLargeBody({ body = '', isBase64Encoded }: Event, maxKilobytes = MAX_BODY_KILOBYTES): void {
  const bytes = isBase64Encoded ? (body.length * 3) / 4 : Buffer.byteLength(body);
  if (bytes <= maxKilobytes * 1024) return;
  throw new PublicError('body_too_large', `The body has more than ${maxKilobytes} KB. Send less in one request.`);
}

/** The body as it came, for signatures and for what must not be rounded; empty where there is none. */
export function rawBodyOf({ body = '', isBase64Encoded }: Event): { rawBytes: Buffer; rawBody: string } {
  const rawBytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
  return { rawBytes, rawBody: isBase64Encoded ? rawBytes.toString() : body };
}

/**
 * What a body says: JSON, or with `form` an HTML form too. What comes without a body lacks fields, or needs none.
 * @throws PublicError `unsupported_media_type`, `malformed_json`, `invalid_request`.
 */
export function readBody(event: Event, rawBody: string, isForm: boolean): unknown {
  if (!isForm && rawBody === '') return {};
  const type = event.headers['content-type'] ?? '';
  if (/^application\/([a-z0-9.+-]+\+)?json(;|$)/i.test(type)) return readJson(event.body && rawBody);
  if (!isForm) {
    throw new PublicError(
      'unsupported_media_type',
      'Send the body as JSON, with the header Content-Type: application/json.',
    );
  }
  if (!/^application\/x-www-form-urlencoded\b/i.test(type)) {
    throw new PublicError(
      'unsupported_media_type',
      'Send the body as a form (Content-Type: application/x-www-form-urlencoded) or as JSON (application/json).',
    );
  }
  return Object.fromEntries(new URLSearchParams(rawBody));
}

function readJson(text: string | undefined): unknown {
  if (text === undefined) throw new PublicError('malformed_json', 'The body is missing. Send one JSON object.');
  const body = parse(text);
  if (typeof body !== 'object' || body === null) return body;
  const name = doubleKeyIn(text);
  if (name !== undefined) {
    const field = name.slice(0, MAX_NAME_CHARACTERS) || 'body';
    throw invalidRequest([{ field, message: 'is there twice in one object: give it once' }]);
  }
  // The parser reads numbers as doubles. `metadata` is not ours to round, so its numbers are read again as written.
  const whole = 'metadata' in body ? parseLossless(text) : undefined;
  return typeof whole === 'object' && whole !== null && 'metadata' in whole
    ? { ...body, metadata: whole.metadata }
    : body;
}

const MAX_NAME_CHARACTERS = 40;

/** The parser says where it stopped: by line and column, or by the characters around. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text, refusePrototypes);
  } catch (error) {
    if (error instanceof PublicError || !(error instanceof Error)) throw error;
    throw new PublicError(
      'malformed_json',
      `The body is not valid JSON. ${error.message.slice(0, 200)}. Send one JSON object.`,
    );
  }
}

function refusePrototypes(key: string, value: unknown): unknown {
  const isForbidden = key === '__proto__' || (key === 'constructor' && Object.hasOwn(Object(value), 'prototype'));
  if (!isForbidden) return value;
  throw invalidRequest([{ field: 'body', message: 'the keys __proto__ and constructor.prototype are not taken' }]);
}
