import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../shared/runtime/values/calendar.ts';
import type { Movement } from '../../shared/wallets/chain/chain.ts';
import type { Chance } from '../simulation/random.ts';
import { idAt } from './network.ts';

const SECOND_MS = 1000;
const OPENED_MS = Date.parse('2026-06-01T00:00:00Z');
const SENDER = 'mobilemoney';
/** Pesewas. */
const MAX_CHANGE = 500;

/** What happens to the texts of a shop's wallet. */
export interface ShopSettings {
  readonly payments: number;
  /** Of each text, whether it never arrives. */
  readonly lost?: (n: number) => boolean;
  /** For a day the phone hears nothing, or cannot tell it; then everything comes at once, in any order. */
  readonly offFor?: 'nothing' | 'off' | 'offline';
  readonly phones?: 1 | 2;
  /** Three withdrawals of ten take everything. Without it they leave some change: of a real wallet's 1,337 three took everything. */
  readonly isEmptied?: boolean;
  /** 250 where nothing is said. */
  readonly paymentsADay?: number;
  /** All that moves is a multiple of it. */
  readonly stepPesewas?: number;
  /** So many payments in thirty days are taken back, minutes to an hour later, and no text says so. */
  readonly reversalsAMonth?: number | undefined;
}

/** Texts of a shop's wallet. */
export interface Shop {
  /** Every movement, in its order: what the network knows. */
  readonly movements: readonly Movement[];
  /** Those of them by which a payment was taken back. */
  readonly reversals: ReadonlySet<Movement>;
  /** The texts that reach us, in the order in which they do. Of a movement they say the same, but for the times. */
  readonly arrivals: readonly Movement[];
}

/** A shop that takes some 250 payments a day, by its seed. */
export function shopOf(chance: Chance, settings: ShopSettings): Shop {
  const made = movementsOf(chance, settings);
  const { movements, reversals } = withReversals(chance, made, settings.reversalsAMonth);
  const arrivals = movements
    .filter((one, n) => !reversals.has(one) && !settings.lost?.(n))
    .flatMap((one) => Array.from({ length: settings.phones ?? 1 }, () => one))
    .map((one) => arrivalOf(chance, one, settings, movements));
  return { movements, reversals, arrivals: arrivals.sort(byArrival) };
}

/** Payments taken back in silence, spread over the whole time. The wallet holds so much more from the start that nothing is missing. */
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

export const byArrival = (a: Movement, b: Movement): number => a.arrived_ms - b.arrived_ms;

/** What moves in a wallet: payments, withdrawals of which many leave nothing, and money from the bank. */
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

/** The moment of the next payment while the shop is open: from 7 to 21 o'clock. */
function nextMoment(chance: Chance, ms: number, quieter: number): number {
  const next = ms - Math.log(1 - chance.next()) * 4 * quieter * MINUTE_MS;
  const hour = (next % DAY_MS) / HOUR_MS;
  return hour < 21
    ? Math.floor(next)
    : (Math.floor(next / DAY_MS) + 1) * DAY_MS + 7 * HOUR_MS + chance.between(0, HOUR_MS);
}

/** Mostly round ones, as prices are. */
function amountOf(chance: Chance): number {
  const cedis = Math.ceil(10 * Math.exp(1.2 * (chance.next() + chance.next() + chance.next() - 1.5) * 2));
  return chance.happens(0.15) ? cedis * 100 + chance.between(1, 99) : cedis * 100;
}

/** With its fee: everything, or a round amount. */
function withdrawalOf(chance: Chance, balance: number, left: number): number {
  if (chance.happens(0.3)) return Math.max(0, balance - left);
  const wanted = Math.floor((balance * chance.next()) / 1000) * 1000;
  const fee = chance.happens(0.5) ? Math.min(2000, Math.round(wanted * 0.01)) : 0;
  const out = wanted + fee <= balance ? wanted + fee : wanted;
  return out === balance ? balance - Math.min(balance, left) : out;
}

/** From network to phone: median 8 s, 99 of 100 within 107 s, the longest 75 minutes. From phone to us it is seconds. */
function delayOf(chance: Chance): number {
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
