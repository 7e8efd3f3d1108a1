import { expect, test } from 'vitest';
import * as z from 'zod';
import { addCodes } from '../../infra/local/story/steps.ts';
import { checkEnd, hear, itemsOf, type Story, untilQuiet } from '../simulation/crash-matrix.ts';
import type { Kiosk } from '../simulation/kiosk.ts';
import { codesFrom } from '../simulation/links.ts';
import { mtn } from '../support/receipts.ts';
import { atMoment, newestFixture } from './fixture.ts';
import { upgradeStories } from './stories.ts';

/** Release 1.0.0 queued follow-up jobs for deliver-push without storing them. Each story continues with such a job. */

const fixture = newestFixture();
const Kind = z.looseObject({ kind: z.string(), slot: z.optional(z.string()) });

test.each<[string, string, Story['happens']?]>([
  ['receipt', 'a charge whose receipt is texted to its customer'],
  ['code', 'codes of a link: two payers, one code, and a second that is added'],
  ['stock', 'codes of a link: two payers, one code, and a second that is added', payBeforeCodesAreAdded],
  ['purchase', 'credits that a shop buys, of which one purchase is taken back'],
  ['take', 'a payment that is taken at a till'],
  ['request', 'a request that is paid in two parts, of which one is taken back', payOnePart],
  ['keyword', 'a STOP and a START on a number that shops share'],
  ['question', 'a question about a wallet that its owner answers by text'],
  ['paid', 'a payment that an owner is texted about'],
])('a %s job queued by 1.0.0 is completed in the story %s', async (kind, name, happens) => {
  const [moment] = fixture.moments.filter(({ story, has_begun }) => story === name && !has_begun);
  const story = upgradeStories[name];
  if (!moment || !story) throw new Error('The fixture has no such story');
  const kiosk = await atMoment(fixture, moment, story);
  const handedOn = queueAsBefore(kiosk);
  await (happens ?? story.happens)(kiosk);
  await untilQuiet(kiosk, () => kiosk.goOn());
  checkEnd(story, kiosk);
  expect([...handedOn]).toContain(kind);
  expect(kiosk.queues.deadLetters).toEqual([]);
});

/**
 * Queues jobs like 1.0.0: for deliver-push and without storing them. Returns the kinds of jobs that deliver-push
 * forwards.
 */
function queueAsBefore({ outside }: Kiosk): ReadonlySet<string> {
  const kinds = new Set<string>();
  const held = new Map<string, number>();
  const { send } = outside.queues;
  outside.queues.send = async (queue, jobs) => {
    if (queue !== 'run-follow-up') return send(queue, jobs);
    for (const job of jobs) {
      const body = JSON.stringify(job.body);
      const count = held.get(body) ?? 0;
      // deliver-push forwards a job on its second delivery.
      held.set(body, count === 0 ? 1 : count - 1);
      if (count > 0) kinds.add(Kind.parse(job.body).kind);
      await send(count === 0 ? 'deliver-push' : queue, [job]);
    }
  };
  const { write } = outside.table;
  outside.table.write = async (writes) => {
    const known = writes.filter((one) => !String(one.put?.Item?.pk).startsWith('FOLLOW_UP#'));
    if (known.length > 0) await write(known);
  };
  return kinds;
}

async function payOnePart(kiosk: Kiosk): Promise<void> {
  const [{ reference, amount_pesewas } = {}] = itemsOf(kiosk, 'TRANSACTION');
  const amount = (Number(amount_pesewas) / 100).toFixed(2);
  await hear(kiosk, mtn({ reference: String(reference), amount, id: '50000000100' }).text);
}

/** The second payer waits until a code is added. */
async function payBeforeCodesAreAdded(kiosk: Kiosk): Promise<void> {
  const charges = itemsOf(kiosk, 'TRANSACTION');
  for (const [n, { reference }] of charges.entries()) {
    await hear(kiosk, mtn({ reference: String(reference), amount: '25.00', id: `5000000010${n}` }).text);
    await kiosk.goOn();
  }
  await addCodes(kiosk, String(Object(charges[0]?.origin).slug), codesFrom(1, 2), { once: 'two-codes' });
}
