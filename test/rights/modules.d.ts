// What is used of a package that only this command's npm ci brings: the compiler needs no more.
declare module '@cloud-copilot/iam-simulate' {
  export function runUnsafeSimulation(
    simulation: object,
    options: object,
  ): 'Allowed' | 'ExplicitlyDenied' | 'ImplicitlyDenied';
}
