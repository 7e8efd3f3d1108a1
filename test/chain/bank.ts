import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../shared/runtime/values/calendar.ts';
import type { Movement } from '../../shared/wallets/chain/chain.ts';
import type { Push } from '../../shared/wallets/chain/push.ts';
import { type Chance, chanceFrom } from '../simulation/random.ts';
import { ownerOf } from './honest.ts';
import { idAt } from './network.ts';
import { keyOf, type Owner, Play, type Text } from './play.ts';
import { beginningOf, byArrival, type Shop, shopOf } from './shop.ts';

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
  /** True if a forger imitates each bank text within an hour. */
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

/** Simulates a shop that transfers its takings to the bank once a day. */
export async function playBank(seed: number, settings: BankSettings): Promise<BankScore> {
  const chance = chanceFrom(seed);
  const shop = shopOf(chance, { payments: settings.payments });
  const honest = withPushes(chance, shop);
  const forged = settings.isForged ? forgedBeside(chance, honest) : [];
  const play = await new Play(bankerOf(chance, shop, settings)).begin(beginningOf(shop));
  for (const text of [...honest, ...forged].sort(byArrival)) await play.arrive(text);
  await play.passTo(play.outside.now() + 12 * HOUR_MS);
  const paid = honest.filter(({ receipt_id, push }) => receipt_id !== undefined && !push);
  const isStolen = (one: Text) => !one.push && one.after - one.before > LIMITS_PESEWAS.payment;
  return {
    payments: paid.length,
    ...waitsOf(play, paid),
    pushes: honest.filter(({ push }) => push).length,
    questions: play.asked.length,
    stolen: forged.filter((one) => isStolen(one) && play.provenMs.has(keyOf(one))).length,
  };
}

/** Returns an owner who usually answers at once after a transfer to the bank, while the wallet is open. */
export function bankerOf(chance: Chance, shop: Shop, { answersAfterMs }: Pick<BankSettings, 'answersAfterMs'>): Owner {
  const isInHand = () => chance.happens(IN_HAND);
  return {
    ...ownerOf(shop),
    answersAfterMs: (question) =>
      'push' in question && isInHand() ? chance.between(20, 180) * SECOND_MS : answersAfterMs,
  };
}

/** Adds each day's transfer to the bank, in the afternoon. */
export function withPushes(chance: Chance, { arrivals }: Shop): Text[] {
  const days = Map.groupBy(arrivals, ({ at_ms }) => Math.floor(at_ms / DAY_MS));
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

function waitsOf(play: Play, paid: readonly Movement[]): Pick<BankScore, 'waited' | 'unproven'> {
  const used = new Map<number, number>();
  let [waited, unproven] = [0, 0];
  for (const text of paid.toSorted(byArrival)) {
    const provenMs = play.provenMs.get(keyOf(text)) ?? Number.POSITIVE_INFINITY;
    if (provenMs - text.arrived_ms <= 2 * MINUTE_MS) continue;
    unproven++;
    const [day, pesewas] = [Math.floor(text.arrived_ms / DAY_MS), text.after - text.before];
    const spent = used.get(day) ?? 0;
    if (pesewas <= LIMITS_PESEWAS.payment && spent + pesewas <= LIMITS_PESEWAS.day) used.set(day, spent + pesewas);
    else waited++;
  }
  return { waited, unproven };
}
