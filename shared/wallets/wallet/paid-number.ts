import { isTestNumber, parsePhoneNumber } from '../../ghana/phone-number.ts';
import type { PhoneEvent } from '../../phones/gateway/phone-event.table.ts';
import { listSenders, rememberedSenders } from '../../phones/sender/sender.table.ts';
import type { Sender } from '../../phones/sender/sender.ts';
import type { Outside } from '../../runtime/outside/outside.ts';

/**
 * The number that a text came to: the recipient that the phone reports, else the number registered for that device and SIM,
 * else the device's only number. Undefined where none of these is known, and where a phone claims a number that is placed in
 * another phone or in none: it must not receive payments for a number that it does not have, nor for one of a test's.
 */
export function paidNumber({ gateway, event }: PhoneEvent, senders: readonly Sender[]): string | undefined {
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

/** The number that a phone reports and that is in no phone here, so that any phone could report it. */
export function unplacedNumber({ event }: PhoneEvent, senders: readonly Sender[]): string | undefined {
  const told = parsePhoneNumber(event.payload.recipient ?? '');
  return told && !isTestNumber(told) && !senders.some(({ number }) => number === told) ? told : undefined;
}

/** Every number that is in a phone, for a text that has arrived: one that was placed a moment ago is known at once. */
export async function sendersForText(outside: Outside, phoneEvent: PhoneEvent): Promise<readonly Sender[]> {
  const remembered = await rememberedSenders(outside);
  return unplacedNumber(phoneEvent, remembered) ? listSenders(outside) : remembered;
}
