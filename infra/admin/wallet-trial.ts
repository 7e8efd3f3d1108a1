import { randomBytes } from 'node:crypto';
import type { Reading } from '../../shared/ghana/wallet-text/reading.ts';
import { COMMAND_LINE } from '../../shared/merchants/audit/audit.table.ts';
import type { WalletText } from '../../shared/money/receipt/wallet-text-of.ts';
import { nameByOwner } from '../../shared/money/wallet/name-by-owner.ts';
import { watchChains } from '../../shared/money/wallet/watch-chains.ts';
import { nowIso } from '../../shared/runtime/outside/outside.ts';
import type { WorkerOutside } from '../../shared/runtime/outside/worker-outside.ts';
import { openTable } from '../../shared/runtime/table/open-table.ts';
import { DAY_MS, MINUTE_MS } from '../../shared/runtime/values/calendar.ts';
import { listOpenChains, listWaiting, type Wallet } from '../../shared/wallets/chain/chain.table.ts';
import { OVERTAKEN_MS } from '../../shared/wallets/chain/chain.ts';
import { requireChain } from '../../shared/wallets/chain/change-chain.ts';
import { type Checked, checkText } from '../../shared/wallets/chain/check-text.ts';
import { linkTexts, notePush } from '../../shared/wallets/chain/link-texts.ts';
import { LOOK_AGAIN_MS } from '../../shared/wallets/chain/look.ts';
import type { Unproven } from '../../shared/wallets/chain/proof.ts';
import { type WhyAsked, whyAsked } from '../../shared/wallets/chain/question.ts';
import { walletNoticeRows } from '../../shared/wallets/wallet/wallet-notice.table.ts';
import { memoryClient } from '../local/memory-dynamodb/client.ts';
import { createMemoryDynamoDb } from '../local/memory-dynamodb.ts';

/** A text about the wallet, in order of arrival. */
export interface TrialText {
  readonly atMs: number;
  readonly reading: Reading;
  readonly walletText: WalletText | undefined;
  /** True for an unread text that looks like a payment. */
  readonly isUnreadPayment: boolean;
}

export interface TrialPayment {
  readonly atMs: number;
  /** Undefined if the text could not be read. */
  readonly amountPesewas: number | undefined;
  /** Why the payment was not verified within two minutes. Undefined if it was. */
  readonly waits: Unproven | 'unread' | undefined;
  /** True if the payment was verified after it had waited. */
  readonly isVerifiedLater: boolean;
}

/** Questions after which the owner names the balance at once. The daily look answers the others. */
const ANSWERED_AT_ONCE: ReadonlySet<WhyAsked> = new Set(['break', 'bank', 'paused', 'look again']);

/** Housekeeping asks about a break ten minutes after its first text. */
const WATCHED_FOR_MS = 15 * MINUTE_MS;

/** A payment that has waited for this long is no longer checked again. */
const CHECKED_FOR_MS = 3 * DAY_MS;

/**
 * Plays a wallet's texts through a balance chain in memory. The owner names the balance at the first text, looks at the
 * wallet once a day, and answers questions about breaks.
 */
export class WalletTrial {
  readonly payments: TrialPayment[] = [];
  readonly questions = new Map<WhyAsked, number>();
  readonly #wallet: Wallet;
  readonly #outside: WorkerOutside;
  readonly #texts: readonly TrialText[];
  #nowMs: number;
  /** The last true text, and the balance that the owner reads in the wallet. */
  #last: { readonly id: number; readonly atMs: number; readonly balance: number };
  /** Payments that are not verified yet, and when to decide whether they wait. */
  readonly #checked: { readonly text: TrialText; readonly dueMs: number }[] = [];
  #waiting: { readonly text: TrialText; readonly n: number }[] = [];
  #watchMs = Number.POSITIVE_INFINITY;
  #watchedUntilMs = 0;
  #dailyLookMs: number;
  #nextLookMs = Number.POSITIVE_INFINITY;

  /** @param texts at least one. */
  constructor(wallet: Wallet, texts: readonly TrialText[], balancePesewas: number) {
    this.#wallet = wallet;
    this.#texts = texts;
    this.#nowMs = texts[0]?.atMs ?? 0;
    this.#last = { id: 0, atMs: this.#nowMs, balance: balancePesewas };
    this.#dailyLookMs = this.#nowMs + DAY_MS;
    this.#outside = inMemory(() => this.#nowMs);
  }

  async play(): Promise<void> {
    await this.#look();
    for (const [n, text] of this.#texts.entries()) {
      await this.#passTo(text.atMs);
      await this.#arrive(text);
      this.#noteBalance(text, n);
    }
    await this.#passTo(this.#nowMs + DAY_MS);
  }

