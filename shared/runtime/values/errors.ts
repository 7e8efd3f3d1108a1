/** All public error codes, with their HTTP statuses. */
export const statusOfCode = {
  invalid_request: 400,
  malformed_json: 400,
  unauthorized: 401,
  insufficient_credits: 402,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  charge_reversed: 409,
  no_momo_number: 409,
  receipt_not_held: 409,
  charge_not_pending: 409,
  text_not_pending: 409,
  duplicate_reference: 409,
  nothing_to_refund: 409,
  sold_out: 409,
  recipient_opted_out: 409,
  consent_missing: 409,
  nothing_to_retry: 409,
  charge_expired: 410,
  charge_cancelled: 410,
  link_ended: 410,
  request_closed: 410,
  body_too_large: 413,
  unsupported_media_type: 415,
  idempotency_key_reused: 422,
  // Not 404, because a 404 on the same path means a wrong checkout code. A client that reads only the status would
  // abandon the charge.
  payment_not_found: 422,
  wrong_code: 422,
  too_many_tries: 429,
  too_many_requests: 429,
  queue_full: 429,
  internal: 500,
  no_sender_available: 503,
  busy: 503,
} as const;

export type ErrorCode = keyof typeof statusOfCode;
export const errorCodes = Object.keys(statusOfCode) as [ErrorCode, ...ErrorCode[]];

export function docUrl(baseUrl: string, code: ErrorCode): string {
  return `${baseUrl}/docs#${errorAnchor(code)}`;
}

export function errorAnchor(code: ErrorCode): string {
  return `error-${code}`;
}

export interface FieldError {
  readonly field: string;
  readonly message: string;
  readonly line?: number | undefined;
}

/** Identifies an invalid list entry by its position in the body. */
export const inList =
  (field: string) =>
  (n: number, message: string): FieldError => ({ field: `${field}[${n}]`, message });

export function worded({ line, message }: FieldError): string {
  return line === undefined ? message : `line ${line}: ${message}`;
}

export const TRY_AGAIN = 'Try again in a second.';

/** An error shown to the caller, with advice. Any other error is a bug, logged in full and returned as `internal`. */
export class PublicError extends Error {
  override readonly name = 'PublicError';
  readonly code: ErrorCode;
  readonly statusCode: number;
  readonly errors: readonly FieldError[] | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ErrorCode,
    message: string,
    details: { errors?: readonly FieldError[]; headers?: Record<string, string> } = {},
  ) {
    super(message);
    this.code = code;
    this.statusCode = statusOfCode[code];
    this.errors = details.errors;
    this.headers = details.headers ?? {};
  }
}

export function retryAfter(seconds: number): { headers: { 'retry-after': string } } {
  return { headers: { 'retry-after': String(Math.ceil(seconds)) } };
}

export function hasCode(error: unknown, ...codes: readonly ErrorCode[]): error is PublicError {
  return error instanceof PublicError && codes.includes(error.code);
}

export function refuseInvalid(errors: readonly FieldError[]): void {
  const [first, ...rest] = errors;
  if (first) throw invalidRequest([first, ...rest]);
}

export function invalidRequest(errors: readonly [FieldError, ...FieldError[]]): PublicError {
  const [first] = errors;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more, see errors)` : '';
  return new PublicError('invalid_request', `${first.field}: ${worded(first)}${more}`, { errors });
}
