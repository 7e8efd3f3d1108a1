import { readWalletText } from '../../ghana/wallet-text/read-wallet-text.ts';
import { getPhoneEvent, type PhoneEventJob } from '../../phones/gateway/phone-event.table.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import type { Wallet } from '../../wallets/chain/chain.table.ts';
import type { Movement } from '../../wallets/chain/chain.ts';
import { linkTexts } from '../../wallets/chain/link-texts.ts';
import { sendersForText } from '../../wallets/wallet/paid-number.ts';
import { walletTextOf } from './wallet-text-of.ts';

/** Records several texts in the chains of their wallets, each wallet's in one step, before any of them is settled. One does so by itself. */
export async function linkBatch(outside: Outside, jobs: readonly PhoneEventJob[]): Promise<void> {
  if (jobs.length < 2) return;
  const events = await Promise.all(jobs.map((job) => getPhoneEvent(outside, job)));
  const byWallet = new Map<string, { wallet: Wallet; movement: Movement }[]>();
  for (const phoneEvent of events) {
    if (!phoneEvent || phoneEvent.settled) continue;
    const { sender, message } = phoneEvent.event.payload;
    const senders = await sendersForText(outside, phoneEvent);
    const text = walletTextOf(phoneEvent, readWalletText(sender, message), senders);
    const { wallet, movement } = text ?? {};
    if (!wallet || !movement) continue;
    const name = `${wallet.network}#${wallet.momo_number}`;
    byWallet.set(name, [...(byWallet.get(name) ?? []), { wallet, movement }]);
  }
  for (const texts of byWallet.values()) {
    const [first, second] = texts;
    if (first && second)
      await linkTexts(
        outside,
        first.wallet,
        texts.map(({ movement }) => movement),
      );
  }
}
