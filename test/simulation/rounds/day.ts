import { HOUR_MS } from '../../../shared/runtime/values/calendar.ts';
import { playAttacker, UNTRUE } from './attackers.ts';
import { playCustomer } from './customers.ts';
import { IDS_IN_A_MINUTE, Rounds } from './rounds.ts';

/** A day at a shop with honest customers and attackers, through the real handlers. */

const OPEN_MS = 10 * HOUR_MS;

/** Simulates a day with this many honest customers and a fifth as many attackers. @throws Violation */
export async function playDay(seed: number, customers: number): Promise<Score> {
  const rounds = new Rounds(seed);
  await rounds.open();
  for (let n = 0; n < customers; n++) {
    rounds.in(rounds.chance.between(0, OPEN_MS), () => playCustomer(rounds, `customer ${n}`));
    if (n % 5 === 0) rounds.in(rounds.chance.between(0, OPEN_MS), () => playAttacker(rounds, `attacker ${n}`));
  }
  await rounds.play();
  return scoreOf(rounds);
}

export interface Score {
  customers: number;
  byItself: number;
  byClaim: number;
  waitsForAPerson: number;
  attackers: number;
  withUntrueTexts: number;
  goodsOfAttackers: string[];
  goodsByOthersMoney: string[];
  guesses: { made: number; checked: number };
  honestPaused: number;
}

function scoreOf({ charges, ownerOf, guesses, honestPaused, goodsByOthersMoney }: Rounds): Score {
  const owners = [...new Set(ownerOf.values())];
  const honest = owners.filter((owner) => owner.startsWith('customer'));
  const paidOf = (owner: string) =>
    charges.filter(({ reference, state }) => state === 'success' && ownerOf.get(reference) === owner);
  const isClaimed = (owner: string) =>
    paidOf(owner).some(({ payment }) => payment?.matched_by === 'claim' || payment?.matched_by === 'phone');
  const paid = honest.filter((owner) => paidOf(owner).length > 0);
  const claimed = paid.filter(isClaimed).length;
  return {
    customers: honest.length,
    byItself: paid.length - claimed,
    byClaim: claimed,
    waitsForAPerson: honest.length - paid.length,
    attackers: owners.length - honest.length,
    withUntrueTexts: owners.filter((owner) => owner.endsWith(UNTRUE)).length,
    goodsOfAttackers: owners.filter((owner) => !owner.startsWith('customer') && paidOf(owner).length > 0),
    goodsByOthersMoney,
    guesses,
    honestPaused,
  };
}

export function sayScore({
  customers,
  byItself,
  byClaim,
  waitsForAPerson,
  attackers,
  withUntrueTexts,
  goodsOfAttackers,
  guesses,
  honestPaused,
}: Score): string {
  const share = (count: number) => `${((100 * count) / customers).toFixed(1)} %`;
  return `${customers} customers, ${share(byItself)} confirmed by itself, ${share(byClaim)} by the customer’s claim, ${share(waitsForAPerson)} wait for a person; ${attackers} attackers (${withUntrueTexts} ${UNTRUE}), goods for ${goodsOfAttackers.length}; of ${guesses.made} claims with a made-up id ${guesses.checked} were compared (a payment whose minute is known: ${((100 * guesses.checked) / IDS_IN_A_MINUTE).toFixed(2)} % in all), ${honestPaused} honest claims told to wait because of others`;
}
