import { withoutProof } from '../../ghana/wallet-text/reading.ts';
import type { TimedOutside } from '../../runtime/outside/outside.ts';
import type { WorkerOutside } from '../../runtime/outside/worker-outside.ts';
import { failuresOf, noteOutcome, type Outcomes } from '../../runtime/table/recent-outcomes.ts';
import type { Chain } from '../chain/chain.ts';
import { noteWalletHeard } from './hearing.table.ts';
import { type ArrivedText, paidNumber, receivedAt } from './paid-number.ts';

/**
 * Minimum number of unparsed texts, among a wallet's last ten, that suggests a new wording. A single one may be an
 * advert.
 */
const UNREAD_TEXTS = 3;

export async function noteReading(outside: WorkerOutside, { phoneEvent, reading, senders, checked }: ArrivedText) {
  if (reading.kind === 'stranger' || reading.kind === 'secret') return;
  const wallet = `WALLET#${reading.network}#${phoneEvent.gateway}#${paidNumber(phoneEvent, senders) ?? ''}`;
  const known = checked?.proof.state === 'proven' ? reading : withoutProof(reading);
  await noteOutcome(outside, wallet, known.kind === 'unread');
}

/**
 * Counts wallets with too many unparsed texts, and wallets whose texts do not link (`unproven`).
 */
export function reportUnread(outside: WorkerOutside, outcomes: readonly Outcomes[], unproven: readonly Chain[]): void {
  const unread = unreadWallets(outcomes);
  for (const { network, gateway } of unread) {
    // Never log the wallet's number.
    outside.log.warn('wallet_unread', { ...(network && { network }), ...(gateway && { gateway }) });
  }
  outside.metrics.count('wallets_unread', unread.length + unproven.length);
}

/** Returns wallets with too many unparsed texts, and how many of each wallet's last ten texts were unparsed. */
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
  // Use the time at which the phone received the text: a text resent from the inbox does not show that the phone still
  // receives texts.
  if (number) await noteWalletHeard(outside, number, { gateway, device_id: event.deviceId }, receivedAt(phoneEvent));
}
