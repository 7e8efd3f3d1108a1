import { Operations } from './generated/operations.ts';
import { type ClientOptions, Transport } from './transport.ts';

export { ApiError, ConnectionError, type ErrorCode, MomoKioskError, WebhookSignatureError } from './errors.ts';
export { type WebhookEvent, webhookEventTypes } from './generated/events.ts';
export type * from './generated/operations.ts';
export type * from './generated/schemas.ts';
export { testNumbers } from './generated/test-numbers.ts';
export type { List, Page } from './list.ts';
export type { ClientOptions, KeyKind, RequestOptions, WebhookRequestOptions } from './transport.ts';
export { type WebhookHeaders, webhooks } from './webhooks.ts';

/**
 * Client for the API of a Momo Kiosk service. Operations return the response's `data`. Iterate over lists with `for
 * await`. Amounts are in cedis (GHS). Operations throw `ApiError` or `ConnectionError`.
 * @throws TypeError for an invalid URL or key.
 */
export class MomoKiosk extends Operations {
  constructor(options: ClientOptions) {
    super(new Transport(options));
    for (const [name, meant] of Object.entries(NAMES_ELSEWHERE)) {
      const get = () => {
        throw new TypeError(`There is no \`${name}\` here. Did you mean \`${meant}\`?`);
      };
      Object.defineProperty(this, name, { get });
    }
  }
}

/** Maps names in other services' clients to our operations. Without TypeScript, a wrong name fails only at run time. */
const NAMES_ELSEWHERE = {
  charge: 'transaction.initialize',
  charges: 'transaction.initialize',
  message: 'sms.send',
  messages: 'sms.send',
  payment: 'transaction.initialize',
  payments: 'transaction.initialize',
  refund: 'transaction.refund',
  refunds: 'transaction.refund',
  transactions: 'transaction.initialize',
};
