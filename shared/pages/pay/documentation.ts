import { slug } from '../../money/link/documentation.ts';
import { htmlAnswer, type Operation } from '../../runtime/http/operation.ts';
import { PayRequest } from './open.ts';

const ofLink = { tag: 'Payment links', path: { slug } } as const;
const binary = { schema: { type: 'string', format: 'binary' } } as const;

export const payOperations = {
  'pay/page': {
    ...ofLink,
    errorPage: true,
    summary: 'A link’s page',
    description: 'The page at a link’s `url`, with a form that opens a charge.',
    otherAnswers: {
      200: htmlAnswer('The page.'),
      403: htmlAnswer('The merchant is suspended, or has no number to receive payments on.'),
      409: htmlAnswer('All of the link’s codes have been sold.'),
      410: htmlAnswer('The link is no longer active.'),
    },
  },
  'pay/open': {
    ...ofLink,
    errorPage: true,
    summary: 'Open a charge through a link',
    description:
      'Used by the page’s form. Opens a charge and redirects to its checkout page. If the form is rejected, the response is the same page with the error.',
    body: {
      schema: PayRequest,
      form: true,
      examples: {
        fixed: { summary: 'A fixed amount', value: { note: 'Room 12' } },
        open: { summary: 'The customer types the amount', value: { amount: '20' } },
      },
    },
    otherAnswers: { 303: { description: 'Redirects to the new charge’s checkout page.' } },
    errors: ['forbidden', 'no_momo_number', 'link_ended', 'sold_out', 'too_many_requests'],
  },
  'pay/qr-svg': {
    ...ofLink,
    summary: 'The QR code as SVG',
    description: 'The link’s address as a QR code (SVG) that stays sharp at any size.',
    otherAnswers: { 200: { description: 'The SVG image.', content: { 'image/svg+xml': binary } } },
  },
  'pay/qr-png': {
    ...ofLink,
    summary: 'The QR code as PNG',
    description: 'The link’s address as a QR code (PNG).',
    otherAnswers: { 200: { description: 'The PNG image.', content: { 'image/png': binary } } },
  },
  'pay/poster': {
    ...ofLink,
    errorPage: true,
    summary: 'The poster',
    description: 'A printable sheet with the shop, title and QR code.',
    otherAnswers: { 200: htmlAnswer('The poster.') },
  },
} satisfies Record<string, Operation>;
