import { type Command, Option } from 'commander';
import { listMerchantReceipts } from '../../../shared/receipt/merchant-receipts.ts';
import { assignUnassignedReceipt, listUnassignedReceipts } from '../../../shared/receipt/unassigned-receipts.ts';
import { run, verb } from '../command.ts';
import { someText } from '../options.ts';

export function addReceiptCommands(program: Command): void {
  const receipt = program.command('receipt').description('payments that are not known to be one merchant’s');

  verb(receipt, 'list', 'show the payments that are not known to be one merchant’s, or those of one', [
    new Option('--merchant <id>', 'the held or unread ones of this merchant'),
    new Option('--status <status>', 'held: a payment; unread: a text that could not be read')
      .choices(['held', 'unread'])
      .default('held'),
  ]).action(
    run(
      async (outside, { status, merchant, json }: { status: 'held' | 'unread'; merchant?: string; json?: boolean }) => {
        const receipts = await (merchant === undefined
          ? listUnassignedReceipts(outside, status)
          : listMerchantReceipts(outside, merchant, status));
        if (json) return { receipts };
        return {
          receipts: receipts.map(({ id, reason, transaction_id, amount, payer_name, payer_reference, received_at }) => {
            return { id, reason, transaction_id, amount, payer_name, payer_reference, received_at };
          }),
        };
      },
    ),
  );

  verb(receipt, 'assign', 'give such a payment to a pending charge, whatever its amount', [
    new Option('--id <id>', 'of the receipt').argParser(someText).makeOptionMandatory(),
    new Option('--reference <reference>', 'of the charge, MK- and ten digits')
      .argParser(someText)
      .makeOptionMandatory(),
  ]).action(
    run(async (outside, options: { id: string; reference: string }) =>
      assignUnassignedReceipt(outside, options.id, options.reference),
    ),
  );
}
