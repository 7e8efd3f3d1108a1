import type { DocumentedEvent, Operation } from '../../runtime/http/operation.ts';
import { paid, reference } from '../charge/documentation.ts';
import { ChargeResponse, type RefundResponse } from '../charge/responses.ts';
import { CloseRefundRequest, RefundRequest } from './refund-request.ts';

const noted: RefundResponse = {
  refund_id: '01KATYQ6Z5C5J8YB4SFH1N3XQ2',
  status: 'noted',
  amount: 12.5,
  proof: { state: 'proven', why: null },
  reason: 'Out of stock',
  noted_at: '2026-11-20T09:12:31.000Z',
  closed_at: null,
  closed_by: null,
  transaction_id: null,
};

const sent: RefundResponse = {
  ...noted,
  status: 'sent',
  closed_at: '2026-11-20T09:20:02.000Z',
  closed_by: 'wallet',
  transaction_id: '62841954102',
};

export const refundOperations = {
  'transaction/refund': {
    tag: 'Charges',
    summary: 'Record a refund',
    description: `Records that you send back the money of a paid charge, or a part of it. The
service cannot send money: send it from your phone. If a verified text reports a transfer of this amount to the
payer’s name, and this payer is owed nothing else of that amount (another refund, a held payment, an overpayment of another charge), the refund
closes as \`sent\`; otherwise, as on a new wallet, close it yourself. The charge keeps the \`success\` status. With \`receipt_id\`, a second or
held payment of this charge, even a cancelled one, is recorded as sent back (no \`refunds\` entry, no \`charge.refunded\`); a held payment without
\`suggested_reference\` is noted on its dashboard page. For unverified money, \`warning\` says to check the wallet first, and daily totals
exclude the refund.`,
    path: { reference },
    body: {
      schema: RefundRequest,
      examples: { part: { summary: 'A part', value: { amount: 12.5, reason: 'Out of stock' } } },
    },
    success: {
      message: 'Refund recorded',
      data: ChargeResponse,
      example: { ...paid, refunds: [noted], warning: null } satisfies ChargeResponse,
    },
    errors: ['nothing_to_refund', 'charge_not_pending'],
  },
  'transaction/close-refund': {
    tag: 'Charges',
    summary: 'Close a refund',
    description: 'Closes a refund because you have sent the money, or will not send it.',
    path: {
      reference,
      refund_id: { description: 'The refund’s id.', schema: { type: 'string' }, example: noted.refund_id },
    },
    body: { schema: CloseRefundRequest, examples: { sent: { summary: 'Sent', value: { outcome: 'sent' } } } },
    success: {
      message: 'Refund closed',
      data: ChargeResponse,
      example: { ...paid, refunds: [sent] } satisfies ChargeResponse,
    },
    errors: ['charge_not_pending'],
  },
} satisfies Record<string, Operation>;

export const refundEvents = {
  'charge.refunded': {
    summary: 'A refund was sent',
    description: 'A recorded refund is `sent`, as reported by your wallet’s verified text or by you.',
    data: ChargeResponse,
    example: { ...paid, refunds: [sent] } satisfies ChargeResponse,
  },
} satisfies Record<string, DocumentedEvent>;
