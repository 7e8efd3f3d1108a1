import type { ErrorBody } from './generated/schemas.ts';

/** What an error's `code` may be. The reference says what each means: an error's `doc_url` is its place there. */
export type ErrorCode = ErrorBody['code'];

/** Anything that this package throws on purpose, but for a `TypeError` where it is called wrongly. */
export class MomoKioskError extends Error {
  override name = 'MomoKioskError';
}

/** The service answered, and the answer is an error. The fields of its body have the names that they have there. */
export class ApiError extends MomoKioskError {
  override name = 'ApiError';
  /** The status of HTTP. */
  readonly status: number;
  /** For a program to read. Undefined where the answer is not the service's own, but that of a gateway before it. */
  readonly code: ErrorCode | undefined;
  /** Every invalid field, if fields are the problem. */
  readonly errors: readonly { readonly field: string; readonly message: string }[];
  /** Quote it when you ask the operator of the service. */
  readonly request_id: string | undefined;
  /** Where the reference says what the `code` means and what to do. */
  readonly doc_url: string | undefined;
  /** After how many seconds the same request may succeed, where the answer says it. */
  readonly retryAfterSeconds: number | undefined;
  /** The key of the request, if it has one: with it and the same body the request can be repeated for 24 hours. */
  readonly idempotencyKey: string | undefined;

  constructor(
    status: number,
    body: Partial<ErrorBody>,
    { retryAfterSeconds, idempotencyKey }: { retryAfterSeconds?: number; idempotencyKey?: string } = {},
  ) {
    super(body.message ?? `The service answered with status ${status}.`);
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
 * No answer came, or none that can be read; `cause` says why. The request may have taken effect: repeat it with this
 * `idempotencyKey` and the same body.
 */
export class ConnectionError extends MomoKioskError {
  override name = 'ConnectionError';
  /** The key of the request, if it has one. */
  readonly idempotencyKey: string | undefined;

  constructor(message: string, { cause, idempotencyKey }: { cause?: unknown; idempotencyKey?: string } = {}) {
    super(message, { cause });
    this.idempotencyKey = idempotencyKey;
  }
}

/** What was posted is not a webhook of this service, was changed on its way, or is too old. Answer with status 401. */
export class WebhookSignatureError extends MomoKioskError {
  override name = 'WebhookSignatureError';
}
