import { slug } from '../../money/request/documentation.ts';
import { htmlAnswer, type Operation } from '../../runtime/http/operation.ts';
import { PayPartRequest } from './page.ts';

const ofRequest = { tag: 'Payment requests', path: { slug }, errorPage: true } as const;

export const requestPageOperations = {
  'r/page': {
    ...ofRequest,
    summary: 'A request’s page',
    description:
      'The page at a request’s `url`. It shows the requested, paid and outstanding amounts, with a receipt for each payment and a form that opens a charge.',
    otherAnswers: { 200: htmlAnswer('The page.') },
  },
  'r/open': {
    ...ofRequest,
    summary: 'Pay a request, or a part of it',
    description:
      'Used by the page’s form. Opens a charge for the typed amount, or reuses a pending charge, and redirects to its checkout page. If the form is rejected, the response is the page.',
    body: {
      schema: PayPartRequest,
      form: true,
      examples: { part: { summary: 'A part', value: { amount: '425' } } },
    },
    otherAnswers: { 303: { description: 'Redirects to the charge’s checkout page.' } },
    errors: ['forbidden', 'no_momo_number', 'request_closed', 'too_many_requests', 'busy'],
  },
} satisfies Record<string, Operation>;
