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
    description: `A page of yours with an address and a QR code, for selling without a server: whoever opens it and presses Pay gets a charge
of their own, and its checkout page. The charge is an ordinary one, with \`link\` and \`customer_note\`, in events too, but it can be
paid for half an hour only, and never by the payer’s name: anybody may have opened it. Its reference, a claim or a code pays it.

An address may open ${MAX_UNPAID_FROM_ADDRESS_PER_HOUR} charges an hour through a link, and as many more as were paid there in that hour. Nobody is refused because of others.
Where nothing arrives for one, no event tells of it.

With \`codes\` each payer gets one, on the checkout page, and by text where you want it. Nobody else is told it, and no code goes to two. A code leaves
only for a payment that is proven, or within your limit for those that are not; else \`charge.code_waiting\` tells you, and a person lets it
go at the dashboard. Where none is left the page says so before anybody pays; who paid meanwhile waits for the next that you add.`,
    path: {},
    body: {
      schema: LinkRequest,
      examples: {
        open: { summary: 'The customer says how much', value: { title: 'Offering', min_amount: 1 } },
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
    description: 'Your payment links, newest first, ended ones among them.',
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
      'Changes what you give, and keeps the rest. An empty `description` or `note_label` removes it. An `amount` takes the place of bounds, and bounds that of an amount. Charges that were opened before stay as they are. A later `ends_at` opens an ended link again.',
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
      'Adds codes behind those that the link has. One that it has, or has handed out, is left out, so a request can be repeated and a file sent again; one that somebody removed at the dashboard is added again. A link whose customers may type any amount takes none. Charges that wait get the first ones.',
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
    description:
      'From now on it opens no more charges, and its page says so. What was opened before can still be paid. Ending it again changes nothing.',
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
    summary: 'A code waits',
    description:
      'The charge is paid, and its payer gets a code from a link’s stock, but not yet. `code.status` says why: `waiting`, until you add codes; `to_release`, until somebody lets it go at the dashboard, or its payment is proven. Sent once for each reason.',
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
      'No more codes than `low_stock_at` are left in a link’s stock, or none. Sent once each time that it falls so far, or the limit is raised so far.',
    data: LinkResponse,
    example: {
      ...wifi,
      codes: { added: 200, left: 5, waiting: 0, low_stock_at: 5, text_codes: true },
    } satisfies LinkResponse,
  },
} satisfies Record<string, DocumentedEvent>;
