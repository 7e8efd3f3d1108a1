import type { Item, Table } from '../../shared/runtime/table/table.ts';
import { HOUR_MS, MINUTE_MS } from '../../shared/runtime/values/calendar.ts';
import { chainRows, isOpen, listWaiting, type Wallet } from '../../shared/wallets/chain/chain.table.ts';
import type { Chain, Movement } from '../../shared/wallets/chain/chain.ts';
import { endWaiting } from '../../shared/wallets/chain/end-waiting.ts';
import { linkTexts, notePush } from '../../shared/wallets/chain/link-texts.ts';
import { finishLook, type Naming, nameBalance } from '../../shared/wallets/chain/name-balance.ts';
import type { Push } from '../../shared/wallets/chain/push.ts';
import type { Asking, WhyAsked } from '../../shared/wallets/chain/question.ts';
import { noteAskedAbout, questionFor } from '../../shared/wallets/wallet/ask-owner.ts';
import { nameMature } from '../support/name-mature.ts';
import { PlainTable } from './plain-table.ts';

/** Interval between housekeeping runs. */
const LOOKS_EVERY_MS = MINUTE_MS;
/** Above this many waiting texts, housekeeping only links texts, except every ten minutes (`watch-chains.ts`). */
const MANY_WAITING = 100;
const MANY_READ_EVERY_MS = 10 * MINUTE_MS;
/** Time until an owner whose balance did not agree reads the balance again. */
const READS_AGAIN_MS = 3 * MINUTE_MS;

export const WALLET: Wallet = { network: 'MTN', momo_number: '+233241234567' };

/** An owner, who answers each question by naming the balance that the wallet shows then. */
export interface Owner {
  /** Returns the time until the answer. */
  readonly answersAfterMs: (question: Asking) => number;
  /** Returns the wallet's balance at a time, in pesewas. */
  readonly balanceAt: (ms: number) => number;
}

/** A wallet's text. `push` is set for a transfer to the bank, whose text states no amount. */
export type Text = Movement & { readonly push?: Push };

/** Returns a key that copies of a text share. */
export const keyOf = ({ id, before, after }: Movement): string => `${id}#${before}#${after}`;

/** A wallet whose texts arrive one after another. Each arrival sets the clock. */
export class Play {
  /** Texts in the chain, verified or not, and since when. */
  readonly linkedMs = new Map<string, number>();
  /** Texts that were ever verified, and since when. */
  readonly provenMs = new Map<string, number>();
  /** The owner's questions. */
  readonly asked: WhyAsked[] = [];
  /** Number of times that the owner named the balance. */
  looks = 0;
  #nowMs = 0;
  #answersMs = Number.POSITIVE_INFINITY;
  readonly #owner: Owner | undefined;
  /** Rows written since the last check. */
  #changes: Item[] = [];
  readonly outside;

  constructor(owner?: Owner, table: Table = new PlainTable()) {
    this.#owner = owner;
    const write: Table['write'] = async (writes) => {
      await table.write(writes);
      this.#changes.push(...writes.flatMap(({ put }) => put?.Item ?? []));
    };
    this.outside = {
      table: { ...tableOf(table), write },
      now: () => this.#nowMs,
      sleep: async () => {},
      randomBytes: (n: number) => Buffer.alloc(n),
    };
  }

  /** Begins the chain just before a wallet's first movement. The chain verifies any amount. */
  async begin({ before, at_ms }: Pick<Movement, 'before' | 'at_ms'>): Promise<this> {
    this.#nowMs = at_ms - MINUTE_MS;
    await nameMature(this.outside, WALLET, before);
    this.note();
    return this;
  }

  /** Receives a text. With `isWatched`, housekeeping runs every minute until then. */
  async arrive(text: Text, isWatched = true): Promise<void> {
    await this.passTo(text.arrived_ms, isWatched);
    const { push, ...movement } = text;
    if (push) await notePush(this.outside, WALLET, push);
    else await linkTexts(this.outside, WALLET, [movement]);
    this.note();
  }

