import type { DocumentedEvent, Operation } from '../../runtime/http/operation.ts';
import { pageParameters, timeParameters } from '../../runtime/http/query-parameters.ts';
import { CreditsResponse, LowCreditsEventData } from './responses.ts';

const SEND_ID = '019a9f6e-4b1c-7d3a-9c52-1f0e8a6b4d00';

/** What the reference says about credits. */
export const creditsOperations = {
  'sms/credits': {
    tag: 'Texts',
    summary: 'Show the credits',
    description: `Your balance, and what changed it, newest first: top-ups, sends and refunds. A send is listed for as long as it can be
shown, top-ups and refunds for good, so the entries add up to the balance until your first sends are deleted. An entry may appear a
moment after the balance has changed.`,
    path: {},
    query: { ...timeParameters, ...pageParameters },
    success: {
      message: 'SMS credits',
      data: CreditsResponse,
      example: {
        balance: 999,
        low_below: 50,
        entries: [
          {
            id: '01K9FPWJXR3V6T9C8N5B2M4Q7Z',
            type: 'refund',
            credits: 1,
            send_id: SEND_ID,
            message_id: SEND_ID,
            created_at: '2026-11-20T08:30:09.000Z',
          },
          {
            id: SEND_ID,
            type: 'send',
            credits: -2,
            send_id: SEND_ID,
            message_id: null,
            created_at: '2026-11-20T08:30:00.000Z',
          },
          {
            id: '01K9FN0A4D8E2F6G1H5J9K3M7P',
            type: 'top_up',
            credits: 1000,
            send_id: null,
            message_id: null,
            created_at: '2026-11-20T07:58:00.000Z',
          },
        ],
      } satisfies CreditsResponse,
      isPage: true,
    },
  },
} satisfies Record<string, Operation>;

export const creditsEvents = {
  'credits.low': {
    summary: 'Your credits are low',
    description:
      'A text made your balance fall below `low_below`. Sent once: again only after a top-up has lifted the balance to `low_below` or above and it falls again. Refunds do not repeat it.',
    data: LowCreditsEventData,
    example: { balance: 49, low_below: 50 } satisfies LowCreditsEventData,
  },
} satisfies Record<string, DocumentedEvent>;