  /** Notes the balance that the wallet shows from now on, unless a later text arrived before this one. */
  #noteBalance(text: TrialText, n: number): void {
    const stated = statedIn(text);
    if (!stated || !isTrue(this.#texts, n)) return;
    const isOvertaken = stated.id < this.#last.id && text.atMs - this.#last.atMs < OVERTAKEN_MS;
    if (!isOvertaken) this.#last = { id: stated.id, atMs: text.atMs, balance: stated.after };
  }

  async #arrive(text: TrialText): Promise<void> {
    const { movement, push } = text.walletText ?? {};
    if (movement) await linkTexts(this.#outside, this.#wallet, [movement]);
    if (push) await notePush(this.#outside, this.#wallet, push);
    if (movement || push) this.#watchOn();
    if (text.reading.kind === 'payment' || text.isUnreadPayment)
      this.#checked.push({ text, dueMs: this.#nowMs + OVERTAKEN_MS });
  }

  /** Advances the clock, with the housekeeping, checks and looks on the way. */
  async #passTo(ms: number): Promise<void> {
    const nextMs = () =>
      Math.min(this.#watchMs, this.#checked[0]?.dueMs ?? ms, this.#dailyLookMs, this.#nextLookMs, ms);
    for (let at = nextMs(); at < ms; at = nextMs()) {
      this.#nowMs = at;
      if (at >= this.#watchMs) await this.#watch();
      for (let due = this.#checked[0]; due && due.dueMs <= at; due = this.#checked[0]) {
        this.#checked.shift();
        await this.#decide(due.text);
      }
      if (at >= this.#dailyLookMs || at >= this.#nextLookMs) await this.#look();
    }
    this.#nowMs = ms;
  }

  #watchOn(): void {
    this.#watchedUntilMs = this.#nowMs + WATCHED_FOR_MS;
    this.#watchMs = Math.min(this.#watchMs, this.#nowMs + MINUTE_MS);
  }

  /** Runs the housekeeping of this minute. */
  async #watch(): Promise<void> {
    this.#watchMs = Number.POSITIVE_INFINITY;
    if ((await listOpenChains(this.#outside)).length === 0) return;
    if (this.#nowMs < this.#watchedUntilMs) this.#watchMs = this.#nowMs + MINUTE_MS;
    await watchChains(this.#outside, []);
    const why = await this.#asked();
    if (!why) return;
    this.questions.set(why, (this.questions.get(why) ?? 0) + 1);
    if (ANSWERED_AT_ONCE.has(why)) this.#nextLookMs = this.#nowMs;
  }

  /** Returns why the housekeeping has just asked the owner, if it has. */
  async #asked(): Promise<WhyAsked | undefined> {
    const notice = { ...this.#wallet, kind: 'balance_unclear', id: nowIso(this.#outside) } as const;
    if (!(await walletNoticeRows.find(this.#outside, notice))) return undefined;
    const chain = await requireChain(this.#outside, this.#wallet);
    return whyAsked(chain, await listWaiting(this.#outside, this.#wallet), this.#nowMs);
  }

  /** The owner reads the balance in the wallet and names it. */
  async #look(): Promise<void> {
    if (this.#nowMs >= this.#dailyLookMs) this.#dailyLookMs += DAY_MS;
    await watchChains(this.#outside, []);
    const naming = await nameByOwner(this.#outside, this.#wallet, this.#last.balance, { by: COMMAND_LINE });
    this.#nextLookMs = naming.outcome === 'look again' ? this.#nowMs + LOOK_AGAIN_MS : Number.POSITIVE_INFINITY;
    this.#watchOn();
    await this.#checkAgain();
  }

  /** Decides whether a payment waits, two minutes after it arrived. */
  async #decide(text: TrialText): Promise<void> {
    const { reading, isUnreadPayment } = text;
    await linkTexts(this.#outside, this.#wallet, []);
    const proof = isUnreadPayment ? undefined : (await this.#check(text)).proof;
    const waits = proof ? (proof.state === 'proven' ? undefined : (proof.why ?? 'balance_gap')) : 'unread';
    const amountPesewas = reading.kind === 'payment' ? reading.amountPesewas : undefined;
    if (waits) this.#waiting.push({ text, n: this.payments.length });
    this.payments.push({ atMs: text.atMs, amountPesewas, waits, isVerifiedLater: false });
  }

  async #checkAgain(): Promise<void> {
    this.#waiting = this.#waiting.filter(({ text }) => this.#nowMs - text.atMs < CHECKED_FOR_MS);
    for (const { text, n } of this.#waiting) {
      const payment = this.payments[n];
      if (!payment || payment.waits === 'unread') continue;
      const { proof } = await this.#check(text);
      this.payments[n] = { ...payment, isVerifiedLater: proof.state === 'proven' };
    }
  }

  #check({ walletText }: TrialText): Promise<Checked> {
    return checkText(this.#outside, this.#wallet, walletText?.movement, walletText?.reason);
  }
}

interface Stated {
  readonly id: number;
  readonly before?: number;
  readonly after: number;
}

/** Returns the balances before and after a text, as it states them. */
function statedIn({ walletText }: TrialText): Stated | undefined {
  return walletText?.movement ?? (walletText?.push && { id: walletText.push.id, after: walletText.push.balance });
}

/** Number of texts on each side among which a true text has a neighbour. */
const NEIGHBOURS = 10;

/**
 * True if a text continues another one or is continued by one. The owner reads the balance in the wallet, so a forged
 * text does not change what they name.
 */
function isTrue(texts: readonly TrialText[], n: number): boolean {
  const text = texts[n];
  const stated = text && statedIn(text);
  if (!stated) return false;
  return texts.slice(Math.max(0, n - NEIGHBOURS), n + NEIGHBOURS + 1).some((other) => {
    const near = other === text ? undefined : statedIn(other);
    return near !== undefined && (near.before === stated.after || near.after === stated.before);
  });
}

/** Side effects of a trial: an empty table in memory, and a clock. Nothing leaves the machine. */
function inMemory(now: () => number): WorkerOutside {
  const memory = createMemoryDynamoDb({ now });
  const sleep = async () => undefined;
  const table = openTable(memoryClient(memory), memory.tableName, { randomBytes, sleep });
  const ignore = () => undefined;
  const refuse = async () => {
    throw new Error('A trial contacts nobody');
  };
  return {
    table,
    now,
    randomBytes,
    sleep,
    fetch: refuse,
    secret: refuse,
    call: refuse,
    postPublic: refuse,
    log: { info: ignore, warn: ignore, error: ignore },
    queues: { send: sleep, postpone: sleep },
    metrics: { count: ignore },
    baseUrl: '',
    allowsThisMachine: false,
    retentionDays: 1,
  };
}
