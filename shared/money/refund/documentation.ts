import type { DocumentedEvent, Operation } from '../../runtime/http/operation.ts';
import { paid, reference } from '../charge/documentation.ts';
import { ChargeResponse, type RefundResponse } from '../charge/responses.ts';
import { CloseRefundRequest, RefundRequest } from './note-refund.ts';

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
    summary: 'Note a refund',
    description: `Notes that you send the money of a paid charge back, or some of it. The
service holds no money and sends none: send it from your phone. When a verified text of your wallet says that this amount went to the
payer’s name, and it can be for nothing else that this payer is owed (another refund, a held payment, an overpayment of another charge), the refund is closed as \`sent\` by
itself; otherwise, as on a new wallet, close it yourself. A charge whose whole payment was sent back still has the status \`success\`. With \`receipt_id\` it is a second or held payment of this charge
that is sent back (no \`refunds\` entry, no \`charge.refunded\`), also of a cancelled one; a held payment without \`suggested_reference\` is noted as sent back on its page of the dashboard. Money that is not verified can be noted too: then \`warning\` says to look into the wallet
first, and no day’s sum counts it.`,
    path: { reference },
    body: {
      schema: RefundRequest,
      examples: { part: { summary: 'A part', value: { amount: 12.5, reason: 'Out of stock' } } },
    },
    success: {
      message: 'Refund noted',
      data: ChargeResponse,
      example: { ...paid, refunds: [noted], warning: null } satisfies ChargeResponse,
    },
    errors: ['nothing_to_refund', 'charge_not_pending'],
  },
  'transaction/close-refund': {
    tag: 'Charges',
    summary: 'Close a refund',
    description: 'Says that the money of a refund has left your wallet, or that it will not.',
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
    description:
      'A refund that you noted has left your wallet: its verified text said so, or you did. `refunds` has it as `sent`.',
    data: ChargeResponse,
    example: { ...paid, refunds: [sent] } satisfies ChargeResponse,
  },
} satisfies Record<string, DocumentedEvent>;
