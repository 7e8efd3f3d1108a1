import type { ErrorCode } from '../../shared/runtime/values/errors.ts';

interface ErrorDescription {
  readonly meaning: string;
  readonly whatToDo: string;
}

/** What the reference says about every error code. A code without its entry does not compile. */
export const errorDescriptions: Readonly<Record<ErrorCode, ErrorDescription>> = {
  invalid_request: {
    meaning: 'A field of the body, a parameter or the Idempotency-Key is not valid.',
    whatToDo: 'Fix the fields listed in `errors`. The same request will fail again.',
  },
  malformed_json: { meaning: 'The body is not JSON.', whatToDo: 'Send one JSON object.' },
  unauthorized: {
    meaning: 'The API key is missing, unknown, revoked, or of the wrong kind for the route.',
    whatToDo: 'Send `Authorization: Bearer` and a key of the kind that the route requires.',
  },
  insufficient_credits: {
    meaning: 'The request costs more SMS credits than are left. Nothing was sent.',
    whatToDo:
      'Send to fewer numbers, or get credits: by `POST /api/v1/sms/credits` where there are `bundles`, else from the operator.',
  },
  forbidden: {
    meaning: 'The API key has a scope that does not include what the route needs, or its merchant is suspended.',
    whatToDo:
      'Use a key whose scope has the permission that `message` names, or one without a scope. Where `message` says that the merchant is suspended, ask the operator.',
  },
  not_found: {
    meaning: 'The route or the object does not exist, or the object is not yours.',
    whatToDo: 'Check the id and the path.',
  },
  method_not_allowed: {
    meaning: 'The path exists, but not for this method.',
    whatToDo: 'Use a method listed in the `Allow` header.',
  },
  charge_reversed: {
    meaning: 'The network reversed the payment of the charge.',
    whatToDo: 'Settle it with the customer, and create a new charge.',
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
    meaning: 'The charge, or the refund, has moved on: it is paid, expired, cancelled, reversed or closed.',
    whatToDo:
      'Show its current state. A new charge for a second payment would deliver twice: send that payment back once its `proof.state` is `proven`.',
  },
  text_not_pending: {
    meaning: 'A phone has been given the text, it has ended, or it carries a code: it cannot be cancelled.',
    whatToDo: 'Show the text: its `status` says what became of it.',
  },
  duplicate_reference: {
    meaning: 'A charge of yours has this `merchant_reference`, and the request asked for a unique one.',
    whatToDo:
      'Do what `message` says: it names the charge, its `status` and, while it can be paid, its `authorization_url`. If it is paid, make no other. If it has ended, use another `merchant_reference`.',
  },
  recipient_opted_out: {
    meaning:
      'A recipient of a text with the purpose `marketing` or `reminder` has answered `STOP` to you. Nothing was sent, and nothing was debited.',
    whatToDo: 'Leave out the numbers that `errors` lists. They come back by themselves when they answer `START`.',
  },
  consent_missing: {
    meaning:
      'No consent of a recipient of a text with the purpose `marketing` is stored. Nothing was sent, and nothing was debited.',
    whatToDo:
      'Store their consent with `POST /api/v1/contact`, if they gave it, or leave out the numbers that `errors` lists. What they asked for, or have to know, is `transactional`.',
  },
  nothing_to_retry: {
    meaning: 'No text of the bulk has failed that was not sent again, or may still be.',
    whatToDo: 'Nothing. Texts that wait or are on their way can still fail: then this sends them again.',
  },
  nothing_to_refund: {
    meaning:
      'The charge is not paid, nothing that was paid for it is left to send back, or it has ten refunds already, or fifty with those that were withdrawn.',
    whatToDo: 'Verify the charge: it shows what was paid, and its refunds.',
  },
  sold_out: {
    meaning: 'The payment link hands out codes, and none is left.',
    whatToDo: 'Add codes to the link, or end it.',
  },
  link_ended: {
    meaning: 'The payment link has ended: at the time that was set, or because its merchant ended it.',
    whatToDo: 'Create a new link, or set another `ends_at`.',
  },
  request_closed: {
    meaning: 'The payment request is paid or cancelled.',
    whatToDo: 'Look at its `status`. For anything else that is to be paid, create a new request.',
  },
  charge_expired: { meaning: 'The time to pay the charge is over.', whatToDo: 'Create a new charge.' },
  charge_cancelled: { meaning: 'Its merchant has cancelled the charge.', whatToDo: 'Create a new charge.' },
  body_too_large: {
    meaning: 'The body is larger than the route accepts, usually 256 KB.',
    whatToDo: 'Send less in one request.',
  },
  unsupported_media_type: {
    meaning: 'The Content-Type header is not that of JSON.',
    whatToDo: 'Send `Content-Type: application/json`.',
  },
  idempotency_key_reused: {
    meaning: 'The Idempotency-Key was used for a different request within 24 hours.',
    whatToDo: 'Use a new key for a new request, the very same body for one that you repeat.',
  },
  payment_not_found: {
    meaning: 'No held payment has this transaction id, payer’s name and amount.',
    whatToDo: 'Check the id and the name. If the payment was made just now, wait a minute and try again.',
  },
  wrong_code: {
    meaning: 'The code is not the one that was sent to this number for this charge, or is no longer valid.',
    whatToDo: 'Check it, or ask for a new one.',
  },
  too_many_tries: {
    meaning:
      'There were too many claims with a wrong id or name, requests for a code, or wrong codes for a number or for all of your customers.',
    whatToDo: 'Wait for the number of seconds in `Retry-After`.',
  },
  too_many_requests: {
    meaning:
      'The key, or the merchant on this route, has made more requests than it may, or more at once than can change the same balance. Nothing was done.',
    whatToDo: 'Wait for the number of seconds in `Retry-After`, then send the same request.',
  },
  queue_full: {
    meaning: 'More of your texts are waiting on the sender than it sends in a day. Nothing was debited.',
    whatToDo: 'Wait for the number of seconds in `Retry-After`, or send with `"from": "random"` from another number.',
  },
  internal: {
    meaning: 'An error in the service.',
    whatToDo: 'Try again with the same Idempotency-Key. If the error persists, send the operator the `request_id`.',
  },
  no_sender_available: {
    meaning: 'No sender, or not the requested one, can send at the moment. Nothing was debited.',
    whatToDo: 'Try again after `Retry-After` seconds, or with `"from": "random"`.',
  },
  busy: {
    meaning:
      'Other requests were changing the same data, too much was read at once, or the service is being updated. Nothing was done, unless the message says that this is not known.',
    whatToDo: 'Try again after a second, or as many as `Retry-After` says, with the same Idempotency-Key.',
  },
};
