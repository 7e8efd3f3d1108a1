import { type Command, Option } from 'commander';
import { OperatorError } from '../../../shared/runtime/stage/operator-error.ts';
import { runAt, verb } from '../command.ts';
import { eraseCustomer } from '../erase-customer.ts';
import { emailAddress, phoneNumber } from '../options.ts';

export function addCustomerCommands(program: Command): void {
  const customer = program.command('customer').description("customers' personal data");

  verb(
    customer,
    'erase',
    'erase what is kept of a customer; reads the whole table, which costs about three cents a gigabyte',
    [
      new Option('--phone <number>', 'what has this number').argParser(phoneNumber).conflicts('email'),
      new Option('--email <address>', 'what has this e-mail address').argParser(emailAddress),
      new Option('--yes', 'erase it for good; without this it is only counted'),
    ],
  ).action(
    runAt(async (place, options: { phone?: string; email?: string; yes?: boolean }, progress) => {
      const { phone, email, yes: isForReal = false } = options;
      const who = phone === undefined ? email !== undefined && { email } : { phone };
      if (!who) throw new OperatorError('Say whose data: --phone NUMBER or --email ADDRESS.');
      const { counts, leftOut } = await eraseCustomer(place, who, { isForReal, progress });
      return {
        [isForReal ? 'erased' : 'would_be_erased']: Object.entries(counts).map(([what, rows]) => ({ what, rows })),
        still_in_use: leftOut,
        ...(leftOut.length > 0 && { next: 'What is still in use is left out: erase again in ten days.' }),
        ...(!isForReal && { nothing_was_changed: 'Add --yes to erase it.' }),
      };
    }),
  );
}
