import { afterAll, describe, expect, test } from 'vitest';
import { reportFigure } from '../support/figures.ts';
import type { Call } from '../support/world.ts';
import { Kiosk } from './kiosk.ts';
import { chanceFrom } from './random.ts';

/** Share of writes with a transaction conflict, which DynamoDB Local never causes. */
const CONFLICTS = [0, 0.2, 0.8];
let sends = 0;

describe.each(CONFLICTS)('concurrent requests with a write conflict rate of %d', (conflicts) => {
  test.each([
    { credits: 100, callers: 200, recipients: 1 },
    { credits: 50, callers: 40, recipients: 3 },
    { credits: 1, callers: 50, recipients: 1 },
    { credits: 49, callers: 10, recipients: 50 },
  ])(
    'never spend more than $credits credits ($callers sends to $recipients recipients)',
    async ({ credits, callers, recipients }) => {
      const kiosk = await openKiosk(credits, conflicts);
      const answers = await Promise.all(Array.from({ length: callers }, () => ask(kiosk, recipients)));
      const paid = answers.filter(({ status }) => status === 200).length;
      const refused = answers.filter(({ status }) => status === 402);
      const busy = answers.filter(({ status }) => status === 429);
      sends += callers;
      expect(paid + refused.length + busy.length).toBe(callers);
      expect(balance(kiosk)).toBe(credits - paid * recipients);
      expect(kiosk.memory.items().filter(({ sk }) => sk === 'SEND')).toHaveLength(paid);
      for (const { code } of busy) expect(code).toBe('too_many_requests');
      // All five attempts conflict in only one of three thousand calls.
      if (conflicts <= 0.2) expect(busy.length).toBeLessThanOrEqual(conflicts * 0.1 * callers);
      // No send is rejected while there are enough credits.
      if (refused.length > 0) expect(balance(kiosk)).toBeLessThan(recipients);

      // After the clients' retries, all affordable texts have been sent.
      let later = busy.length;
      while (later > 0) {
        const again = await Promise.all(Array.from({ length: later }, () => ask(kiosk, recipients)));
        later = again.filter(({ status }) => status === 429).length;
      }
      const affordable = Math.min(callers, Math.floor(credits / recipients));
      expect(balance(kiosk)).toBe(credits - affordable * recipients);
      expect(kiosk.memory.items().filter(({ sk }) => sk === 'SEND')).toHaveLength(affordable);
    },
  );

  test('create one send for 50 calls with one Idempotency-Key', async () => {
    const kiosk = await openKiosk(100, conflicts);
    const untilAnswered = async (): Promise<{ status: number; text: string }> => {
      const answer = await ask(kiosk, 3, { 'idempotency-key': 'order-7' });
      return answer.status === 429 ? untilAnswered() : answer;
    };
    const answers = await Promise.all(Array.from({ length: 50 }, untilAnswered));
    sends += 50;
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(balance(kiosk)).toBe(97);
    expect(kiosk.memory.items().filter(({ sk }) => sk === 'SEND')).toHaveLength(1);
  });
});

afterAll(() => {
  reportFigure(
    `concurrency: ${sends} sends at once at ${CONFLICTS.map((share) => `${share * 100} %`).join(', ')} conflicts, debits exact`,
  );
});

async function openKiosk(credits: number, conflicts: number): Promise<Kiosk> {
  const kiosk = new Kiosk(chanceFrom(credits));
  await kiosk.open(() => credits);
  kiosk.faults.decide = ({ what }) =>
    what === 'TransactWriteItems' && kiosk.chance.happens(conflicts) ? 'conflict' : undefined;
  return kiosk;
}

async function ask(kiosk: Kiosk, recipients: number, headers: Call['headers'] = {}) {
  const body = { to: Array.from({ length: recipients }, () => '0551112222'), message: 'Hello', from: 'random' };
  const answer = await kiosk.request('sms/send', { key: kiosk.shops[0]?.smsKey ?? '', body, headers });
  if (!answer) throw new Error('The function ended without an answer');
  return { status: answer.statusCode, text: answer.body, code: JSON.parse(answer.body).code };
}

function balance(kiosk: Kiosk): unknown {
  const pk = `CREDITS#${kiosk.shops[0]?.id}`;
  return kiosk.memory.items().find((item) => item.pk === pk && item.sk === 'BALANCE')?.balance;
}
