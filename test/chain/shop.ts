import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../shared/runtime/values/calendar.ts';
import type { Movement } from '../../shared/wallets/chain/chain.ts';
import type { Chance } from '../simulation/random.ts';
import { idAt } from './network.ts';

const SECOND_MS = 1000;
const OPENED_MS = Date.parse('2026-06-01T00:00:00Z');
const SENDER = 'mobilemoney';
/** Maximum balance left by a withdrawal, in pesewas. */
const MAX_CHANGE = 500;

/** Settings of a simulated shop. */
export interface ShopSettings {
  readonly payments: number;
  /** Returns true if text `n` never arrives. */
  readonly lost?: (n: number) => boolean;
  /** The phone's fault for one day. Afterwards, everything arrives at once in random order. */
  readonly offFor?: 'nothing' | 'off' | 'offline';
  readonly phones?: 1 | 2;
  /** True if 30 % of withdrawals empty the wallet. In a real wallet, 3 of 1,337 did. */
  readonly isEmptied?: boolean;
  /** Defaults to 250. */
  readonly paymentsADay?: number;
  /** All amounts are multiples of this number. */
  readonly stepPesewas?: number;
  /** Payments per 30 days that are reversed without a text, within an hour. */
  readonly reversalsAMonth?: number | undefined;
}

export interface Shop {
  /** All transactions in the network's order. */
  readonly movements: readonly Movement[];
  /** The transactions that reversed a payment. */
  readonly reversals: ReadonlySet<Movement>;
  /** Texts that reach the service, in order of arrival, with copies. */
  readonly arrivals: readonly Movement[];
}

/** Creates a shop with about 250 payments a day. */
export function shopOf(chance: Chance, settings: ShopSettings): Shop {
  const made = movementsOf(chance, settings);
  const { movements, reversals } = withReversals(chance, made, settings.reversalsAMonth);
  const arrivals = movements
    .filter((one, n) => !reversals.has(one) && !settings.lost?.(n))
    .flatMap((one) => Array.from({ length: settings.phones ?? 1 }, () => one))
    .map((one) => arrivalOf(chance, one, settings, movements));
  return { movements, reversals, arrivals: arrivals.sort(byArrival) };
}

/** Adds reversals without a text, and a balance that covers them. */
function withReversals(chance: Chance, made: readonly Movement[], aMonth = 0) {
  const [firstMs, lastMs] = [made[0]?.at_ms ?? 0, made.at(-1)?.at_ms ?? 0];
  const count = Math.round((aMonth * (lastMs - firstMs)) / (30 * DAY_MS));
  const payments = made.filter(({ receipt_id }, n) => receipt_id !== undefined && n > 60);
  const due = Array.from({ length: count }, (_, n) => {
    const share = (n + chance.next()) / count;
    const paid = payments[Math.floor(share * payments.length)];
    return { pesewas: paid ? paid.after - paid.before : 0, ms: (paid?.at_ms ?? 0) + chance.between(1, 60) * MINUTE_MS };
  });
  let more = due.reduce((sum, { pesewas }) => sum + pesewas, 0);
  const movements: Movement[] = [];
  const reversals = new Set<Movement>();
  for (const one of made) {
    for (const { ms, pesewas } of due.filter(({ ms }) => ms <= one.at_ms && ms > (movements.at(-1)?.at_ms ?? 0))) {
      const last = movements.at(-1);
      if (!last) continue;
      more -= pesewas;
      const [before, id] = [last.after, last.id + 1];
      const reversal: Movement = { id, before, after: before - pesewas, at_ms: ms, arrived_ms: ms, sender: SENDER };
      reversals.add(reversal);
      movements.push(reversal);
    }
    movements.push({ ...one, before: one.before + more, after: one.after + more });
  }
  return { movements, reversals };
}

/** Returns the wallet's first movement. */
export function beginningOf({ movements: [first] }: Pick<Shop, 'movements'>): Movement {
  if (!first) throw new Error('The shop has no movements');
  return first;
}

/** Returns a function that gives the wallet's balance at a given time, in pesewas. */
export function balancesOf(movements: readonly Pick<Movement, 'before' | 'after' | 'at_ms'>[]): (ms: number) => number {
  let n = 0;
  return (ms) => {
    if ((movements[n]?.at_ms ?? 0) > ms) n = 0;
    for (let next = movements[n + 1]; next && next.at_ms <= ms; next = movements[n + 1]) n++;
    const { before, after, at_ms } = movements[n] ?? { before: 0, after: 0, at_ms: 0 };
    return at_ms > ms ? before : after;
  };
}

