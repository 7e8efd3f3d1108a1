import { OperatorError } from '../../../shared/runtime/stage/operator-error.ts';
import { noun, optional, verb } from '../command.ts';
import { eraseCustomer } from '../erase-customer.ts';
import { emailAddress, phoneNumber } from '../options.ts';

export const customers = noun('customer', "customers' personal data", {
  erase: verb(
    "erase a customer's data; reads the whole table, which costs about three cents a gigabyte",
    {
      phone: { ...optional('<number>', "the customer's phone number", phoneNumber), conflicts: 'email' },
      email: optional('<address>', "the customer's e-mail address", emailAddress),
      yes: { description: 'erase the data permanently; without this option, the data is only counted' },
    },
    async (place, { phone, email, yes: isForReal = false }, { progress }) => {
      const who = phone === undefined ? email !== undefined && { email } : { phone };
      if (!who) throw new OperatorError('No customer was given. Add --phone NUMBER or --email ADDRESS.');
      const { counts, leftOut } = await eraseCustomer(place, who, { isForReal, progress });
      return {
        [isForReal ? 'erased' : 'would_be_erased']: Object.entries(counts).map(([what, rows]) => ({ what, rows })),
        still_in_use: leftOut,
        ...(leftOut.length > 0 && { next: 'Data that is still in use is skipped. Run this again in ten days.' }),
        ...(!isForReal && { nothing_was_changed: 'Add --yes to erase it.' }),
      };
    },
  ),
});
