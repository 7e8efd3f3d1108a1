import crypto, { type ScryptOptions } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

/**
 * PINs and erased numbers are hashed slowly on purpose (50 ms and more). In the test process hashing is fast, because
 * hundreds of slow hashes would prove nothing more. Processes that tests start hash as slowly as on AWS.
 */

/** The cost parameters of every hash since this worker started. */
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
