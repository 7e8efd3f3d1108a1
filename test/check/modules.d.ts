// Declares the parts that we use of a package that is installed only for this command.
declare module '@redocly/openapi-core' {
  type Problem = object;
  export function createConfig(config: object): Promise<object>;
  export function lintFromString(given: { source: string; absoluteRef: string; config: object }): Promise<Problem[]>;
  export function getTotals(problems: readonly Problem[]): object;
  export function formatProblems(problems: readonly Problem[], options: { totals: object; version: string }): void;
}
