/*
 * payment use   PAYMENT#<network>#<network's id> / PAYMENT   the charge that a payment paid, whichever of its texts said so;
 *                                                             without a charge where the network took it back before
 */
import * as z from 'zod/mini';
import type { Network } from '../../ghana/network.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import type { PaymentReceipt } from './receipt.ts';
import { isTestTransactionId } from './test-transaction-id.ts';

const PaymentUse = z.object({ receipt_id: z.string(), reference: z.optional(z.string()) });
export type PaymentUse = z.infer<typeof PaymentUse>;

const keyOf = (network: Network, transactionId: string) => ({
  pk: `PAYMENT#${network}#${transactionId}`,
  sk: 'PAYMENT',
});

export async function getPaymentUse(
  outside: Pick<Outside, 'table'>,
  network: Network,
  transactionId: string,
): Promise<PaymentUse | undefined> {
  const item = await outside.table.get(keyOf(network, transactionId));
  return item && z.parse(PaymentUse, item);
}

type OfPayment = Pick<PaymentReceipt, 'network' | 'transaction_id' | 'receipt_id' | 'expires_at_epoch_seconds'>;

/**
 * Uses a payment for a charge, or for none if the network reversed it first. It stays used until the charge ends unpaid. Refused
 * with `PaymentUsed` if it was used before, through any of its receipts: a network's id is one payment in the whole network. A test's
 * ends with its receipt.
 */
export function usePayment(
  { network, transaction_id, receipt_id, expires_at_epoch_seconds }: OfPayment,
  reference: string | undefined,
): TableWrite {
  const use: PaymentUse = { receipt_id, reference };
  const ends = isTestTransactionId(transaction_id) ? { expires_at_epoch_seconds } : {};
  return {
    put: {
      Item: { ...keyOf(network, transaction_id), ...use, ...ends },
      ConditionExpression: 'attribute_not_exists(pk)',
    },
    refused: (current) => new PaymentUsed(z.parse(PaymentUse, current)),
  };
}

/** Frees a payment that was used for a charge which has ended unpaid. */
export function releasePayment(
  { network, transaction_id }: Pick<OfPayment, 'network' | 'transaction_id'>,
  reference: string,
): TableWrite {
  return {
    delete: {
      Key: keyOf(network, transaction_id),
      ConditionExpression: '#reference = :reference',
      ExpressionAttributeNames: { '#reference': 'reference' },
      ExpressionAttributeValues: { ':reference': reference },
    },
  };
}

/** Another receipt of the same payment has paid a charge, or the network took the payment back. */
export class PaymentUsed extends PublicError {
  readonly use: PaymentUse;
  constructor(use: PaymentUse) {
    super(
      'receipt_not_held',
      use.reference === undefined
        ? 'The network took this payment back.'
        : 'This payment has paid a charge already, by another text with the same transaction ID. One payment pays one charge.',
    );
    this.use = use;
  }
}
