import type { DocumentedEvent, Operation } from '../../runtime/http/operation.ts';
import { type Parameter, pageParameters } from '../../runtime/http/query-parameters.ts';
import { paid } from '../charge/documentation.ts';
import { ChargeResponse } from '../charge/responses.ts';
import { MAX_UNPAID_FROM_ADDRESS_PER_HOUR } from './link.table.ts';
import { AddCodesRequest, ChangeLinkRequest, LinkRequest } from './link-request.ts';
import { AddedCodesResponse, LinkListResponse, LinkResponse } from './responses.ts';

const wifi: LinkResponse = {
  slug: 'k7m2q9x4',
  url: 'https://pay.example.com/pay/k7m2q9x4',
  livemode: true,
  status: 'open',
  title: 'Hostel Wi-Fi, one week',
  description: 'One code for one device, seven days from the first use.',
  amount: 25,
  min_amount: null,
  max_amount: null,
  note_label: 'Your room',
  ends_at: null,
  created_at: '2026-11-20T08:26:10.412Z',
  codes: { added: 200, left: 137, waiting: 0, low_stock_at: 5, text_codes: true },
  till: null,
  metadata: { plan: 'week' },
};

export const slug: Parameter = {
  description: 'The link’s `slug`.',
  schema: { type: 'string', pattern: '^[a-hj-km-np-z2-9]{8}$' },
  example: wifi.slug,
};

export const linkOperations = {
  'link/create': {
    tag: 'Payment links',
    summary: 'Create a link',
    description: `A page with an address and a QR code, for selling without a server. Pressing Pay on the page opens
an ordinary charge with \`link\` and \`customer_note\`, which can be paid for half an hour by its reference, a claim or a code, but never by
the payer’s name: anybody may have opened it. If nothing is paid, no event is sent.

An internet address may open ${MAX_UNPAID_FROM_ADDRESS_PER_HOUR} charges an hour through a link, plus the number paid there in that hour; others are not affected.

With \`codes\` each payer gets a code of their own, on the checkout page and optionally by text. A code is handed out
only for a proven payment, or within your limit for unproven ones; otherwise \`charge.code_waiting\` is sent, and a person releases it
on the dashboard. If no code is left, the page says so before a payment; a customer who has paid already gets the next code that you add.`,
    path: {},
    body: {
      schema: LinkRequest,
      examples: {
        open: { summary: 'The customer types the amount', value: { title: 'Offering', min_amount: 1 } },
        codes: {
          summary: 'Each payer gets a code',
          value: { title: wifi.title, amount: 25, codes: ['WIFI-7QK2-M9XD', 'WIFI-4HN8-T3PC'], text_codes: true },
        },
        fixed: {
          summary: 'One amount for everybody',
          value: { title: wifi.title, description: wifi.description, amount: 25, note_label: 'Your room' },
        },
      },
    },
    success: { message: 'Link created', data: LinkResponse, example: wifi },
  },
  'link/list': {
    tag: 'Payment links',
    summary: 'List links',
    description: 'All your payment links, newest first.',
    path: {},
    query: pageParameters,
    success: {
      message: 'Links',
      data: LinkListResponse,
      example: { links: [wifi] } satisfies LinkListResponse,
      isPage: true,
    },
  },
  'link/show': {
    tag: 'Payment links',
    summary: 'Show a link',
    description: 'One link. `GET /api/v1/transaction?link={slug}` lists its charges.',
    path: { slug },
    success: { message: 'Link found', data: LinkResponse, example: wifi },
  },
  'link/change': {
    tag: 'Payment links',
    summary: 'Change a link',
    description:
      'Changes the given fields. An empty `description` or `note_label` is removed. An `amount` replaces bounds, and bounds replace an amount. Existing charges do not change. A later `ends_at` reopens an ended link.',
    path: { slug },
    body: {
      schema: ChangeLinkRequest,
      examples: { dearer: { summary: 'Another amount', value: { amount: 30 } } },
    },
    success: { message: 'Link changed', data: LinkResponse, example: { ...wifi, amount: 30 } satisfies LinkResponse },
  },
  'link/add-codes': {
    tag: 'Payment links',
    summary: 'Add codes',
    description:
      'Adds codes after the existing ones. Known codes, even handed-out ones, are skipped, so you can send a file again; codes removed on the dashboard are added again. A link whose customers may type any amount cannot have codes. Waiting charges get the first codes.',
    path: { slug },
    body: {
      schema: AddCodesRequest,
      examples: { two: { summary: 'Two more', value: { codes: ['WIFI-7QK2-M9XD', 'WIFI-4HN8-T3PC'] } } },
    },
    success: {
      message: 'Codes added',
      data: AddedCodesResponse,
      example: { added: 2, known: 0, link: wifi } satisfies AddedCodesResponse,
    },
    errors: ['busy'],
  },
  'link/end': {
    tag: 'Payment links',
    summary: 'End a link',
    description: 'Stops new charges. Existing charges can still be paid. Ending a link again changes nothing.',
    path: { slug },
    success: {
      message: 'Link ended',
      data: LinkResponse,
      example: { ...wifi, status: 'ended', ends_at: '2026-11-21T08:00:00.000Z' } satisfies LinkResponse,
    },
  },
} satisfies Record<string, Operation>;

export const linkEvents = {
  'charge.code_waiting': {
    summary: 'A code is waiting',
    description:
      'The charge is paid, but its code is not handed out yet. `code.status`: `waiting`, until you add codes; `to_release`, until somebody releases it on the dashboard, or the payment is proven. Sent once for each reason.',
    data: ChargeResponse,
    example: {
      ...paid,
      link: wifi.slug,
      code: { status: 'waiting', number: null, at: '2026-11-20T08:30:01.000Z' },
    } satisfies ChargeResponse,
  },
  'link.stock_low': {
    summary: 'A stock runs low',
    description:
      'At most `low_stock_at` codes are left, or none. Sent once each time that the stock falls to the limit, or the limit is raised to the stock.',
    data: LinkResponse,
    example: {
      ...wifi,
      codes: { added: 200, left: 5, waiting: 0, low_stock_at: 5, text_codes: true },
    } satisfies LinkResponse,
  },
} satisfies Record<string, DocumentedEvent>;
