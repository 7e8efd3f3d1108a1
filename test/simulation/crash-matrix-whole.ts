/** `npm run prove -- crash-matrix`: every fault at every call, of which `npm test` takes one in 25. Takes Vitest's arguments: `-- -t 'a text to 50'`. */
process.env.PROOFS = 'whole';
process.argv.push('test/simulation/crash-matrix-');
await import('../run.ts');
