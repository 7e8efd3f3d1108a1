import { readWalletText } from '../../ghana/wallet-text/read-wallet-text.ts';
import type { ReceivedEvent } from '../../phones/gateway/callback.ts';
import { keepPhoneEvent, noteStrangersText } from '../../phones/gateway/phone-event.table.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import { receiveAnswer } from '../../texts/inbox/receive-answer.ts';
import { takeOwnersAnswer } from '../../texts/question/take-answer.ts';
import { hearTest } from './hear-test.ts';

/**
 * Stores a wallet's text that a phone posted, and what a person answers to a merchant; of all other texts that reach the phone nothing but
 * that they came. False where it is known already, or nothing was kept.
 */
export async function keepReceived(outside: Outside, gateway: string, event: ReceivedEvent): Promise<boolean> {
  const { sender, message } = event.payload;
  const reading = readWalletText(sender, message);
  if (reading.kind === 'stranger') {
    if (await hearTest(outside, gateway, event)) return true;
    // Before any merchant is shown it.
    if (await takeOwnersAnswer(outside, gateway, event)) return true;
    const isNewAnswer = reading.looksLikePayment ? undefined : await receiveAnswer(outside, gateway, event);
    return isNewAnswer ?? noteStrangersText(outside, gateway, event, reading.looksLikePayment);
  }
  // A code of the merchant's: not even that it came.
  return reading.kind !== 'secret' && keepPhoneEvent(outside, gateway, event);
}
