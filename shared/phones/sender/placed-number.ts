import { isTestNumber, parsePhoneNumber } from '../../ghana/phone-number.ts';
import { networkOfSender } from '../../ghana/wallet-text/read-wallet-text.ts';
import type { ReceivedEvent } from '../gateway/callback.ts';
import type { Sender } from './sender.ts';

/**
 * Returns the number that received a text: the recipient reported by the phone, or the number registered for its device
 * and SIM, or the device's only number. Returns undefined if the number is not registered for this phone.
 */
export function placedNumber(
  gateway: string,
  { deviceId, payload }: Pick<ReceivedEvent, 'deviceId' | 'payload'>,
  senders: readonly Sender[],
): string | undefined {
  const ofPhone = senders.filter((sender) => sender.gateway === gateway && sender.device_id === deviceId);
  const reported = parsePhoneNumber(payload.recipient ?? '');
  const here = reported ? ofPhone.filter(({ number }) => number === reported) : ofSlot(payload, ofPhone);
  const [only, ...others] = here;
  return only && others.length === 0 && !isTestNumber(only.number) ? only.number : undefined;
}

/**
 * Returns the numbers on the slot that received a text, or all numbers of the phone if the slot is unknown. A network's
 * wallet text cannot arrive on another network's SIM, so such a slot counts as not reported.
 */
function ofSlot({ simNumber, sender: from }: ReceivedEvent['payload'], ofPhone: readonly Sender[]): readonly Sender[] {
  const onSlot = ofPhone.filter(({ sim_number }) => (simNumber ?? sim_number) === sim_number);
  const network = networkOfSender(from);
  const mayArrive = onSlot.length === 0 || onSlot.some((sender) => (network ?? sender.network) === sender.network);
  return mayArrive ? onSlot : ofPhone;
}
