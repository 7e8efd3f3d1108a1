import { changeLinks, changeShop } from './insider.ts';
import { checkAlways } from './invariants.ts';
import { Simulation } from './simulation.ts';

/** Runs one seed to the end. @throws Violation, or any unexpected error of the service. */
export async function runSeed(seed: number, operations: number): Promise<void> {
  const simulation = new Simulation(seed);
  await simulation.prepare();
  for (let n = 0; n < operations; n++) await simulation.step();
  await simulation.settle();
}

/** Actions of the shops' people, and the results of these actions. */
export interface InsiderFigures {
  readonly proposed: number;
  readonly approved: number;
  readonly ended: number;
  readonly atOnce: number;
  readonly charges: number;
  /** Number of changes to links. */
  readonly links: number;
}

/**
 * Runs a seed in which people change payment destinations while charges are created. @throws the errors of `runSeed`.
 */
export async function runInsider(seed: number, operations: number): Promise<InsiderFigures> {
  const simulation = new Simulation(seed);
  await simulation.prepare();
  const { kiosk, chance, people } = simulation;
  for (let n = 0; n < operations; n++) {
    await chance.pick([
      ...Array.from({ length: 6 }, () => () => changeShop(kiosk, chance, people)),
      () => changeLinks(kiosk, chance, people),
      () => changeLinks(kiosk, chance, people),
      () => simulation.initialize(),
      () => kiosk.wait(chance.between(1, 4 * 3_600_000)),
    ])();
    checkAlways(kiosk);
  }
  const items = kiosk.memory.items();
  const noted = (...actions: string[]) => items.filter(({ action }) => actions.includes(String(action))).length;
  return {
    proposed: noted('change propose'),
    approved: noted('change approve'),
    ended: noted('change refuse', 'change withdraw'),
    atOnce: noted('merchant set'),
    charges: items.filter(({ sk }) => sk === 'TRANSACTION').length,
    links: noted('link change', 'codes add', 'codes remove'),
  };
}

/** Describes the combined figures of several runs. */
export function insiderInWords(runs: readonly InsiderFigures[]): string {
  const sum = (name: keyof InsiderFigures) => runs.reduce((total, one) => total + one[name], 0);
  return `insider: ${sum('proposed')} changes proposed, ${sum('approved')} approved, ${sum('ended')} refused or withdrawn, ${sum('atOnce')} made at once, ${sum('links')} prices and stocks changed, ${sum('charges')} charges; shown without an owner`;
}
