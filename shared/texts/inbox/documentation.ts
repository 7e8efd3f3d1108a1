import type { DocumentedEvent, Operation } from '../../runtime/http/operation.ts';
import { pageParameters, timeParameters } from '../../runtime/http/query-parameters.ts';
import { AnswerResponse, InboxResponse } from './responses.ts';
import { ReceiveRequest } from './simulate-answer.ts';

const answer: AnswerResponse = {
  id: 'ans_9f86d081884c7d659a2feaa0c55ad015',
  livemode: true,
  from: '+233551112223',
  to: '+233241234567',
  message: 'Is it still there?',
  withheld: null,
  keyword: null,
  in_reply_to: '019a9f6e-4b1c-7d3a-9c52-1f0e8a6b4d00',
  received_at: '2026-11-20T08:41:12.000Z',
  created_at: '2026-11-20T08:41:14.310Z',
};

export const inboxOperations = {
  'sms/inbox': {
    tag: 'Texts',
    summary: 'List replies',
    description: `Texts from people to your own numbers, newest first, once you switch replies on under Settings, Replies on the dashboard.

Replies to a shared number are not stored (\`own\` of \`GET /api/v1/sms/from\`). Only
texts from Ghanaian mobile numbers are stored, twenty a day from each. The content is \`withheld\` if it may come from a wallet or a bank or
contain a one-time code, even if forwarded, or if it has four digits while the sender may have a valid code.

**The sender of a text can be forged. A reply does not prove who wrote it:** never release goods, change an account or pay because
of one. To verify a number, send it a code (\`POST /api/v1/verify\`).

\`STOP\`, alone, on the first line or in a sentence that asks for no more messages, ends your marketing and reminders to its sender, also on a
shared number from which you sent them some within 30 days; so do words that you add, on your own numbers. \`START\` restores them, and
\`HELP\` is answered with your contact. Each is confirmed by one text, at most once a day for each person, number and word, for one of your credits; on a
shared number the merchant who sent marketing last pays. The words also take effect without credits, and even if replies are switched off.`,
    path: {},
    query: { ...timeParameters, ...pageParameters },
    success: {
      message: 'Replies',
      data: InboxResponse,
      example: { answers: [answer] } satisfies InboxResponse,
      isPage: true,
    },
  },
  'test/receive': {
    tag: 'Test mode',
    summary: 'Simulate a reply',
    description:
      'Simulates a reply to your number in test mode, where replies are always stored. `sms.received` is sent, and keywords take effect. Content that would be withheld is refused with the reason.',
    path: {},
    body: {
      schema: ReceiveRequest,
      examples: {
        answer: { summary: 'A customer asks something', value: { from: '0551112223', message: 'Is it still there?' } },
        stop: { summary: 'A customer wants no more offers', value: { from: '0551112223', message: 'STOP' } },
      },
    },
    success: {
      message: 'Received',
      data: AnswerResponse,
      example: { ...answer, livemode: false, to: '+233240000000', in_reply_to: null } satisfies AnswerResponse,
    },
    errors: ['not_found'],
  },
} satisfies Record<string, Operation>;

export const inboxEvents = {
  'sms.received': {
    summary: 'Somebody replied',
    description:
      'A person wrote to your own number, and replies are switched on. The sender of a text can be forged, so it does not prove who wrote it.',
    data: AnswerResponse,
    example: answer,
  },
} satisfies Record<string, DocumentedEvent>;
