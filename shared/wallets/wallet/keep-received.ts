import { lookalikeOf } from '../../ghana/wallet-text/lookalike.ts';
import { mayBeMoneyOut, readWalletText, wordsToStore } from '../../ghana/wallet-text/read-wallet-text.ts';
import type { ReceivedEvent } from '../../phones/gateway/callback.ts';
import { noteLookalike } from '../../phones/gateway/phone.table.ts';
import { keepPhoneEvent, noteStrangersText } from '../../phones/gateway/phone-event.table.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import { receiveAnswer } from '../../texts/inbox/receive-answer.ts';
import { hearTest } from './hear-test.ts';

/**
 * Stores wallet texts and customers' replies. Records only the arrival of other texts. Returns false if the text was
 * already known or not stored.
 */
export async function keepReceived(outside: Outside, gateway: string, event: ReceivedEvent): Promise<boolean> {
  const { sender, message } = event.payload;
  const reading = readWalletText(sender, message);
  if (reading.kind === 'stranger') {
    if (await hearTest(outside, gateway, event)) return true;
    const isNewAnswer = reading.looksLikePayment ? undefined : await receiveAnswer(outside, gateway, event);
    const isNew = isNewAnswer ?? (await noteStrangersText(outside, gateway, event, reading.looksLikePayment));
    if (isNew) await noteLooks(outside, gateway, event);
    return isNew;
  }
  const kept = { ...event.payload, message: wordsToStore(sender, message) };
  // Decide before the digits are masked.
  const noted = mayBeMoneyOut(reading, message) ? { may_be_money_out: true as const } : {};
  return keepPhoneEvent(outside, gateway, { ...event, payload: kept }, noted);
}

/** Reports a sender name that imitates a network. */
async function noteLooks(outside: Outside, gateway: string, { deviceId, payload }: ReceivedEvent): Promise<void> {
  const sender = payload.sender.trim();
  const network = lookalikeOf(sender);
  if (!network) return;
  await noteLookalike(outside, gateway, deviceId, { sender, network }).catch((error) =>
    outside.log.warn('phone_not_noted', { gateway, error }),
  );
}
