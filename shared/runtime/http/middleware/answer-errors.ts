import * as z from 'zod/mini';
import { namingOperator } from '../../outside/operator.ts';
import type { Outside } from '../../outside/outside.ts';
import { busy, isThrottled } from '../../table/contention.ts';
import { LATER_RELEASE_SECONDS, RowOfLaterRelease } from '../../table/row-shape.ts';
import { docUrl, invalidRequest, PublicError, retryAfter, worded } from '../../values/errors.ts';
import { MAX_JSON_LEVELS } from '../../values/json-fault.ts';
import { type Answer, asksForJson, jsonAnswer } from '../answer.ts';
import type { FailureResponse } from '../responses.ts';
import type { AnyCaller, HttpEvent, Middleware } from './middleware.ts';

/** Renders an error as a page. The JSON envelope is sent if the result is undefined or the client asks for JSON. */
export type ErrorPage = (
  error: PublicError,
  requestId: string,
  outside: Outside,
  headers: Readonly<Record<string, string | undefined>>,
) => Promise<Answer> | undefined;

export function answerErrors(outside: Outside, errorPage: ErrorPage | undefined): Middleware {
  return {
    onError: async (request) => {
      const { headers, requestContext } = request.event;
      const error = publicError(request.error, request.event, outside);
      request.internal.code = error.code;
      const { requestId } = requestContext;
      const page = asksForJson(headers) ? undefined : errorPage?.(error, requestId, outside, headers);
      request.response = (await page) ?? errorAnswer(error, requestId, outside);
    },
  };
}

function publicError(error: unknown, { caller, requestContext }: HttpEvent<AnyCaller>, outside: Outside): PublicError {
  const known = error instanceof PublicError ? error : bodyParserError(error);
  const about = { request_id: requestContext.requestId, ...(caller && { merchant_id: caller.merchant_id }) };
  if (isThrottled(error)) {
    outside.log.warn('table_throttled', { ...about, error });
    return busy(
      'Too many requests are being handled at the moment. Repeat this request in a second, with the same Idempotency-Key if it has one.',
    );
  }
  if (error instanceof RowOfLaterRelease) {
    outside.log.warn('row_of_later_release', { ...about, error });
    const message =
      'This service is being updated. Repeat the request in a minute, with the same Idempotency-Key if it has one.';
    return new PublicError('busy', message, retryAfter(LATER_RELEASE_SECONDS));
  }
  if (!known) outside.log.error('unexpected_error', { ...about, error });
  return known ?? UNEXPECTED;
}

function errorAnswer(
  { statusCode, code, message, errors, headers }: PublicError,
  requestId: string,
  outside: Pick<Outside, 'baseUrl' | 'operator'>,
): Answer {
  const envelope: FailureResponse = {
    status: false,
    message: namingOperator(outside, message),
    code,
    ...(errors && {
      errors: errors.slice(0, MAX_ERRORS).map((one) => ({ field: one.field, message: worded(one) })),
    }),
    request_id: requestId,
    doc_url: docUrl(outside.baseUrl, code),
  };
  return jsonAnswer(statusCode, JSON.stringify(envelope), headers);
}

const MAX_ERRORS = 100;

const UNEXPECTED = new PublicError(
  'internal',
  'Something went wrong on our side. Try again. If the error persists, send the request_id to the operator of this service.',
);

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
    ? invalidRequest([{ field: 'body', message: 'the keys __proto__ and constructor.prototype are not allowed' }])
    : new PublicError('malformed_json', malformed(error.cause));
}

function malformed(cause: unknown): string {
  const { message } = ParserFault.safeParse(cause).data ?? {};
  if (message === undefined) return 'The body is missing. Send one JSON object.';
  if (/call stack/i.test(message))
    return `The body is nested too deeply. Send one JSON object with at most ${MAX_JSON_LEVELS} levels.`;
  return `The body is not valid JSON. ${message.slice(0, 200)}. Send one JSON object.`;
}

const ParserFault = z.object({ message: z.string() });
