import { html } from 'hono/html';
import type { Answer } from '../../runtime/http/answer.ts';
import type { ErrorPage } from '../../runtime/http/middleware/answer-errors.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import type { PublicError } from '../../runtime/values/errors.ts';
import { HOME } from './addresses.ts';
import { pageAnswer } from './page-answer.ts';
import type { Visitor } from './visit.ts';

const refusals = {
  'not allowed': {
    title: 'This is not part of your role',
    text: 'Your role at this shop does not include this page. Ask an owner to do it, or to change your role.',
  },
  'foreign form': {
    title: 'Nothing was done',
    text: 'This form did not come from a page of this dashboard. Open the page here and send it again.',
  },
  'page of another': {
    title: 'Nothing was done',
    text: 'You switched test mode on or off, or opened another merchant, in another window after this page was opened. Open the page here and send the form again.',
  },
  suspended: {
    title: 'Nothing was done',
    text: 'This shop is suspended: you can look at everything and change nothing until the operator lifts that. Ask the operator.',
  },
  'no merchant': {
    title: 'Which merchant?',
    text: 'Open the dashboard of a merchant first: this page belongs to one.',
  },
} as const;

/** What the router itself refuses. */
export function refuse(outside: Outside, visitor: Visitor | undefined, why: keyof typeof refusals): Promise<Answer> {
  return refusalAnswer(outside, visitor, 403, refusals[why]);
}

/** An error of a page, as a page. */
export function refuseError(
  outside: Outside,
  visitor: Visitor | undefined,
  { code, statusCode, message, headers }: PublicError,
  requestId: string,
): Promise<Answer> {
  const said = {
    not_found: { title: 'There is nothing here', text: 'The address may be incomplete, or what was here is gone.' },
    too_many_requests: { title: 'One moment', text: 'That was too fast. Wait a few seconds and load this page again.' },
    internal: {
      title: 'Something went wrong on our side',
      text: `Try again in a moment. If it happens again, tell the operator the request ${requestId}.`,
    },
  };
  const known = Object.entries(said).find(([one]) => one === code)?.[1];
  return refusalAnswer(outside, visitor, statusCode, known ?? { title: 'That did not work', text: message }, headers);
}

/** An error before it is known who asks, or one that nobody expected. */
export const errorPage: ErrorPage = (error, requestId, outside) => refuseError(outside, undefined, error, requestId);

function refusalAnswer(
  outside: Outside,
  visitor: Visitor | undefined,
  status: number,
  { title, text }: { title: string; text: string },
  headers?: Readonly<Record<string, string>>,
): Promise<Answer> {
  // An operator who has no merchant open comes from there.
  const isNowhere = visitor !== undefined && visitor.merchant === undefined;
  const main = html`<p>${text}</p>${!isNowhere && html`<p><a class="button" href="${HOME}">To the first page</a></p>`}`;
  return pageAnswer(outside, { title, main, status }, { visitor, ...(headers && { headers }) });
}
