import crypto, { type ScryptOptions } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

/**
 * Hashing a PIN or an erased number is deliberately slow (at least 50 ms). The test process uses fast hashes. Processes
 * started by tests hash as slowly as on AWS.
 */

/** Requested cost parameters of each hash in this worker. */
export const askedCosts: (ScryptOptions | undefined)[] = [];

const { scrypt, scryptSync } = crypto;
const QUICK: ScryptOptions = { N: 2 };

Object.assign(crypto, {
  scrypt: (...[password, salt, bytes, cost, done]: Parameters<typeof scrypt>) => {
    askedCosts.push(cost);
    scrypt(password, salt, bytes, QUICK, done);
  },
  scryptSync: (...[password, salt, bytes, cost]: Parameters<typeof scryptSync>) => {
    askedCosts.push(cost);
    return scryptSync(password, salt, bytes, QUICK);
  },
});
syncBuiltinESMExports();