export const byArrival = (a: Movement, b: Movement): number => a.arrived_ms - b.arrived_ms;

/** Creates a wallet's payments, withdrawals and deposits from the bank. */
function movementsOf(chance: Chance, settings: ShopSettings): Movement[] {
  const { payments, isEmptied = false, paymentsADay = 250, stepPesewas = 1 } = settings;
  const movements: Movement[] = [];
  let [balance, madeMs, paid, lastId] = [chance.between(0, 50_000), OPENED_MS + 7 * HOUR_MS, 0, 0];
  const move = (pesewas: number) => {
    const id = Math.max(idAt(madeMs), lastId + 1);
    lastId = id;
    const before = balance;
    balance += stepPesewas === 1 ? pesewas : Math.trunc(pesewas / stepPesewas) * stepPesewas;
    const receipt = pesewas > 0 && { receipt_id: `receipt-${id}` };
    movements.push({ id, before, after: balance, at_ms: madeMs, arrived_ms: madeMs, sender: SENDER, ...receipt });
  };
  while (paid < payments) {
    madeMs = nextMoment(chance, madeMs, 250 / paymentsADay);
    const burst = chance.happens(0.08) ? chance.between(2, 5) : 1;
    for (let n = 0; n < burst && paid < payments; n++, paid++) {
      move(amountOf(chance));
      madeMs += chance.between(0, 300);
    }
    if (chance.happens(0.1)) {
      madeMs += chance.between(1, 5) * MINUTE_MS;
      const out = withdrawalOf(chance, balance, isEmptied ? 0 : chance.between(1, MAX_CHANGE));
      if (out > 0) move(-out);
    }
    if (chance.happens(0.005)) move(chance.between(5, 30) * 10_000);
  }
  return movements;
}

/** Returns the time of the next payment during opening hours, from 7:00 to 21:00. */
function nextMoment(chance: Chance, ms: number, quieter: number): number {
  const next = ms - Math.log(1 - chance.next()) * 4 * quieter * MINUTE_MS;
  const hour = (next % DAY_MS) / HOUR_MS;
  return hour < 21
    ? Math.floor(next)
    : (Math.floor(next / DAY_MS) + 1) * DAY_MS + 7 * HOUR_MS + chance.between(0, HOUR_MS);
}

/** Picks an amount, usually a round one. */
function amountOf(chance: Chance): number {
  const cedis = Math.ceil(10 * Math.exp(1.2 * (chance.next() + chance.next() + chance.next() - 1.5) * 2));
  return chance.happens(0.15) ? cedis * 100 + chance.between(1, 99) : cedis * 100;
}

/** Returns a withdrawal of everything or of a round amount, including the fee. */
function withdrawalOf(chance: Chance, balance: number, left: number): number {
  if (chance.happens(0.3)) return Math.max(0, balance - left);
  const wanted = Math.floor((balance * chance.next()) / 1000) * 1000;
  const fee = chance.happens(0.5) ? Math.min(2000, Math.round(wanted * 0.01)) : 0;
  const out = wanted + fee <= balance ? wanted + fee : wanted;
  return out === balance ? balance - Math.min(balance, left) : out;
}

/** Picks the delay from the network to the phone: median 8 s, 99 % within 107 s, at most 75 minutes. */
export function delayOf(chance: Chance): number {
  if (chance.happens(0.0003)) return chance.between(2, 75) * MINUTE_MS;
  const normal = Math.sqrt(-2 * Math.log(1 - chance.next())) * Math.cos(2 * Math.PI * chance.next());
  return Math.min(75 * MINUTE_MS, 8 * SECOND_MS * Math.exp(1.115 * normal));
}

function arrivalOf(
  chance: Chance,
  one: Movement,
  { offFor = 'nothing' }: ShopSettings,
  all: readonly Movement[],
): Movement {
  const at_ms = Math.floor(one.at_ms + delayOf(chance));
  const arrived_ms = at_ms + chance.between(500, 3000);
  const offFromMs = all[Math.floor(all.length / 2)]?.at_ms ?? 0;
  const onMs = offFromMs + DAY_MS;
  if (offFor === 'nothing' || at_ms < offFromMs || at_ms > onMs) return { ...one, at_ms, arrived_ms };
  const drainedMs = onMs + chance.between(0, 90) * SECOND_MS + chance.between(0, 999);
  return { ...one, at_ms: offFor === 'off' ? drainedMs : at_ms, arrived_ms: drainedMs + 1000 };
}
