import type { PhoneEvent } from '../gateway/phone-event.table.ts';
import { paidNumber } from '../receipt/paid-number.ts';
import { receivedAt } from '../receipt/received-at.ts';
import type { Outside } from '../runtime/outside/outside.ts';
import type { Sender } from '../sender/sender.ts';
import { noteWalletHeard } from './hearing.table.ts';

/** Records which phone heard a text of a wallet, where it is known whose wallet that is. */
export async function hearWallet(
  outside: Pick<Outside, 'table' | 'now'>,
  phoneEvent: PhoneEvent,
  senders: readonly Sender[],
): Promise<void> {
  const { gateway, event } = phoneEvent;
  const number = paidNumber(phoneEvent, senders);
  // By when the wallet got it: what a phone finds in its inbox when it is asked does not show that it hears.
  if (number) await noteWalletHeard(outside, number, { gateway, device_id: event.deviceId }, receivedAt(phoneEvent));
}
