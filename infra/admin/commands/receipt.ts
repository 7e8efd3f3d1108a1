import { type Command, Option } from 'commander';
import { COMMAND_LINE } from '../../../shared/merchants/audit/audit.table.ts';
import { audited } from '../../../shared/merchants/audit/audited.ts';
import { assignUnassignedReceipt } from '../../../shared/money/receipt/assign-receipt.ts';
import { listNewestReceipts } from '../../../shared/money/receipt/newest-receipts.ts';
import { findTransaction } from '../../../shared/money/transaction/transaction.table.ts';
import { run, runAt, verb } from '../command.ts';
import { someText } from '../options.ts';
import { readAgain } from '../read-again.ts';

export function addReceiptCommands(program: Command): void {
  const receipt = program.command('receipt').description('payments that are not assigned to a merchant');

  verb(receipt, 'list', 'list the payments that are not assigned to a merchant, or those of one merchant', [
    new Option('--merchant <id>', 'those of this merchant'),
    new Option('--status <status>', 'held: a payment; unread: a text that could not be read')
      .choices(['held', 'unread'])
      .default('held'),
  ]).action(
    run(
      async (outside, { status, merchant, json }: { status: 'held' | 'unread'; merchant?: string; json?: boolean }) => {
        const receipts = await listNewestReceipts(outside, status, merchant);
        if (json) return { receipts };
        if (status === 'unread')
          return { receipts: receipts.map(({ id, sender, text, received_at }) => ({ id, sender, text, received_at })) };
        return {
          receipts: receipts.map(({ id, reason, transaction_id, amount, payer_name, payer_reference, received_at }) => {
            return { id, reason, transaction_id, amount, payer_name, payer_reference, received_at };
          }),
        };
      },
    ),
  );

  verb(receipt, 'assign', 'assign an unassigned payment to a pending charge, whatever its amount', [
    new Option('--id <id>', 'the id of the receipt').argParser(someText).makeOptionMandatory(),
    new Option('--reference <reference>', 'the reference of the charge, MK- and ten digits')
      .argParser(someText)
      .makeOptionMandatory(),
  ]).action(
    run(async (outside, { id, reference }: { id: string; reference: string }) => {
      // It is the merchant whose charge is paid that sees it.
      const merchant_id = (await findTransaction(outside, reference))?.merchant_id;
      const entry = { merchant_id, by: COMMAND_LINE, action: 'receipt assign', about: id, after: { reference } };
      return assignUnassignedReceipt(
        audited(outside, () => entry),
        id,
        reference,
      );
    }),
  );

  verb(receipt, 'read-again', 'settle the unread texts that this version can read, as if they had just arrived').action(
    runAt((place) => readAgain(place)),
  );
}
