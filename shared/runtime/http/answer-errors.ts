import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { namingOperator } from '../outside/operator.ts';
import type { Outside } from '../outside/outside.ts';
import { busy, isThrottled } from '../table/contention.ts';
import { LATER_RELEASE_SECONDS, RowOfLaterRelease } from '../table/row-shape.ts';
import { docUrl, PublicError, retryAfter, worded } from '../values/errors.ts';
import { type Answer, asksForJson, jsonAnswer } from './answer.ts';
import type { FailureResponse } from './responses.ts';

/** An error as a page, on routes that people open in a browser. A request for JSON still gets the envelope. */
export type ErrorPage = (error: PublicError, requestId: string, outside: Outside) => Promise<Answer>;

/** The same as the envelope, or as a page. */
export async function answerError(
  outside: Outside,
  error: PublicError,
  { headers, requestContext: { requestId } }: Pick<APIGatewayProxyEventV2, 'headers' | 'requestContext'>,
  errorPage: ErrorPage | undefined,
): Promise<Answer> {
  return errorPage && !asksForJson(headers)
    ? errorPage(error, requestId, outside)
    : envelope(error, requestId, outside);
}

/** What the caller may know of an error. What nobody expected is logged. */
export function publicErrorOf(
  outside: Outside,
  error: unknown,
  about: { readonly request_id: string; readonly merchant_id?: string | undefined },
): PublicError {
  if (isThrottled(error)) {
    outside.log.warn('table_throttled', { ...about, error });
    return busy('Too many requests at once. Repeat it in a second, with the same Idempotency-Key if it has one.');
  }
  if (error instanceof RowOfLaterRelease) {
    outside.log.warn('row_of_later_release', { ...about, error });
    const message =
      'This service is being updated. Repeat it in a minute, with the same Idempotency-Key if it has one.';
    return new PublicError('busy', message, retryAfter(LATER_RELEASE_SECONDS));
  }
  if (error instanceof PublicError) return error;
  outside.log.error('unexpected_error', { ...about, error });
  return UNEXPECTED;
}

function envelope(
  { statusCode, code, message, errors, headers }: PublicError,
  requestId: string,
  outside: Pick<Outside, 'baseUrl' | 'operator'>,
): Answer {
  const failure: FailureResponse = {
    status: false,
    message: namingOperator(outside, message),
    code,
    ...(errors && {
      errors: errors.slice(0, MAX_ERRORS).map((one) => ({ field: one.field, message: worded(one) })),
    }),
    request_id: requestId,
    doc_url: docUrl(outside.baseUrl, code),
  };
  return jsonAnswer(statusCode, JSON.stringify(failure), headers);
}

/** Whoever has more mends the first ones. */
const MAX_ERRORS = 100;

const UNEXPECTED = new PublicError(
  'internal',
  'Something went wrong on our side. Try again; if the error persists, send the request_id to the operator of this service.',
);
