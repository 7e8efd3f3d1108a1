import { OperatorError } from '../../../shared/runtime/stage/operator-error.ts';
import { noun, optional, verb } from '../command.ts';
import { eraseCustomer } from '../erase-customer.ts';
import { emailAddress, phoneNumber } from '../options.ts';

export const customers = noun('customer', "customers' personal data", {
  erase: verb(
    'erase the data of a customer; reads the whole table, which costs about three cents a gigabyte',
    {
      phone: { ...optional('<number>', 'the phone number of the customer', phoneNumber), conflicts: 'email' },
      email: optional('<address>', 'the e-mail address of the customer', emailAddress),
      yes: { description: 'erase it permanently; otherwise it is only counted' },
    },
    async (place, { phone, email, yes: isForReal = false }, { progress }) => {
      const who = phone === undefined ? email !== undefined && { email } : { phone };
      if (!who) throw new OperatorError('The customer is missing. Add --phone NUMBER or --email ADDRESS.');
      const { counts, leftOut } = await eraseCustomer(place, who, { isForReal, progress });
      return {
        [isForReal ? 'erased' : 'would_be_erased']: Object.entries(counts).map(([what, rows]) => ({ what, rows })),
        still_in_use: leftOut,
        ...(leftOut.length > 0 && { next: 'Data that is still in use is left out. Erase again in ten days.' }),
        ...(!isForReal && { nothing_was_changed: 'Add --yes to erase it.' }),
      };
    },
  ),
});