  /** Advances the clock to the given time. */
  async passTo(ms: number, isWatched = true): Promise<void> {
    while (isWatched) {
      const nextMs = Math.floor(this.#nowMs / LOOKS_EVERY_MS + 1) * LOOKS_EVERY_MS;
      const chain = await chainRows.find(this.outside, WALLET);
      if (nextMs >= ms || !chain || !this.#isBusy(chain)) break;
      this.#nowMs = nextMs;
      await this.look(chain);
    }
    this.#nowMs = ms;
  }

  #isBusy(chain: Chain): boolean {
    const isAsking = this.#owner !== undefined && (isOpen(chain) || Number.isFinite(this.#answersMs));
    return chain.waiting > 0 || isAsking;
  }

  /** Runs housekeeping once. The owner answers a question that is due. */
  async look(chain: Chain): Promise<void> {
    if (this.#owner && this.#answersMs <= this.#nowMs) await this.#answer(this.#owner);
    await linkTexts(this.outside, WALLET, []);
    if (chain.waiting <= MANY_WAITING || this.#nowMs % MANY_READ_EVERY_MS === 0) {
      if (this.#nowMs % HOUR_MS === 0) await endWaiting(this.outside, WALLET);
      await finishLook(this.outside, WALLET);
      if (this.#owner) await this.#ask(this.#owner);
    }
    this.note();
  }

  async #ask({ answersAfterMs }: Owner): Promise<void> {
    const chain = await this.chain();
    const question = questionFor(this.outside, chain, await listWaiting(this.outside, WALLET));
    if (!question) return;
    await this.outside.table.write(noteAskedAbout(this.outside, chain, question));
    this.asked.push('why' in question ? question.why : 'push' in question ? 'bank' : 'break');
    this.#answersMs = Math.min(this.#answersMs, this.#nowMs + answersAfterMs(question));
  }

  async #answer({ balanceAt }: Owner): Promise<void> {
    this.#answersMs = Number.POSITIVE_INFINITY;
    const { outcome } = await this.name(balanceAt(this.#nowMs));
    if (outcome === 'look again') this.#answersMs = this.#nowMs + READS_AGAIN_MS;
  }

  /** Names a balance as the owner, in pesewas. */
  async name(balance: number): Promise<Naming> {
    this.looks++;
    const naming = await nameBalance(this.outside, WALLET, balance);
    this.note();
    return naming;
  }

  async chain(): Promise<Chain> {
    const chain = await chainRows.find(this.outside, WALLET);
    if (!chain) throw new Error('Nobody has named the balance yet');
    return chain;
  }

  /** Records when texts were linked and verified. */
  note(): void {
    for (const row of this.#changes.splice(0)) {
      const key = /^TEXT#0*(.*)/.exec(String(row.sk))?.[1];
      if (key && (row.state === 'linked' || row.state === 'unsure')) this.#noteLinked(key, row);
      if (key && (row.state === 'false' || row.state === 'contested')) this.linkedMs.delete(key);
    }
  }

  #noteLinked(key: string, { state, beyond_sum }: Item): void {
    if (!this.linkedMs.has(key)) this.linkedMs.set(key, this.#nowMs);
    const isProven = state === 'linked' && beyond_sum !== true;
    if (isProven && !this.provenMs.has(key)) this.provenMs.set(key, this.#nowMs);
  }
}

/** Copies a table's methods to own properties, which can be spread and overridden. */
function tableOf(table: Table): Table {
  return {
    get: (key) => table.get(key),
    getMany: (keys) => table.getMany(keys),
    list: (partition, range) => table.list(partition, range),
    listPage: (...asked) => table.listPage(...asked),
    listIndex: (...asked) => table.listIndex(...asked),
    listIndexKeys: (...asked) => table.listIndexKeys(...asked),
    write: (writes) => table.write(writes),
    update: (change) => table.update(change),
    remove: (key) => table.remove(key),
  };
}
