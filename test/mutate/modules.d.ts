declare global {
  /** State of the instrumented code. Its names are Stryker's. */
  var __stryker__:
    | {
        activeMutant?: string | undefined;
        currentTestId?: string | undefined;
        hitCount?: number;
        hitLimit?: number;
        /** Number of times that each mutant was reached, while modules loaded and by each test. */
        readonly mutantCoverage: {
          readonly static: Readonly<Record<string, number>>;
          readonly perTest: Readonly<Record<string, Readonly<Record<string, number>>>>;
        };
      }
    | undefined;
}

export {};
