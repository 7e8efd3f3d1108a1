import { Simulation } from './simulation.ts';

/** Runs one seed to its end. @throws Violation, or whatever the service should not have thrown. */
export async function runSeed(seed: number, operations: number): Promise<void> {
  const simulation = new Simulation(seed);
  await simulation.prepare();
  for (let n = 0; n < operations; n++) await simulation.step();
  await simulation.settle();
}
