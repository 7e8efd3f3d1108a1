import * as z from 'zod';
import type { LogFields } from '../../shared/runtime/outside/log.ts';
import { HOUR_MS } from '../../shared/runtime/values/calendar.ts';
import { Kiosk } from './kiosk.ts';
import { chanceFrom } from './random.ts';
import { Simulation } from './simulation.ts';

/** The rows of a stage in the middle of its work, and the time (ms since 1970). */
export const StoredRows = z.object({ now_ms: z.number(), rows: z.array(z.record(z.string(), z.unknown())) });
export type StoredRows = z.infer<typeof StoredRows>;

/** Returns the rows that this release stores after some random steps. The seed determines everything. */
export async function storeRows({ seed = 11, steps = 150 } = {}): Promise<StoredRows> {
  const simulation = new Simulation(seed);
  await simulation.prepare();
  for (let n = 0; n < steps; n++) await simulation.step();
  return { now_ms: simulation.kiosk.nowMs, rows: simulation.kiosk.items() };
}

/** Unfinished work is requeued within this time, and work that fails becomes a dead letter. */
const HOURS = 24;

/** Finishes the work of a stage from its rows alone. Returns the errors that it logs, and the dead letters. */
export async function goOnWith({ now_ms, rows }: StoredRows): Promise<string[]> {
  const kiosk = new Kiosk(chanceFrom(1));
  const errors: string[] = [];
  const log = (event: string, { error }: LogFields = {}) => void (error && errors.push(`${event}: ${error}`));
  Object.assign(kiosk.outside, { log: { info: log, warn: log, error: log } });
  await kiosk.goOnAt(rows, now_ms);
  for (let hour = 0; hour < HOURS; hour++) {
    await kiosk.goOn();
    await kiosk.wait(HOUR_MS);
  }
  return [...errors, ...kiosk.queues.deadLetters.map(({ queue, body }) => `${queue}: ${body}`)];
}
