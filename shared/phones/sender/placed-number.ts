import { isTestNumber, parsePhoneNumber } from '../../ghana/phone-number.ts';
import type { ReceivedEvent } from '../gateway/callback.ts';
import type { Sender } from './sender.ts';

/**
 * Returns the number that received a text: the recipient reported by the phone, or the number registered for its device
 * and SIM, or the device's only number. Returns undefined if the number is not registered for this phone.
 */
export function placedNumber(
  gateway: string,
  event: Pick<ReceivedEvent, 'deviceId' | 'payload'>,
  senders: readonly Sender[],
): string | undefined {
  const { recipient, simNumber } = event.payload;
  const isHere = (sender: Sender) => sender.gateway === gateway && sender.device_id === event.deviceId;
  const reported = parsePhoneNumber(recipient ?? '');
  if (reported && isTestNumber(reported)) return undefined;
  if (reported) {
    return senders.some((sender) => sender.number === reported && isHere(sender)) ? reported : undefined;
  }
  const here = senders.filter((sender) => isHere(sender) && (simNumber ?? sender.sim_number) === sender.sim_number);
  const [only, ...others] = here;
  return only && others.length === 0 && !isTestNumber(only.number) ? only.number : undefined;
}
