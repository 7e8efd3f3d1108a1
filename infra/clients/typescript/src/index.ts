import { Operations } from './generated/operations.ts';
import { type ClientOptions, Transport } from './transport.ts';

export { ApiError, ConnectionError, type ErrorCode, MomoKioskError, WebhookSignatureError } from './errors.ts';
export type { WebhookEvent } from './generated/events.ts';
export type * from './generated/operations.ts';
export type * from './generated/schemas.ts';
export { testNumbers } from './generated/test-numbers.ts';
export type { List, Page } from './list.ts';
export type { ClientOptions, KeyKind, RequestOptions, WebhookRequestOptions } from './transport.ts';
export { type WebhookHeaders, webhooks } from './webhooks.ts';

/**
 * A Momo Kiosk's API. Each operation returns the `data` of the answer; a list is read with `for await`. Amounts are in cedis (GHS).
 * @throws TypeError for an address or a key that cannot be right. An operation throws `ApiError` or `ConnectionError`.
 */
export class MomoKiosk extends Operations {
  constructor(options: ClientOptions) {
    super(new Transport(options));
    for (const [name, meant] of Object.entries(NAMES_ELSEWHERE)) {
      const get = () => {
        throw new TypeError(`There is no \`${name}\` here: did you mean \`${meant}\`?`);
      };
      Object.defineProperty(this, name, { get });
    }
  }
}

/** What other services' clients call it: without types, a program learns of a wrong name only as it runs. */
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
