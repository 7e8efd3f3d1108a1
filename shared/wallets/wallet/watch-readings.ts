import type { TimedOutside } from '../../runtime/outside/outside.ts';
import type { WorkerOutside } from '../../runtime/outside/worker-outside.ts';
import { failuresOf, noteOutcome, type Outcomes } from '../../runtime/table/recent-outcomes.ts';
import type { Chain } from '../chain/chain.ts';
import { noteWalletHeard } from './hearing.table.ts';
import { type ArrivedText, paidNumber, receivedAt } from './paid-number.ts';

/** So many of a wallet's last ten texts cannot be read: its network may have changed a wording. One may be an advertisement. */
const UNREAD_TEXTS = 3;

/** Records for its wallet whether a text could be read. */
export async function noteReading(outside: WorkerOutside, { phoneEvent, reading, senders }: ArrivedText) {
  if (reading.kind === 'stranger' || reading.kind === 'secret') return;
  const whose = `WALLET#${reading.network}#${phoneEvent.gateway}#${paidNumber(phoneEvent, senders) ?? ''}`;
  await noteOutcome(outside, whose, reading.kind === 'unread');
}

/**
 * Measures of how many wallets the texts are of no use: an unusual share cannot be read, or they do not continue the chain of an `unproven`
 * wallet. That is counted where the chain decides what confirms; elsewhere nothing waits for it.
 */
export function reportUnread(
  outside: WorkerOutside,
  outcomes: readonly Outcomes[],
  unproven: readonly Pick<Chain, 'mode'>[],
): void {
  const unread = unreadWallets(outcomes);
  const stopped = unproven.filter(({ mode }) => mode === 'enforce');
  for (const { network, gateway } of unread) {
    // Without the wallet's number, which is in no log.
    outside.log.warn('wallet_unread', { ...(network && { network }), ...(gateway && { gateway }) });
  }
  outside.metrics.count('wallets_unread', unread.length + stopped.length);
}

/** Wallets with an unusual share of texts that cannot be read, with how many of the last ten. */
export function unreadWallets(outcomes: readonly Outcomes[]) {
  return outcomes
    .filter((one) => one.whose.startsWith('WALLET#') && failuresOf(one) >= UNREAD_TEXTS)
    .map((one) => {
      const [, network, gateway, number] = one.whose.split('#');
      return { network, gateway, number, unread: failuresOf(one) };
    });
}

/** Records which phone heard a text of a wallet, where it is known whose wallet that is. */
export async function hearWallet(
  outside: TimedOutside,
  { phoneEvent, senders }: Pick<ArrivedText, 'phoneEvent' | 'senders'>,
): Promise<void> {
  const { gateway, event } = phoneEvent;
  const number = paidNumber(phoneEvent, senders);
  // By when the wallet got it: what a phone finds in its inbox when it is asked does not show that it hears.
  if (number) await noteWalletHeard(outside, number, { gateway, device_id: event.deviceId }, receivedAt(phoneEvent));
}
