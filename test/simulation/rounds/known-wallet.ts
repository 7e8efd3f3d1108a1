import { MINUTE_MS } from '../../../shared/runtime/values/calendar.ts';
import { arrive, createShop, pay } from '../../support/receipts.ts';
import { provenBook, type WalletBook } from '../../support/wallet-book.ts';
import { createWorld } from '../../support/world.ts';
import { openTills, tapAt } from '../till-queues.ts';

/**
 * Forgers at a shop with an established wallet and an observing balance chain. Their texts have the correct balance.
 */

const STOLEN = 4_900;
const GUESSES = 25;

const tricks = {
  'after the wallet was emptied': async (arrives: Arrives, book: WalletBook) => {
    await arrives(book.spent(book.pesewas / 100));
    return STOLEN * 100;
  },
  'after a payment of their own to the emptied wallet': async (arrives: Arrives, book: WalletBook) => {
    await arrives(book.spent(book.pesewas / 100));
    await arrives(book.paid(1));
    return book.pesewas + STOLEN * 100;
  },
  [`after ${GUESSES} wrong guesses`]: async (arrives: Arrives, book: WalletBook) => {
    for (let n = 1; n <= GUESSES; n++)
      await arrives(book.receipt(1, { from: 'EVE GUESS', balance: book.pesewas + n * 1_000 }));
    return book.pesewas + STOLEN * 100;
  },
};
type Arrives = (text: ReturnType<WalletBook['paid']>) => Promise<void>;

/** Returns the attacks in which a forged payment above the single limit was accepted. */
export async function playKnownWalletForgers(): Promise<string[]> {
  const tapped: string[] = [];
  for (const [name, trick] of Object.entries(tricks)) {
    const world = await createWorld({ inMemory: true });
    const shop = await createShop(world);
    const book = await provenBook(world, shop);
    const [till] = await openTills(world, shop, ['Counter 1']);
    if (!till) throw new Error('There is a till');
    const balance = await trick(async (text) => {
      await arrive(world, shop, text);
      world.clock.nowMs += 3 * MINUTE_MS;
    }, book);
    await pay(world, shop, book.receipt(STOLEN, { from: 'EVE LARGE', balance }));
    world.clock.nowMs += 3 * MINUTE_MS;
    if (await tapAt(world, till, { amount: STOLEN, from: 'EVE LARGE' })) tapped.push(name);
  }
  return tapped;
}

export function sayKnownWallet(tapped: readonly string[]): string {
  const of = (name: string) => `${name} ${tapped.includes(name) ? 'was tapped' : 'was not tapped'}`;
  return `a forged GHS ${STOLEN} whose balance is right, at the counter of a known wallet that holds nothing: ${Object.keys(tricks).map(of).join(', ')}`;
}
