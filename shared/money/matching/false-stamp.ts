import type { Reading } from '../../ghana/wallet-text/reading.ts';
import type { PhoneEvent } from '../../phones/gateway/phone-event.table.ts';
import { isoOf, type TableOutside } from '../../runtime/outside/outside.ts';
import { receivedAt } from '../../wallets/wallet/paid-number.ts';
import { getCharges } from '../charge/charge.table.ts';
import { CLOCK_TOLERANCE_MS, MAX_LOOKUPS } from './match.ts';
import { readTypedReference } from './typed-reference.ts';

/**
 * Removes the time stamp of a payment's text if the text names a charge that did not exist then. The stamp is the
 * network's and can be hours behind. Nobody can type a reference before it exists, so the time of arrival counts.
 */
export async function withoutFalseStamp(
  outside: TableOutside,
  phoneEvent: PhoneEvent,
  reading: Reading,
): Promise<PhoneEvent> {
  const { event, arrived_at } = phoneEvent;
  const stamped_at = receivedAt(phoneEvent);
  const isLate = stamped_at < isoOf(Date.parse(arrived_at) - CLOCK_TOLERANCE_MS);
  if (reading.kind !== 'payment' || !isLate) return phoneEvent;
  const { named, bare } = readTypedReference(reading.reference);
  const charges = await getCharges(outside, [...named, ...bare].slice(0, MAX_LOOKUPS));
  const isFalse = charges.some(({ created_at }) => created_at > stamped_at);
  return isFalse ? { ...phoneEvent, event: { ...event, payload: { ...event.payload, receivedAt: null } } } : phoneEvent;
}
