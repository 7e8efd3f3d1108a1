import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../shared/runtime/values/calendar.ts';
import { PublicError } from '../../shared/runtime/values/errors.ts';
import { type PushQuestion, pushInQuestion } from '../../shared/wallets/chain/bank-push.ts';
import { branchInQuestion } from '../../shared/wallets/chain/branches.ts';
import { listWaiting, noteAsked, replaceChain } from '../../shared/wallets/chain/chain.table.ts';
import { type Chain, headOf, type Movement } from '../../shared/wallets/chain/chain.ts';
import { confirmWallet, denyWallet } from '../../shared/wallets/chain/confirm-wallet.ts';
import { endWaiting } from '../../shared/wallets/chain/end-waiting.ts';
import { notePush } from '../../shared/wallets/chain/link-texts.ts';
import type { Push } from '../../shared/wallets/chain/push.ts';
import { type Chance, chanceFrom } from '../simulation/random.ts';
import { idAt } from './network.ts';
import { keyOf, Play, WALLET } from './play.ts';
import { byArrival, type Shop, shopOf } from './shop.ts';

const SECOND_MS = 1000;
/** Default limits for unverified payments, per payment and per day. */
const LIMITS_PESEWAS = { payment: 50_00, day: 150_00 };
const STOLEN_PESEWAS = 4_900_00;
/** Share of owners who answer immediately after their own transfer to the bank. */
const IN_HAND = 0.9;

export interface BankSettings {
  readonly payments: number;
  /** Time until the other owners answer. */
  readonly answersAfterMs: number;
  /** True if a forger imitates each bank text within an hour. The owner answers yes to every question. */
  readonly isForged: boolean;
}

export interface BankScore {
  readonly payments: number;
  /** Payments neither verified within two minutes nor covered by the limits. */
  readonly waited: number;
  readonly unproven: number;
  readonly pushes: number;
  readonly questions: number;
  /** Verified forged payments above the limit. */
  readonly stolen: number;
}

type Text = Movement & { readonly push?: Push };

/** Simulates a shop that transfers its takings to the bank once a day. */
export async function playBank(seed: number, settings: BankSettings): Promise<BankScore> {
  const chance = chanceFrom(seed);
  const shop = shopOf(chance, { payments: settings.payments });
  const honest = withPushes(chance, shop);
  const forged = settings.isForged ? forgedBeside(chance, honest) : [];
  const game = new Game(chance, shop, settings);
  for (const text of [...honest, ...forged].sort(byArrival)) await game.arrive(text);
  await game.passTo(game.nowMs + 12 * HOUR_MS);
  const paid = honest.filter(({ receipt_id, push }) => receipt_id !== undefined && !push).slice(40);
  return {
    payments: paid.length,
    ...game.waitsOf(paid),
    pushes: honest.filter(({ push }) => push).length,
    questions: game.questions,
    stolen: forged.filter((one) => !one.push && one.after - one.before > LIMITS_PESEWAS.payment && game.isProven(one))
      .length,
  };
}

/** Adds each day's transfer to the bank, in the afternoon. */
function withPushes(chance: Chance, { arrivals }: Shop): Text[] {
  const days = Map.groupBy(arrivals.slice(40), ({ at_ms }) => Math.floor(at_ms / DAY_MS));
  const pushed = new Set(
    [...days.values()].flatMap((texts) => {
      const possible = texts.filter(isOfTheAfternoon);
      return possible.length > 0 ? chance.pick(possible) : [];
    }),
  );
  return arrivals.map((one) => (pushed.has(one) ? asPush(one) : one));
}

const isOfTheAfternoon = ({ before, after, at_ms }: Movement) => after < before && at_ms % DAY_MS >= 16 * HOUR_MS;

const pushOf = ({ id, after, at_ms, arrived_ms }: Movement): Push => ({ id, balance: after, at_ms, arrived_ms });
const asPush = (one: Movement): Text => ({ ...one, push: pushOf(one) });

/**
 * Forges a bank text within an hour of each real one, followed by forged payments that continue the forged text's
 * balance.
 */
function forgedBeside(chance: Chance, texts: readonly Text[]): Text[] {
  return texts.flatMap(({ push }) => {
    if (!push) return [];
    const arrived_ms = push.arrived_ms + chance.between(-30, 30) * MINUTE_MS;
    const first = forgedText(chance, arrived_ms, 0, chance.between(1, 40) * 1000);
    const forged: Text[] = [asPush(first)];
    let balance = first.after;
    let ms = arrived_ms;
    for (let n = chance.between(2, 20); n > 0; n--) {
      ms += chance.between(5, 600) * SECOND_MS;
      const out = chance.happens(0.3) ? -Math.min(balance, 1000) : chance.happens(0.5) ? STOLEN_PESEWAS : 2000;
      const text = forgedText(chance, ms, balance, balance + out);
      balance = text.after;
      forged.push(text);
    }
    return forged;
  });
}

function forgedText(chance: Chance, arrived_ms: number, before: number, after: number): Movement {
  const id = idAt(arrived_ms - chance.between(0, 20) * SECOND_MS);
  return { id, before, after, at_ms: arrived_ms, arrived_ms, sender: 'mobilemoney', receipt_id: `forged-${id}` };
}

interface Answer {
  readonly dueMs: number;
  readonly balance: number;
  readonly kind: 'yes' | 'no' | 'name';
}

