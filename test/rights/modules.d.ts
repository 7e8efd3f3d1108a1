// Declares only the used parts of a package that only this command's npm ci installs.
declare module '@cloud-copilot/iam-simulate' {
  export function runUnsafeSimulation(
    simulation: object,
    options: object,
  ): 'Allowed' | 'ExplicitlyDenied' | 'ImplicitlyDenied';
}
