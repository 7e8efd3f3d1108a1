import crypto, { type ScryptOptions } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

/**
 * PINs and erased numbers are deliberately slow to hash (at least 50 ms). The test process hashes them quickly, because
 * hundreds of slow hashes would prove nothing more. Processes started by tests hash as slowly as on AWS.
 */

/** Cost parameters of every hash since this worker started. */
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
