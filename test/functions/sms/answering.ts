import { expect } from 'vitest';
import { createSend } from '../../../shared/texts/sms/send.table.ts';
import { operatorText } from '../../../shared/texts/sms/send.ts';
import { agree } from '../../support/contacts.ts';
import { type Arrival, receivedEvent, signedCallback } from '../../support/receipts.ts';
import { type Merchant, type Scene, scene } from '../../support/scene.ts';

// Texts from merchants to a person, and that person's answers.

export const LINE = '+233241234567';
export const OTHER_LINE = '+233201234567';
export const KOFI = '+233551112223';
export const ON_OTHER = { recipient: OTHER_LINE, device: 'device-2' };

type Answered = { id: string; keyword: string | null; message: string; in_reply_to: string | null };

/** Creates two merchants with credits and Kofi's consent, and two numbers in two phones. */
export async function open() {
  const world = await scene();
  // Marketing is not sent at night.
  world.goToNoon();
  const [ama, esi] = [await world.createMerchant({ credits: 100 }), await world.createMerchant({ credits: 100 })];
  await world.createSender(LINE);
  await world.createSender(OTHER_LINE, ON_OTHER.device);
  for (const merchant of [ama, esi]) {
    await merchant.change({ answers: true });
    await agree(world, merchant.id, [KOFI]);
  }
  return { world, ama, esi };
}

/** Helpers that use the world of the current test. */
export function answering(world: () => Scene) {
  return { answers, answersEach, followUp, handOver, inbox, operatorWrote, posts, sends, wrote };

  /** Sends a merchant's text and hands it over to its phone. Returns its message ids. */
  async function wrote(merchant: Merchant, more: object = {}): Promise<string[]> {
    const { status, json } = await sends(merchant, more);
    expect(status).toBe(200);
    for (const index of json.data.ids.keys()) await handOver(json.data.id, index);
    return json.data.ids;
  }

  function sends(merchant: Merchant, more: object = {}) {
    return merchant.call('sms/send', { body: { to: KOFI, message: 'Hello', from: LINE, ...more } });
  }

  async function handOver(send_id: string, index = 0): Promise<void> {
    expect((await world().work('deliver-sms', [{ send_id, index }])).batchItemFailures).toEqual([]);
  }

  async function answers(text: string, more: Partial<Arrival> = {}): Promise<void> {
    await posts(text, more);
    await followUp();
  }

  /** Receives texts in sequence, each `afterMs` after the previous one. */
  async function answersEach(words: readonly string[], afterMs: number): Promise<void> {
    for (const word of words) {
      world().clock.nowMs += afterMs;
      await answers(word);
    }
  }

  async function posts(text: string, more: Partial<Arrival> = {}): Promise<void> {
    const event = receivedEvent(world(), { sender: KOFI, text, recipient: LINE, ...more });
    expect((await world().call('callback/smsgate', signedCallback(world(), event))).status).toBe(200);
  }

  /** Sends a code from the operator without handing it over. Returns its id. */
  async function operatorWrote(from = LINE): Promise<string> {
    const text = { from, to: KOFI, message: 'Your code is 123456', uselessAfterMs: 600_000 };
    const own = operatorText(world().outside, text);
    await world().outside.table.write([createSend(own)]);
    return own.send_id;
  }

  /**
   * Runs the jobs that follow an answer, such as keyword confirmations, twice, because stream and queues may deliver
   * twice.
   */
  async function followUp(): Promise<void> {
    for (const after of await world().scan())
      if (String(after.sk).startsWith('HEARD#')) await world().relayChanges({ after });
    const jobs = world()
      .queued.splice(0)
      .flatMap(({ queue, job }) => (queue === 'run-follow-up' ? [job.body] : []));
    const atOnce = [...jobs, ...jobs].map((body) => world().work('run-follow-up', [body]));
    for (const { batchItemFailures } of await Promise.all(atOnce)) expect(batchItemFailures).toEqual([]);
  }

  async function inbox(merchant: Merchant): Promise<Answered[]> {
    const { status, json } = await merchant.call('sms/inbox');
    expect(status).toBe(200);
    return json.data.answers;
  }
}
