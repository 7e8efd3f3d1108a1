import type { ErrorCode } from '../../shared/runtime/values/errors.ts';

interface ErrorDescription {
  readonly meaning: string;
  readonly whatToDo: string;
}

/** The API reference for each error code. The code does not compile if an error code has no entry. */
export const errorDescriptions: Readonly<Record<ErrorCode, ErrorDescription>> = {
  invalid_request: {
    meaning: 'A field, a parameter or the Idempotency-Key is not valid.',
    whatToDo: 'Fix the fields listed in `errors`.',
  },
  malformed_json: { meaning: 'The body is not JSON.', whatToDo: 'Send one JSON object.' },
  unauthorized: {
    meaning: 'The API key is missing, unknown, revoked, or of the wrong kind for the route.',
    whatToDo: 'Send `Authorization: Bearer` and a key of the required kind.',
  },
  insufficient_credits: {
    meaning: 'You do not have enough credits. Nothing was sent.',
    whatToDo: 'Send to fewer numbers, or buy credits with `POST /api/v1/sms/credits` or from the operator.',
  },
  forbidden: {
    meaning: 'The key’s scope lacks a permission, or the merchant is suspended.',
    whatToDo:
      'Use a key that has the permission in `message`, or a key without a scope. If the merchant is suspended, contact the operator.',
  },
  not_found: {
    meaning: 'The route or object does not exist, or the object is not yours.',
    whatToDo: 'Check the id and the path.',
  },
  method_not_allowed: {
    meaning: 'The path does not support this method.',
    whatToDo: 'Use a method listed in the `Allow` header.',
  },
  charge_reversed: {
    meaning: 'The network reversed the charge’s payment.',
    whatToDo: 'Contact the customer, then create a new charge.',
  },
  no_momo_number: {
    meaning: 'The merchant has no MoMo number to receive payments on.',
    whatToDo: 'Ask the operator to set one.',
  },
  receipt_not_held: {
    meaning: 'The receipt is not a held payment: it is already matched, was reversed, or could not be read.',
    whatToDo: 'Check the current state of the receipt.',
  },
  charge_not_pending: {
    meaning: 'The charge or refund is no longer pending.',
    whatToDo:
      'Call verify to see its status. Do not create a new charge for a second payment, or you will deliver twice. Send the second payment back once its `proof.state` is `proven`.',
  },
  text_not_pending: {
    meaning: 'The text cannot be cancelled: a phone already has it, its status is final, or it contains a code.',
    whatToDo: 'Fetch the text. Its `status` shows the outcome.',
  },
  duplicate_reference: {
    meaning: 'Another of your charges has this `merchant_reference`.',
    whatToDo:
      'Use the charge in `message`, which also contains its `status` and, if it can still be paid, its `authorization_url`. If it ended unpaid, use another `merchant_reference`.',
  },
  recipient_opted_out: {
    meaning: 'A recipient of this `marketing` or `reminder` text has replied `STOP`. Nothing was sent or debited.',
    whatToDo: 'Leave out the numbers in `errors` until they reply `START`.',
  },
  consent_missing: {
    meaning: 'A recipient of this `marketing` text has no stored consent. Nothing was sent or debited.',
    whatToDo:
      'If they agreed, store their consent with `POST /api/v1/contact`. Otherwise, leave out the numbers in `errors`. Use `transactional` for information that they asked for or need.',
  },
  nothing_to_retry: {
    meaning: 'The bulk send has no failed text to resend.',
    whatToDo: 'Nothing needs to be resent yet. Texts that are still queued or in transit may fail later.',
  },
  nothing_to_refund: {
    meaning:
      'The charge is not paid, has nothing left to refund, or has reached the limit of ten refunds (fifty including withdrawn ones).',
    whatToDo: 'Call verify to see the charge’s payments and refunds.',
  },
  sold_out: {
    meaning: 'The payment link hands out codes, and none are left.',
    whatToDo: 'Add codes to the link, or end it.',
  },
  link_ended: {
    meaning: 'The payment link is no longer active: its `ends_at` has passed, or its merchant ended it.',
    whatToDo: 'Create a new link, or set another `ends_at`.',
  },
  request_closed: {
    meaning: 'The payment request is already paid or cancelled.',
    whatToDo: 'Check its `status`. For another payment, create a new request.',
  },
  charge_expired: { meaning: 'The charge has expired.', whatToDo: 'Create a new charge.' },
  charge_cancelled: { meaning: 'The merchant has cancelled the charge.', whatToDo: 'Create a new charge.' },
  body_too_large: {
    meaning: 'The body is larger than the route allows (usually 256 KB).',
    whatToDo: 'Send less in one request.',
  },
  unsupported_media_type: {
    meaning: 'The Content-Type header is not JSON.',
    whatToDo: 'Send `Content-Type: application/json`.',
  },
  idempotency_key_reused: {
    meaning: 'This Idempotency-Key was used for a different request in the last 24 hours.',
    whatToDo: 'Use a new key for a new request, or send exactly the same body to repeat one.',
  },
  payment_not_found: {
    meaning: 'No held payment has this transaction id, payer name and amount.',
    whatToDo: 'Check the id and the name. If the payment was made just now, wait a minute and try again.',
  },
  wrong_code: {
    meaning: 'The code is wrong for this number and charge, or no longer valid.',
    whatToDo: 'Check the code, or request a new one.',
  },
  too_many_tries: {
    meaning:
      'Too many wrong claims, wrong codes or code requests came from one number, or from all your customers combined.',
    whatToDo: 'Wait for the number of seconds in `Retry-After`.',
  },
  too_many_requests: {
    meaning:
      'The key has exceeded its rate limit, the merchant has exceeded the limit for this route, or too many requests are changing the same balance. Nothing was done.',
    whatToDo: 'Wait for the number of seconds in `Retry-After`, then send the same request.',
  },
  queue_full: {
    meaning: 'More of your texts are queued for the sender than it can send in a day. Nothing was debited.',
    whatToDo: 'Wait for the number of seconds in `Retry-After`, or send with `"from": "random"` from another number.',
  },
  internal: {
    meaning: 'Something went wrong on our side.',
    whatToDo: 'Try again with the same Idempotency-Key. If it fails again, send the operator the `request_id`.',
  },
  no_sender_available: {
    meaning: 'The requested sender, or every sender, is unavailable at the moment. Nothing was debited.',
    whatToDo: 'Try again after `Retry-After` seconds, or with `"from": "random"`.',
  },
  busy: {
    meaning:
      'Other requests are changing the same data, too much data is being read at once, or the service is being updated. Nothing was done, unless `message` says that the outcome is unknown.',
    whatToDo: 'Try again with the same Idempotency-Key after a second, or after `Retry-After` seconds.',
  },
};
