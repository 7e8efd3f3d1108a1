import { isTestNumber, parsePhoneNumber } from '../../ghana/phone-number.ts';
import type { ReceivedEvent } from '../gateway/callback.ts';
import type { Sender } from './sender.ts';

/**
 * The number that a text came to: the recipient that the phone reports, else the number registered for that device and SIM,
 * else the device's only number. Undefined where none of these is known, and where a phone claims a number that is placed in
 * another phone or in none: it must not receive payments for a number that it does not have, nor for one of a test's.
 */
export function placedNumber(
  gateway: string,
  event: Pick<ReceivedEvent, 'deviceId' | 'payload'>,
  senders: readonly Sender[],
): string | undefined {
  const { recipient, simNumber } = event.payload;
  const isHere = (sender: Sender) => sender.gateway === gateway && sender.device_id === event.deviceId;
  const told = parsePhoneNumber(recipient ?? '');
  if (told && isTestNumber(told)) return undefined;
  if (told) {
    return senders.some((sender) => sender.number === told && isHere(sender)) ? told : undefined;
  }
  const here = senders.filter((sender) => isHere(sender) && (simNumber ?? sender.sim_number) === sender.sim_number);
  const [only, ...others] = here;
  return only && others.length === 0 && !isTestNumber(only.number) ? only.number : undefined;
}
