import * as z from 'zod/mini';
import { described, requestBody } from '../../runtime/values/described.ts';

export const AssignRequest = requestBody('AssignRequest', {
  reference: described(
    z.string('must be the reference of a pending charge, MK- and ten digits'),
    'Your charge: pending, or ended unpaid under a day ago (a payment request’s, if paid in time, or after `charge.unmarked`: any time).',
    { examples: ['MK-4071932685'] },
  ),
  as_part: described(
    z._default(z.boolean('must be true or false'), false),
    'Add the payment as a part of a pending charge. Otherwise the charge counts as fully paid, whatever the amount.',
  ),
});

export type AssignRequest = z.infer<typeof AssignRequest>;
