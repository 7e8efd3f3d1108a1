import { branchesOf } from '../../shared/chain/branches.ts';
import {
  addGap,
  addSettled,
  getChain,
  listGaps,
  listSettledTexts,
  listWaiting,
  removeGap,
  removeWaiting,
  replaceChain,
  type Wallet,
} from '../../shared/chain/chain.table.ts';
import { type Chain, headOf, type Movement } from '../../shared/chain/chain.ts';
import { type Confirmed, confirmBalance, denyBalance } from '../../shared/chain/confirm-balance.ts';
import { linkTexts } from '../../shared/chain/link-texts.ts';
import { PlainTable } from './plain-table.ts';

const MINUTE_MS = 60_000;
/** How often the chains that texts wait for are looked at without a new text. */
const LOOKS_EVERY_MS = MINUTE_MS;
/** A branch that grows for so long while nothing links to the head is a question to the owner. */
const ASKS_AFTER_MS = 10 * MINUTE_MS;

export const WALLET: Wallet = { network: 'MTN', momo_number: '+233241234567' };

/** What the wallet's owner does about a question. */
export interface Owner {
  readonly answersAfterMs: number;
  /** Whether the wallet's balance after a text is what it says. */
  readonly knows: (balance: number, id: number) => boolean;
}

interface Question {
  readonly told: Movement;
  readonly isTrue: boolean;
  readonly answeredMs: number;
}

/** What identifies a text, but for its copies. */
export const keyOf = ({ id, before, after }: Movement): string => `${id}#${before}#${after}`;

/** A wallet whose texts arrive one after the other, with the clock that they set. */
export class Play {
  readonly table = new PlainTable();
  readonly linkedMs = new Map<string, number>();
  questions = 0;
  #nowMs = 0;
  /** Those without an answer yet, by what they ask about. */
  readonly #questions = new Map<string, Question>();
  readonly #owner: Owner | undefined;

  constructor(owner?: Owner) {
    this.#owner = owner;
  }

  readonly outside = {
    table: this.table,
    now: () => this.#nowMs,
    sleep: async () => {},
    randomBytes: (n: number) => Buffer.alloc(n),
  };

  async arrive(text: Movement): Promise<void> {
    await this.passTo(text.arrived_ms);
    await linkTexts(this.outside, WALLET, [text]);
    this.#note();
  }

  /** What happens by itself until a moment. */
  async passTo(ms: number): Promise<void> {
    for (;;) {
      const nextMs = this.#nowMs === 0 ? ms : Math.floor(this.#nowMs / LOOKS_EVERY_MS + 1) * LOOKS_EVERY_MS;
      if (nextMs >= ms) break;
      const chain = await getChain(this.outside, WALLET);
      if (!chain || chain.waiting === 0) break;
      this.#nowMs = nextMs;
      await this.#look();
    }
    this.#nowMs = ms;
  }

  async #look(): Promise<void> {
    await linkTexts(this.outside, WALLET, []);
    if (this.#owner) await this.#ask(this.#owner);
    for (const [key, question] of this.#questions) {
      if (question.answeredMs > this.#nowMs) continue;
      this.#questions.delete(key);
      await this.#answer(question);
    }
    this.#note();
  }

  /** Asks about what waits for ten minutes, once: for the newest balance that nothing else tells. */
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

  /** A question is answered while its text still waits. */
  async #answer({ told, isTrue }: Question): Promise<void> {
    const waiting = await listWaiting(this.outside, WALLET);
    if (!waiting.some((one) => keyOf(one) === keyOf(told))) return;
    if (isTrue) return this.say(told.after);
    const forged = denyBalance(await this.chain(), waiting, told.after);
    await this.#settle({ chain: await this.chain(), linked: [], forged, gaps: [] });
  }

  /** The owner's word. */
  async say(balance: number): Promise<void> {
    const [waiting, gaps] = [await listWaiting(this.outside, WALLET), await listGaps(this.outside, WALLET)];
    await this.#settle(confirmBalance(await this.chain(), waiting, gaps, balance, this.#nowMs));
  }

  async #settle(said: Confirmed): Promise<void> {
    const chain = await this.chain();
    const [waiting, gaps] = [await listWaiting(this.outside, WALLET), await listGaps(this.outside, WALLET)];
    const after: Chain = {
      ...said.chain,
      gaps: gaps.length + said.gaps.length - (said.filled ? 1 : 0),
      waiting: waiting.length - said.linked.length - said.forged.length,
    };
    const { contradicted } = said;
    const wrong = contradicted
      ? await listSettledTexts(this.outside, WALLET, [contradicted.id + 1, headOf(chain).id])
      : [];
    const writes = [
      ...[...said.linked, ...said.forged].map((one) => removeWaiting(WALLET, one)),
      ...said.linked.map((one) => addSettled(this.outside, WALLET, one, 'linked')),
      ...[...said.forged, ...wrong].map((one) => addSettled(this.outside, WALLET, one, 'false')),
      ...(said.filled ? [removeGap(WALLET, said.filled)] : []),
      ...said.gaps.map((gap) => addGap(WALLET, gap)),
    ];
    await this.table.write([replaceChain(chain, after)]);
    for (let n = 0; n < writes.length; n += 100) await this.table.write(writes.slice(n, n + 100));
    await linkTexts(this.outside, WALLET, []);
    this.#note();
  }

  async chain(): Promise<Chain> {
    const chain = await getChain(this.outside, WALLET);
    if (!chain) throw new Error('No text has arrived yet');
    return chain;
  }

  /** When texts have become a part of the chain. */
  #note(): void {
    for (const { sk, state } of this.table.takeChanges()) {
      const key = /^TEXT#0*(.*)/.exec(String(sk))?.[1];
      if (key && state === 'linked' && !this.linkedMs.has(key)) this.linkedMs.set(key, this.#nowMs);
      if (key && state === 'false') this.linkedMs.delete(key);
    }
  }
}
