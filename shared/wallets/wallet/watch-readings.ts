import type { TimedOutside } from '../../runtime/outside/outside.ts';
import type { WorkerOutside } from '../../runtime/outside/worker-outside.ts';
import { failuresOf, noteOutcome, type Outcomes } from '../../runtime/table/recent-outcomes.ts';
import type { Chain } from '../chain/chain.ts';
import { noteWalletHeard } from './hearing.table.ts';
import { type ArrivedText, paidNumber, receivedAt } from './paid-number.ts';

/**
 * Minimum number of texts that cannot be parsed, among a wallet's last ten, that suggests a changed wording. A single
 * one may be an advertisement.
 */
const UNREAD_TEXTS = 3;

export async function noteReading(outside: WorkerOutside, { phoneEvent, reading, senders }: ArrivedText) {
  if (reading.kind === 'stranger' || reading.kind === 'secret') return;
  const wallet = `WALLET#${reading.network}#${phoneEvent.gateway}#${paidNumber(phoneEvent, senders) ?? ''}`;
  await noteOutcome(outside, wallet, reading.kind === 'unread');
}

/**
 * Counts wallets with an unusual share of texts that cannot be parsed, and wallets whose texts break the chain
 * (`unproven`). The latter count only in `enforce` mode, because otherwise no payment is waiting for the chain.
 */
export function reportUnread(
  outside: WorkerOutside,
  outcomes: readonly Outcomes[],
  unproven: readonly Pick<Chain, 'mode'>[],
): void {
  const unread = unreadWallets(outcomes);
  const stopped = unproven.filter(({ mode }) => mode === 'enforce');
  for (const { network, gateway } of unread) {
    // Leave out the wallet's number, because it must not be logged.
    outside.log.warn('wallet_unread', { ...(network && { network }), ...(gateway && { gateway }) });
  }
  outside.metrics.count('wallets_unread', unread.length + stopped.length);
}

/** Finds wallets with an unusual share of texts that cannot be parsed, and their number among the last ten. */
export function unreadWallets(outcomes: readonly Outcomes[]) {
  return outcomes
    .filter((one) => one.whose.startsWith('WALLET#') && failuresOf(one) >= UNREAD_TEXTS)
    .map((one) => {
      const [, network, gateway, number] = one.whose.split('#');
      return { network, gateway, number, unread: failuresOf(one) };
    });
}

export async function hearWallet(
  outside: TimedOutside,
  { phoneEvent, senders }: Pick<ArrivedText, 'phoneEvent' | 'senders'>,
): Promise<void> {
  const { gateway, event } = phoneEvent;
  const number = paidNumber(phoneEvent, senders);
  // Record the time at which the wallet received the text, not the current time. A text that the phone sends from its
  // inbox on request does not show that the phone is receiving.
  if (number) await noteWalletHeard(outside, number, { gateway, device_id: event.deviceId }, receivedAt(phoneEvent));
}
