import type { ErrorBody } from './generated/schemas.ts';

/** All error codes. An error's `doc_url` links to the explanation. */
export type ErrorCode = ErrorBody['code'];

/** Base class of this package's errors, except the `TypeError` for an invalid call. */
export class MomoKioskError extends Error {
  override name = 'MomoKioskError';
}

/** Thrown when the service responds with an error. Fields are named as in the response. */
export class ApiError extends MomoKioskError {
  override name = 'ApiError';
  /** The HTTP status. */
  readonly status: number;
  /** The machine-readable code. Undefined if a gateway responded instead of the service. */
  readonly code: ErrorCode | undefined;
  /** The invalid fields, if any. */
  readonly errors: readonly { readonly field: string; readonly message: string }[];
  /** The request's id. Include it when you contact the service's operator. */
  readonly request_id: string | undefined;
  /** The URL of this code's explanation in the reference. */
  readonly doc_url: string | undefined;
  /** Seconds to wait before a retry, if the service says so. */
  readonly retryAfterSeconds: number | undefined;
  /** The request's idempotency key, if any. The same request can be repeated with this key for 24 hours. */
  readonly idempotencyKey: string | undefined;

  constructor(
    status: number,
    body: Partial<ErrorBody>,
    { retryAfterSeconds, idempotencyKey }: { retryAfterSeconds?: number; idempotencyKey?: string } = {},
  ) {
    super(body.message ?? `The service responded with status ${status}.`);
    this.status = status;
    this.code = body.code;
    this.errors = body.errors ?? [];
    this.request_id = body.request_id;
    this.doc_url = body.doc_url;
    this.retryAfterSeconds = retryAfterSeconds;
    this.idempotencyKey = idempotencyKey;
  }
}

/**
 * Thrown when there is no readable response; see `cause`. The request may have taken effect. Repeat the request with
 * this `idempotencyKey` and the same body.
 */
export class ConnectionError extends MomoKioskError {
  override name = 'ConnectionError';
  /** The request's idempotency key, if any. */
  readonly idempotencyKey: string | undefined;

  constructor(message: string, { cause, idempotencyKey }: { cause?: unknown; idempotencyKey?: string } = {}) {
    super(message, { cause });
    this.idempotencyKey = idempotencyKey;
  }
}

/** Thrown when a webhook's signature is invalid or too old. Respond with status 401. */
export class WebhookSignatureError extends MomoKioskError {
  override name = 'WebhookSignatureError';
}
