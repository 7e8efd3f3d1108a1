import { listNewestReceipts } from '../../../shared/money/receipt/newest-receipts.ts';
import { prepareAssignment } from '../../../shared/money/settling/assign-receipt.ts';
import { changeVerb, noun, oneOf, optional, required, verb } from '../command.ts';
import { someText } from '../options.ts';
import { readAgain } from '../read-again.ts';

export const receipts = noun('receipt', 'payments that are not assigned to a merchant', {
  list: verb(
    'list held payments or unread texts: those without a merchant, or those of one merchant',
    {
      merchant: optional('<id>', 'only those of this merchant', String),
      status: {
        ...oneOf('<status>', 'held: payments; unread: texts that could not be read', ['held', 'unread']),
        standard: 'held',
      },
    },
    async ({ outside }, { status, merchant }, { isJson }) => {
      const receipts = await listNewestReceipts(outside, status, merchant);
      if (isJson) return { receipts };
      if (status === 'unread')
        return { receipts: receipts.map(({ id, sender, text, received_at }) => ({ id, sender, text, received_at })) };
      return {
        receipts: receipts.map(({ id, reason, transaction_id, amount, payer_name, payer_reference, received_at }) => {
          return { id, reason, transaction_id, amount, payer_name, payer_reference, received_at };
        }),
      };
    },
  ),
  assign: changeVerb(
    'assign an unassigned payment to a pending charge, even if the amounts differ',
    {
      id: required('<id>', 'the id of the receipt', someText),
      reference: required('<reference>', 'the reference of the charge, MK- and ten digits', someText),
    },
    (outside, { id, reference }) => prepareAssignment(outside, id, reference),
    ({ assigned }) => assigned,
  ),
  'read-again': verb('process the unread texts that this version can read, as if they had just arrived', {}, (place) =>
    readAgain(place),
  ),
});
