import type { PhoneEvent } from '../../phones/gateway/phone-event.table.ts';
import type { Sender } from '../../phones/sender/sender.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import { noteWalletHeard } from './hearing.table.ts';
import { paidNumber } from './paid-number.ts';
import { receivedAt } from './received-at.ts';

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
