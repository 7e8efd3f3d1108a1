import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, sendText, showCharge, showText, until } from '../../infra/local/story/steps.ts';
import { initialize, type Kiosk, type Story, story } from './story.ts';

/** Stories that need a phone. */
export const phoneStories: readonly Story[] = [
  story('a text is delivered, and its merchant sees the state', ['smsKey', 'desk', 'phone', 'to'], async (kiosk) => {
    await kiosk.desk.sellCredits(1);
    const shown = await settled(kiosk, await send(kiosk, 'This is delivered'), 'delivered');
    assert.equal(shown.status, 'delivered');
  }),

  story(
    'a text that the network rejects fails and its credit is refunded',
    ['smsKey', 'desk', 'phone', 'to'],
    async (kiosk) => {
      const credits = await kiosk.desk.sellCredits(1);
      await kiosk.phone.setTexts('failed');
      try {
        const shown = await settled(kiosk, await send(kiosk, 'This is refused'), 'failed');
        assert.equal(shown.status, 'failed');
        assert.match(shown.failure_reason ?? '', /RESULT_ERROR_GENERIC_FAILURE/);
      } finally {
        await kiosk.phone.setTexts('sent');
      }
      assert.equal(await kiosk.desk.sellCredits(1), credits + 1);
    },
  ),

  story(
    'texts and payments wait while the phone is offline and arrive once it is online',
    ['liveKey', 'smsKey', 'desk', 'phone', 'to'],
    async (kiosk) => {
      const { desk, phone } = kiosk;
      await desk.sellCredits(1);
      const charge = await initialize(kiosk, { amount: 2.22 });
      const read = () => showCharge(kiosk, charge.reference);
      await phone.switch(false);
      let id: string;
      try {
        await phone.hear(charge, { amount: 2.22, name: 'Kofi Mensah', reference: charge.reference });
        id = await send(kiosk, 'This waits for its phone');
        // Long enough for both texts to arrive on an online phone.
        await sleep(OFFLINE_MS);
        assert.equal((await read()).status, 'pending');
        assert.match((await showText(kiosk, id)).status, /^(pending|sending)$/);
      } finally {
        await phone.switch(true);
      }
      assert.equal((await until(kiosk, read, ({ status }) => status !== 'pending')).status, 'success');
      assert.match((await settled(kiosk, id, 'sent', 'delivered')).status, /^(sent|delivered)$/);
    },
  ),
];

const OFFLINE_MS = 10_000;

type Texting = Kiosk & Client & Required<Pick<Kiosk, 'to'>>;

async function send(kiosk: Texting, message: string): Promise<string> {
  return (await sendText(kiosk, { to: kiosk.to, message })).id;
}

/** Waits until a text has one of these states or has failed, for at most `patienceMs`. */
function settled(kiosk: Texting, id: string, ...states: string[]) {
  return until(
    kiosk,
    () => showText(kiosk, id),
    ({ status }) => [...states, 'failed'].includes(status),
  );
}
