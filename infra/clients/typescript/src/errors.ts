import type { ErrorBody } from './generated/schemas.ts';

/** The possible error codes. Each error's `doc_url` links to the explanation in the reference. */
export type ErrorCode = ErrorBody['code'];

/** Base class of all errors in this package, except the `TypeError` for an invalid call. */
export class MomoKioskError extends Error {
  override name = 'MomoKioskError';
}

/** Thrown when the service responds with an error. The fields are named as in the response. */
export class ApiError extends MomoKioskError {
  override name = 'ApiError';
  /** The HTTP status. */
  readonly status: number;
  /** The machine-readable code. Undefined if a gateway responded instead of the service. */
  readonly code: ErrorCode | undefined;
  /** The invalid fields, if any. */
  readonly errors: readonly { readonly field: string; readonly message: string }[];
  /** Quote this id when you contact the service's operator. */
  readonly request_id: string | undefined;
  /** The URL of this code's explanation in the reference. */
  readonly doc_url: string | undefined;
  /** Seconds until the same request may succeed, if the service says so. */
  readonly retryAfterSeconds: number | undefined;
  /**
   * The request's idempotency key, if any. For 24 hours, the request can be repeated with this key and the same body.
   */
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
 * Thrown when no response arrives or it cannot be read; see `cause`. The request may have taken effect. Repeat the
 * request with this `idempotencyKey` and the same body.
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

/**
 * Thrown when the request is not a webhook from this service, was changed in transit, or is too old. Respond with
 * status 401.
 */
export class WebhookSignatureError extends MomoKioskError {
  override name = 'WebhookSignatureError';
}
