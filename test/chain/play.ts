import type { Item, Table } from '../../shared/runtime/table/table.ts';
import { MINUTE_MS } from '../../shared/runtime/values/calendar.ts';
import { PublicError } from '../../shared/runtime/values/errors.ts';
import { branchesOf } from '../../shared/wallets/chain/branches.ts';
import { chainRows, listWaiting, type Wallet } from '../../shared/wallets/chain/chain.table.ts';
import { type Chain, isEstablished, type Movement } from '../../shared/wallets/chain/chain.ts';
import { confirmWallet, denyWallet } from '../../shared/wallets/chain/confirm-wallet.ts';
import { linkTexts } from '../../shared/wallets/chain/link-texts.ts';
import { beginEarlier } from '../support/begin-earlier.ts';
import { PlainTable } from './plain-table.ts';

/** Interval between checks of waiting texts. */
const LOOKS_EVERY_MS = MINUTE_MS;
/** Time until the owner is asked about texts that do not continue the chain. */
const ASKS_AFTER_MS = 10 * MINUTE_MS;

export const WALLET: Wallet = { network: 'MTN', momo_number: '+233241234567' };

/** An owner's reaction to a question. */
export interface Owner {
  readonly answersAfterMs: number;
  /** Returns true if the wallet had this balance after this text. */
  readonly knows: (balance: number, id: number) => boolean;
}

interface Question {
  readonly told: Movement;
  readonly isTrue: boolean;
  readonly answeredMs: number;
}

/** Returns a key that copies of a text share. */
export const keyOf = ({ id, before, after }: Movement): string => `${id}#${before}#${after}`;

/** A wallet whose texts arrive one after another. Each arrival sets the clock. */
export class Play {
  readonly linkedMs = new Map<string, number>();
  /** Texts that were ever verified. Texts from a new wallet are never verified. */
  readonly everProven = new Set<string>();
  questions = 0;
  #nowMs = 0;
  #provesSinceMs = Number.POSITIVE_INFINITY;
  /** Unanswered questions, keyed by text. */
  readonly #questions = new Map<string, Question>();
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

  /** Receives a text. With `isWatched`, waiting texts are checked every minute until then. */
  async arrive(text: Movement, isWatched = true): Promise<void> {
    await this.passTo(text.arrived_ms, isWatched);
    await linkTexts(this.outside, WALLET, [text]);
    await beginEarlier(this.outside, WALLET);
    this.note();
  }

  /** Advances the clock to the given time. */
  async passTo(ms: number, isWatched = true): Promise<void> {
    while (isWatched) {
      const nextMs = this.#nowMs === 0 ? ms : Math.floor(this.#nowMs / LOOKS_EVERY_MS + 1) * LOOKS_EVERY_MS;
      if (nextMs >= ms) break;
      const chain = await chainRows.find(this.outside, WALLET);
      if (!chain || chain.waiting === 0) break;
      this.#nowMs = nextMs;
      await this.look();
    }
    this.#nowMs = ms;
  }

  async look(): Promise<void> {
    await linkTexts(this.outside, WALLET, []);
    if (this.#owner) await this.#ask(this.#owner);
    for (const [key, question] of this.#questions) {
      if (question.answeredMs > this.#nowMs) continue;
      this.#questions.delete(key);
      await this.#answer(question);
    }
    this.note();
  }

  /** Asks once about the balance in texts that have waited for ten minutes. */
  async #ask({ knows, answersAfterMs }: Owner): Promise<void> {
    const chain = await this.chain();
    for (const { texts } of branchesOf(chain, await listWaiting(this.outside, WALLET))) {
      const isGrown = texts.some((one) => this.#nowMs - one.arrived_ms >= ASKS_AFTER_MS);
      const told = texts.findLast(({ after }) => !chain.recent.some(({ balance }) => balance === after));
      if (!isGrown || !told || texts.some((one) => this.#questions.has(keyOf(one)))) continue;
      this.questions++;
      const isTrue = knows(told.after, told.id);
      this.#questions.set(keyOf(told), { told, isTrue, answeredMs: this.#nowMs + answersAfterMs });
    }
  }

  /** Answers a question if its text is still waiting. */
  async #answer({ told, isTrue }: Question): Promise<void> {
    if (!(await listWaiting(this.outside, WALLET)).some((one) => keyOf(one) === keyOf(told))) return;
    // A new chain accepts a yes. An established one requires the current balance, and this text is half an hour old.
    if (isTrue) return this.say(told.after, isEstablished(await this.chain()));
    await denyWallet(this.outside, WALLET, told.after);
    this.note();
  }

  /** Enters or confirms a balance as the owner. */
  async say(balance: number, isNamed = true): Promise<void> {
    await confirmWallet(this.outside, WALLET, balance, isNamed).catch((error: unknown) => {
      if (!(error instanceof PublicError)) throw error;
    });
    this.note();
  }

  async chain(): Promise<Chain> {
    const chain = await chainRows.find(this.outside, WALLET);
    if (!chain) throw new Error('No text has arrived yet');
    return chain;
  }

  /** Records when texts were linked to the chain. */
  note(): void {
    for (const { sk, state, arrived_ms, proves_since_ms } of this.#changes.splice(0)) {
      if (proves_since_ms !== undefined) this.#provesSinceMs = Number(proves_since_ms);
      const key = /^TEXT#0*(.*)/.exec(String(sk))?.[1];
      if (key && state === 'linked' && !this.linkedMs.has(key)) this.linkedMs.set(key, this.#nowMs);
      if (key && state === 'linked' && Number(arrived_ms) >= this.#provesSinceMs) this.everProven.add(key);
      if (key && (state === 'false' || state === 'contested')) this.linkedMs.delete(key);
    }
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
