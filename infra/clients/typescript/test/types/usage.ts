import {
  ApiError,
  type Charge,
  type InitializeRequest,
  type List,
  MomoKiosk,
  testNumbers,
  type WebhookDelivery,
  type WebhookEvent,
  webhooks,
} from 'momo-kiosk-client';

/** Compiled with each version of TypeScript, never run. `@ts-expect-error` marks lines that must not compile. */
const momo = new MomoKiosk({ baseUrl: 'https://pay.example.com', secretKey: 'sk_live_x' });

export async function charges(): Promise<void> {
  const request: InitializeRequest = { amount: '36.50', metadata: { order: { id: 7 } } };
  const created = await momo.transaction.initialize(request, { idempotencyKey: 'order-7' });
  const network: 'MTN' | 'TELECEL' | 'AT' = created.momo_network;
  const list: List<Charge> = momo.transaction.list({ status: 'success', per_page: 10 });
  for await (const { livemode, proof, payment, paid_at } of list) {
    const name: string | null | undefined = payment?.payer_name;
    const mustHold: boolean = livemode && proof?.state !== 'proven';
    // @ts-expect-error The proof is an object with a `state`, so this comparison would never be true.
    if (proof === 'unproven') continue;
    // @ts-expect-error An unpaid charge has no time of payment.
    const paidAt: string = paid_at;
    console.log(name, mustHold, paidAt);
  }
  const closed: Charge = await momo.transaction.closeRefund(created.reference, 'id', { outcome: 'sent' });
  console.log(network, closed.refunds[0]?.status, testNumbers.failed);
}

export function mistakes(): void {
  // @ts-expect-error An amount is required.
  void momo.transaction.initialize({ customer_name: 'Kofi Mensah' });
  // @ts-expect-error There is no such field.
  void momo.transaction.initialize({ amount: 36, channels: ['mobile_money'] });
  // @ts-expect-error There is no such status.
  momo.transaction.list({ status: 'paid' });
  // @ts-expect-error A charge has no webhook of its own.
  void momo.transaction.verify('MK-0000000001', { webhookOf: 'sms' });
  // @ts-expect-error Responses are read-only.
  testNumbers.failed = '';
  // @ts-expect-error There is no such operation.
  void momo.transaction.delete('MK-0000000001');
}

export async function receive(body: Uint8Array, headers: Headers): Promise<string | null> {
  const event: WebhookEvent = await webhooks.verify(body, headers, ['whsec_a', 'whsec_b']);
  switch (event.type) {
    case 'charge.success':
      return event.data.payment?.transaction_id ?? event.id;
    case 'sms.failed':
      // @ts-expect-error A text has no payment.
      return event.data.payment;
    default:
      return null;
  }
}

/** Accepts the header types used by Node, Express and API Gateway. */
export async function receiveFrom(
  body: string,
  headers: Record<string, string | string[] | undefined>,
): Promise<WebhookEvent> {
  return webhooks.verify(body, headers, 'whsec_a');
}

/** A list entry describes an event's delivery. The event itself is in `body`. */
export async function delivered(): Promise<number> {
  const entry: WebhookDelivery | undefined = (await momo.webhook.listEvents().page()).items[0];
  // @ts-expect-error The event is in its `body`.
  const event: WebhookEvent | undefined = entry;
  return event ? 0 : (entry?.tries ?? 0);
}

export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  // @ts-expect-error There is no such code.
  if (error.code === 'no_such_code') return 'never';
  return error.code === 'insufficient_credits' ? error.doc_url : error.errors[0]?.field;
}
