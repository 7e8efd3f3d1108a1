/** Instructions from the command (`main.ts`) to the process that tries a group's mutants (`runner.ts`). */
export interface Plan {
  /** Instrumented code by file URL. It contains every mutant, and a switch selects the active one. */
  readonly sources: Readonly<Record<string, string>>;
  readonly tests: readonly string[];
  readonly mutants: readonly PlannedMutant[];
  /** Loads the code anew for each mutant and runs all tests. */
  readonly runsAll: boolean;
  /** File to which each result is appended as a line of JSON, so that a new process can continue. */
  readonly results: string;
}

interface PlannedMutant {
  readonly id: string;
  readonly url: string;
}

export interface Result {
  readonly id: string;
  readonly status: 'started' | 'killed' | 'timed out' | 'survived' | 'not covered';
}

/**
 * Longest time that a test may take. A mutant that makes a test slower than this counts as an endless loop. Generous,
 * because the machine may be busy.
 */
export const TEST_TIMEOUT_MS = 60_000;
