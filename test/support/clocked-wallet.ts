import { handler as relay } from '../../functions/work/relay.ts';
import { isWanted } from '../../shared/runtime/triggers/stream.ts';
import { MINUTE_MS } from '../../shared/runtime/values/calendar.ts';
import { chainRows } from '../../shared/wallets/chain/chain.table.ts';
import { nameBalance as nameWalletBalance } from '../../shared/wallets/chain/name-balance.ts';
import { scene } from './scene.ts';
import { provenBook } from './wallet-book.ts';
import { callWorker, databaseOf } from './world.ts';

/** Creates a shop with a balance chain. The relay and the settling queue run as the clock advances. */
export async function clockedWallet() {
  const world = await scene({ inMemory: true });
  world.goToNoon();
  const shop = await world.createShop();
  const book = await provenBook(world, shop, 24);
  const wallet = { network: 'MTN', momo_number: shop.number } as const;
  let read = databaseOf(world).records().length;
  let waiting: { atMs: number; body: object }[] = [];

  /** Relays changes and runs due jobs. @returns the number of jobs. */
  async function step(): Promise<number> {
    const all = databaseOf(world).records();
    const isOfChain = (sk = '') => /^(GAP|WAIT|TEXT)#/.test(sk);
    const fresh = all.slice(read).filter((one) => isWanted(one, relay.row) && isOfChain(one.dynamodb?.Keys?.sk?.S));
    read = all.length;
    const ApproximateCreationDateTime = world.clock.nowMs / 1000;
    const Records = fresh.map((one) => ({ ...one, dynamodb: { ...one.dynamodb, ApproximateCreationDateTime } }));
    if (Records.length > 0) await callWorker(world, relay, { Records });
    const isSettling = ({ queue }: { readonly queue: string }) => queue === 'settle-receipt';
    for (const { job } of world.queued.filter(isSettling))
      waiting.push({ atMs: world.clock.nowMs + (job.delaySeconds ?? 0) * 1000, body: job.body });
    world.queued.splice(0, world.queued.length, ...world.queued.filter((one) => !isSettling(one)));
    const due = waiting.filter(({ atMs }) => atMs <= world.clock.nowMs);
    waiting = waiting.filter(({ atMs }) => atMs > world.clock.nowMs);
    for (const { body } of due) {
      const { batchItemFailures } = await world.work('settle-receipt', [body]);
      if (batchItemFailures.length > 0) waiting.push({ atMs: world.clock.nowMs + 30_000, body });
    }
    return due.length;
  }

  async function settle(): Promise<void> {
    for (let n = 0; n < 10; n++) if ((await step()) === 0) break;
    await world.tell(2);
  }

  async function run(minutes: number): Promise<void> {
    for (let n = 0; n < minutes; n++) {
      world.clock.nowMs += MINUTE_MS;
      await settle();
    }
  }

  /** Delivers texts to the phone in order, five seconds apart. */
  async function come(...texts: { readonly sender: string; readonly text: string }[]): Promise<void> {
    for (const text of texts) {
      await shop.arrive(text);
      world.clock.nowMs += 5_000;
      await settle();
    }
  }

  /** Advances the clock by twelve minutes. The owner then enters the wallet's balance. */
  async function nameBalance(): Promise<void> {
    await run(12);
    await nameWalletBalance(world.outside, wallet, book.pesewas);
    await settle();
  }

  const head = async () => (await chainRows.find(world.outside, wallet))?.recent.at(-1)?.balance;
  return { world, shop, book, run, come, nameBalance, head };
}

/** Returns a network's reversal text without a balance. */
export function reversalLine(id: string, amount: number) {
  return { sender: 'MobileMoney', text: `Transaction ${id} of GHS ${amount.toFixed(2)} has been reversed.` };
}
