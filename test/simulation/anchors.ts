import { Receipt } from '../../shared/money/receipt/receipt.ts';
import { nameByOwner } from '../../shared/money/wallet/name-by-owner.ts';
import { HOUR_MS } from '../../shared/runtime/values/calendar.ts';
import { YOUNG_PESEWAS } from '../../shared/wallets/chain/anchor.ts';
import { chainRows, listWaiting, type Wallet } from '../../shared/wallets/chain/chain.table.ts';
import { nameBalance } from '../../shared/wallets/chain/name-balance.ts';
import { whyAsked } from '../../shared/wallets/chain/question.ts';
import { DEVICES, type Kiosk, type Shop } from './kiosk.ts';
import type { Chance } from './random.ts';

const OPENING_PESEWAS = 512_337;
const MISREAD_PESEWAS = 1_234;

/**
 * The shops' wallets and their owners. A third of the owners have not named the balance, a third have misread it and name
 * the right one when they are asked, and a third have named the right one.
 */
export class Wallets {
  readonly #kiosk: Kiosk;
  readonly #chance: Chance;
  readonly #pesewas = new Map<string, number>(DEVICES.map((device) => [device, OPENING_PESEWAS]));
  /** Genuine payments, as id and amount. */
  readonly #genuine = new Set<string>();
  readonly #namedMs = new Map<string, number>();

  constructor(kiosk: Kiosk, chance: Chance) {
    [this.#kiosk, this.#chance] = [kiosk, chance];
  }

  async begin(): Promise<void> {
    const { kiosk, outside } = { kiosk: this.#kiosk, outside: this.#kiosk.outside };
    for (const shop of kiosk.shops) {
      const named = this.#chance.pick(['nothing', 'a wrong balance', 'the right balance'] as const);
      if (named === 'nothing') continue;
      this.#namedMs.set(shop.number, kiosk.nowMs);
      await nameBalance(
        outside,
        walletOf(shop),
        this.#balanceOf(shop) + (named === 'a wrong balance' ? MISREAD_PESEWAS : 0),
      );
    }
  }

  /** Moves money on a phone's wallet. Returns the text with the wallet's new balance. */
  move(device: string, text: string, { id, pesewas }: { readonly id: string; readonly pesewas: number }): string {
    const balance = (this.#pesewas.get(device) ?? 0) + pesewas;
    this.#pesewas.set(device, balance);
    this.#genuine.add(`${id} ${pesewas}`);
    return text.replaceAll(/Balance: GHS [\d,.]+\d/g, `Balance: GHS ${(balance / 100).toFixed(2)}`);
  }

  /** Names the balance of each wallet whose owner is asked. */
  async look(): Promise<void> {
    const { kiosk, outside } = { kiosk: this.#kiosk, outside: this.#kiosk.outside };
    for (const shop of kiosk.shops)
      await kiosk.faults.run('admin', async () => {
        const chain = await chainRows.find(outside, walletOf(shop));
        if (!chain || !whyAsked(chain, await listWaiting(outside, chain), kiosk.nowMs)) return;
        await nameByOwner(outside, chain, this.#balanceOf(shop), { by: 'owner' });
      });
  }

  /** Returns verified payments that should not be verified. */
  wrong(): string[] {
    const items = this.#kiosk.items();
    const receipts = items.filter(({ sk }) => sk === 'RECEIPT').map((item) => Receipt.parse(item));
    const proven = receipts.filter(({ proof }) => proof?.state === 'proven');
    const early = items.filter(({ pk, sk, state, arrived_ms }) => {
      const namedMs = this.#namedMs.get(String(pk).split('#')[2] ?? '') ?? Number.POSITIVE_INFINITY;
      return String(sk).startsWith('TEXT#') && state === 'linked' && Number(arrived_ms) < namedMs;
    });
    const chains = items.filter(({ sk }) => sk === 'CHAIN').map(chainRows.parse);
    const hour = Math.floor(this.#kiosk.nowMs / HOUR_MS);
    const most = (chain: (typeof chains)[number]) =>
      (chain.confirmed ?? []).filter((one) => hour - one.hour < 24).reduce((sum, { pesewas }) => sum + pesewas, 0);
    return [
      ...proven
        .filter(({ transaction_id, amount_pesewas }) => !this.#genuine.has(`${transaction_id} ${amount_pesewas}`))
        .map(({ receipt_id }) => `the forged text ${receipt_id} is verified`),
      ...early.map(({ sk }) => `${sk} is linked, and arrived before the owner named the balance`),
      ...chains
        .filter((chain) => most(chain) > YOUNG_PESEWAS)
        .map((chain) => `a young anchor verified ${most(chain)} in 24 hours`),
    ];
  }

  #balanceOf(shop: Shop): number {
    const device = DEVICES[this.#kiosk.shops.indexOf(shop)] ?? DEVICES[0];
    return this.#pesewas.get(device) ?? 0;
  }
}

function walletOf({ number }: Shop): Wallet {
  return { network: 'MTN', momo_number: number };
}
