import jsonBodyParser from '@middy/http-json-body-parser';
import { PublicError } from '../../values/errors.ts';
import { parseLossless } from '../../values/json.ts';
import type { Middleware } from './middleware.ts';

/** Keeps the body as it came, for signatures and for what must not be rounded; empty where there is none. */
export function keepRawBody(): Middleware {
  return {
    before: ({ event }) => {
      event.rawBody = event.isBase64Encoded ? Buffer.from(event.body ?? '', 'base64').toString() : (event.body ?? '');
    },
  };
}

/** With `form`, a body that is not JSON is left to `readForm`. */
export function readJson({ form }: { form: boolean }) {
  return jsonBodyParser({ disableContentTypeError: form });
}

/** The body parser reads numbers as doubles. `metadata` is not ours to round, so its numbers are read again as written. */
export function keepNumbersOfMetadata(): Middleware {
  return {
    before: ({ event }) => {
      const body: unknown = event.body;
      if (typeof body !== 'object' || body === null || !('metadata' in body)) return;
      const whole = parseLossless(event.rawBody);
      if (typeof whole === 'object' && whole !== null && 'metadata' in whole) body.metadata = whole.metadata;
    },
  };
}

/** Takes the form that the JSON parser left alone. */
export function readForm(): Middleware {
  return {
    before: ({ event }) => {
      const type = event.headers['content-type'] ?? '';
      if (/^application\/(.+\+)?json\b/i.test(type)) return;
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
