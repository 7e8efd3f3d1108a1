import { slug } from '../../money/request/documentation.ts';
import { htmlAnswer, type Operation } from '../../runtime/http/operation.ts';
import { PayPartRequest } from './page.ts';

const ofRequest = { tag: 'Payment requests', path: { slug }, errorPage: true } as const;

export const requestPageOperations = {
  'r/page': {
    ...ofRequest,
    summary: 'The page of a request',
    description:
      'The `url` of a request: the requested, paid and outstanding amounts, a receipt for each payment, and a form that opens a charge.',
    otherAnswers: { 200: htmlAnswer('The page.') },
  },
  'r/open': {
    ...ofRequest,
    summary: 'Pay a request, or a part of it',
    description:
      'Used by the page’s form: opens a charge for the typed amount, or reuses a pending one, and redirects to its checkout page. A rejected form gets the page in response.',
    body: {
      schema: PayPartRequest,
      form: true,
      examples: { part: { summary: 'A part', value: { amount: '425' } } },
    },
    otherAnswers: { 303: { description: 'Redirects to the checkout page of the charge.' } },
    errors: ['forbidden', 'no_momo_number', 'request_closed', 'too_many_requests', 'busy'],
  },
} satisfies Record<string, Operation>;
