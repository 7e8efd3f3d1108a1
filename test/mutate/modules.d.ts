// Declares the parts that we use of a package that is installed only for this command.
declare module '@stryker-mutator/core' {
  interface Position {
    readonly line: number;
    readonly column: number;
  }
  export class Stryker {
    constructor(options: object);
    runMutationTest(): Promise<
      readonly {
        readonly fileName: string;
        readonly location: { readonly start: Position; readonly end: Position };
        readonly replacement?: string;
        readonly status: string;
      }[]
    >;
  }
}