/** Simulates a wallet, the service's questions to the owner, and the owner's answers. */
class Game {
  questions = 0;
  readonly #play = new Play();
  readonly #answers: Answer[] = [];
  readonly #chance: Chance;
  readonly #shop: Shop;
  readonly #settings: BankSettings;

  constructor(chance: Chance, shop: Shop, settings: BankSettings) {
    [this.#chance, this.#shop, this.#settings] = [chance, shop, settings];
  }

  get nowMs(): number {
    return this.#play.outside.now();
  }

  async arrive(text: Text): Promise<void> {
    await this.passTo(text.arrived_ms);
    if (text.push) await notePush(this.#play.outside, WALLET, text.push);
    else await this.#play.arrive(text, false);
  }

  /** Advances the clock and checks the balance chain every minute, like housekeeping. */
  async passTo(ms: number): Promise<void> {
    for (
      let next = (Math.floor(this.nowMs / MINUTE_MS) + 1) * MINUTE_MS;
      this.nowMs > 0 && next < ms;
      next += MINUTE_MS
    ) {
      const chain = await this.#play.chain();
      const hasPush = chain.pushes?.some(({ id }) => id > headOf(chain).id);
      if (chain.waiting === 0 && !hasPush && this.#answers.length === 0) break;
      await this.#play.passTo(next, false);
      await this.#look();
    }
    await this.#play.passTo(ms, false);
  }

  async #look(): Promise<void> {
    await this.#play.look();
    for (const answer of this.#answers.splice(0)) {
      if (answer.dueMs > this.nowMs) this.#answers.push(answer);
      else await this.#say(answer);
    }
    if (this.nowMs % HOUR_MS === 0) await endWaiting(this.#play.outside, WALLET);
    const chain = await this.#play.chain();
    const waiting = await listWaiting(this.#play.outside, WALLET);
    const pushed = pushInQuestion(chain, waiting, this.nowMs);
    if (pushed && pushed.push.asked_ms === undefined) return this.#askAboutPush(chain, pushed);
    const branch = branchInQuestion(chain, waiting, this.nowMs);
    const [first] = branch?.texts ?? [];
    if (!branch || !first || this.nowMs - (chain.asked_ms ?? 0) < 30 * MINUTE_MS) return;
    await this.#play.outside.table.write([
      replaceChain(chain, { ...chain, asked_ms: this.nowMs }),
      noteAsked(this.#play.outside, chain, first),
    ]);
    this.#ask(branch.to.balance, this.#settings.answersAfterMs, chain.tapped_ms === undefined ? 'yes' : 'name');
  }

  async #askAboutPush(chain: Chain, { push, amountPesewas }: PushQuestion): Promise<void> {
    const asked = (one: Push): Push => (one.id === push.id ? { ...one, asked_ms: this.nowMs } : one);
    await this.#play.outside.table.write([replaceChain(chain, { ...chain, pushes: chain.pushes?.map(asked) })]);
    const isInHand = this.nowMs - push.at_ms < 3 * MINUTE_MS && this.#chance.happens(IN_HAND);
    const afterMs = isInHand ? this.#chance.between(20, 180) * SECOND_MS : this.#settings.answersAfterMs;
    this.#ask(push.balance, afterMs, amountPesewas === undefined ? 'name' : 'yes');
  }

  #ask(balance: number, afterMs: number, kind: 'yes' | 'name'): void {
    this.questions++;
    const isTrue = this.#settings.isForged || this.#shop.movements.some(({ after }) => after === balance);
    this.#answers.push({ dueMs: this.nowMs + afterMs, balance, kind: kind === 'yes' && !isTrue ? 'no' : kind });
  }

  async #say({ kind, balance }: Answer): Promise<void> {
    const { outside } = this.#play;
    if (kind === 'no') await denyWallet(outside, WALLET, balance);
    else {
      const shown = this.#shop.movements.findLast(({ at_ms }) => at_ms <= this.nowMs)?.after ?? 0;
      await confirmWallet(outside, WALLET, kind === 'yes' ? balance : shown, kind === 'name').catch(
        (error: unknown) => {
          if (!(error instanceof PublicError)) throw error;
          // The owner is asked again for the current balance.
          if (kind === 'name') this.#answers.push({ kind, balance, dueMs: this.nowMs + 5 * MINUTE_MS });
          else if (!this.#answers.some((one) => one.kind === 'name'))
            this.#answers.push({ kind: 'name', balance, dueMs: this.nowMs + 2 * MINUTE_MS });
        },
      );
    }
    this.#play.note();
  }

  isProven(text: Movement): boolean {
    return this.#play.everProven.has(keyOf(text));
  }

  waitsOf(paid: readonly Movement[]): Pick<BankScore, 'waited' | 'unproven'> {
    const used = new Map<number, number>();
    let [waited, unproven] = [0, 0];
    for (const text of paid.toSorted(byArrival)) {
      const provenMs = this.#play.linkedMs.get(keyOf(text)) ?? Number.POSITIVE_INFINITY;
      if (provenMs - text.arrived_ms <= 2 * MINUTE_MS) continue;
      unproven++;
      const [day, pesewas] = [Math.floor(text.arrived_ms / DAY_MS), text.after - text.before];
      const spent = used.get(day) ?? 0;
      if (pesewas <= LIMITS_PESEWAS.payment && spent + pesewas <= LIMITS_PESEWAS.day) used.set(day, spent + pesewas);
      else waited++;
    }
    return { waited, unproven };
  }
}
