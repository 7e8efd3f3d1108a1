/**
 * `npm run prove -- crash-matrix` tests every fault at every call. Accepts Vitest's arguments, such as `-- -t 'a text
 * to 50'`.
 */
process.env.PROOFS = 'whole';
process.argv.push('test/simulation/crash-matrix-');
await import('../run.ts');
