// Declares the parts that we use of a package that is installed only for this command.
declare module '@cloud-copilot/iam-simulate' {
  export function runUnsafeSimulation(
    simulation: object,
    options: object,
  ): 'Allowed' | 'ExplicitlyDenied' | 'ImplicitlyDenied';
}
