// Declares the parts that we use of a package that is installed only for this command.
declare module '@stryker-mutator/instrumenter' {
  interface Position {
    readonly line: number;
    readonly column: number;
  }
  interface Range {
    readonly start: Position;
    readonly end: Position;
  }
  interface Mutant {
    readonly id: string;
    readonly fileName: string;
    /** Lines count from 0. */
    readonly location: Range;
    readonly replacement: string;
    readonly status?: 'Ignored';
  }
  export class Instrumenter {
    constructor(logger: object);
    instrument(
      files: readonly {
        readonly name: string;
        readonly mutate: boolean | readonly Range[];
        readonly content: string;
      }[],
      options: object,
    ): Promise<{
      readonly files: readonly { readonly name: string; readonly content: string }[];
      readonly mutants: readonly Mutant[];
    }>;
  }
}

// Vitest ships this entry point without types.
declare module 'vitest/internal/browser' {
  import type { RunnerTestFile, TestRunner } from 'vitest';
  export function startTests(
    files: readonly { readonly filepath: string; readonly testIds?: string[] | undefined }[],
    runner: TestRunner,
  ): Promise<RunnerTestFile[]>;
}
