import { merchantRoute } from '../../shared/merchants/merchant/merchant-route.ts';
import { ok } from '../../shared/runtime/http/answer.ts';
import { presentAnswer } from '../../shared/texts/inbox/list-answers.ts';
import { ReceiveRequest, simulateAnswer } from '../../shared/texts/inbox/simulate-answer.ts';
import { manifest } from '../manifest.ts';

/** Simulates a reply to a test account's text. */
export const handler = merchantRoute(
  manifest['test/receive'],
  { body: ReceiveRequest, writesBefore: true },
  async ({ merchant, body, headers, commit }, outside) => {
    const answer = await simulateAnswer(outside, merchant, body, headers['idempotency-key']);
    return commit([], ok('Received', presentAnswer(answer)));
  },
);
