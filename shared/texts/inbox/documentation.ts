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
    summary: 'List answers',
    description: `What people wrote to your own numbers, newest first. Nothing is kept before you ask for it, on the dashboard at Settings, Answers.

A number that merchants share has no inbox: what comes to it is kept for nobody. \`own\` of \`GET /api/v1/sms/from\` says which are yours. Only
texts of Ghanaian mobile numbers are kept, twenty a day of each. Of what may be the text of a wallet, a bank or a one-time code, even where a
customer forwards it, only that it came (\`withheld\`), and so of what has four digits while a code may be valid that went to its sender.

**The sender of a text can be forged. An answer is no proof of who wrote it:** release no goods, change no account and pay nothing because
of one. To prove a number, send it a code (\`POST /api/v1/verify\`).

\`STOP\`, alone, on the first line or in a sentence that asks for no more messages, ends your marketing and reminders to its sender, also on a shared number from which you sent them
some within 30 days; so do words that you add, on your own numbers. \`START\` gives back what it ended, and \`HELP\` is answered with your
contact. Each is confirmed by one text, at most once a day for each person, number and word, for one credit of yours; of those who share a
number, whoever sent marketing last pays. Without credits the word holds all the same. They work even where you have not asked for answers.`,
    path: {},
    query: { ...timeParameters, ...pageParameters },
    success: {
      message: 'Answers',
      data: InboxResponse,
      example: { answers: [answer] } satisfies InboxResponse,
      isPage: true,
    },
  },
  'test/receive': {
    tag: 'Test mode',
    summary: 'Receive a test answer',
    description:
      'Makes a text arrive at your number in test mode, where answers are always kept. `sms.received` is sent, and keywords do what they do in life. What a merchant would not be shown is refused with the reason.',
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
    summary: 'Somebody answered',
    description:
      'A person wrote to a number of your own, and you have asked for answers. Sent once for each text, however often its phone posts it. The sender of a text can be forged: do nothing that needs a proof of who wrote it.',
    data: AnswerResponse,
    example: answer,
  },
} satisfies Record<string, DocumentedEvent>;
