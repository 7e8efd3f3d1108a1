import type { ErrorCode } from '../../shared/runtime/values/errors.ts';

interface ErrorDescription {
  readonly meaning: string;
  readonly whatToDo: string;
}

/** What the reference says of every error code. A code without its entry does not compile. */
export const errorDescriptions: Readonly<Record<ErrorCode, ErrorDescription>> = {
  invalid_request: {
    meaning: 'A field of the body, a parameter or the Idempotency-Key is not what it must be.',
    whatToDo: 'Mend what `errors` names. The same request will fail again.',
  },
  malformed_json: { meaning: 'The body is not JSON.', whatToDo: 'Send one JSON object.' },
  unauthorized: {
    meaning: 'There is no API key, it is unknown or was revoked, or it is of the wrong kind for the route.',
    whatToDo: 'Send `Authorization: Bearer` and a key of the kind that the route takes.',
  },
  insufficient_credits: {
    meaning: 'The request takes more SMS credits than are left. Nothing was sent.',
    whatToDo: 'Have the operator add credits, or send to fewer numbers.',
  },
  not_found: {
    meaning: 'There is no such thing, or it is not yours, or there is no such route.',
    whatToDo: 'Check the id and the path.',
  },
  method_not_allowed: {
    meaning: 'The path exists, and takes other methods.',
    whatToDo: 'Use a method that the header `Allow` names.',
  },
  charge_reversed: {
    meaning: 'The network took the payment of the charge back.',
    whatToDo: 'Settle it with the customer, and create a new charge.',
  },
  no_momo_number: {
    meaning: 'The merchant has no MoMo number that a charge could be paid on.',
    whatToDo: 'Have the operator set one.',
  },
  receipt_not_held: {
    meaning: 'The receipt is no held payment: it is matched already, was taken back, or could not be read.',
    whatToDo: 'Look at the receipt again.',
  },
  charge_not_pending: {
    meaning: 'The charge is paid, expired or reversed.',
    whatToDo: 'Create a new charge and assign the payment to that.',
  },
  charge_expired: { meaning: 'The 24 hours to pay the charge are over.', whatToDo: 'Create a new charge.' },
  body_too_large: {
    meaning: 'The body is larger than the route takes: 256 KB.',
    whatToDo: 'Send less in one request.',
  },
  unsupported_media_type: {
    meaning: 'The header Content-Type does not say that the body is JSON.',
    whatToDo: 'Send `Content-Type: application/json`.',
  },
  idempotency_key_reused: {
    meaning: 'The Idempotency-Key was used for another request within 24 hours.',
    whatToDo: 'Use a new key for a new request, and the same body for a repeat.',
  },
  payment_not_found: {
    meaning: 'No payment with this transaction id, payer’s name and amount waits for this charge.',
    whatToDo: 'Check id and name. After a payment just made, wait a minute and try again.',
  },
  too_many_tries: {
    meaning: 'Payments were claimed too often with a wrong id or name.',
    whatToDo: 'Wait as many seconds as `Retry-After` says.',
  },
  internal: {
    meaning: 'A fault of the service.',
    whatToDo: 'Try again under the same Idempotency-Key. If it stays, tell the operator the `request_id`.',
  },
  no_sender_available: {
    meaning: 'No phone can send at the moment, or not the one that was asked for. Nothing was debited.',
    whatToDo: 'Try again after `Retry-After` seconds, or with `"from": "random"`.',
  },
  busy: {
    meaning: 'Other requests were changing the same data, or too much was read at once. Nothing was done.',
    whatToDo: 'Try again after a second.',
  },
};
