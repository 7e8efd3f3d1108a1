import crypto, { type ScryptOptions } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

/*
 * A PIN and an erased number are hashed slowly on purpose, for 50 ms of a processor and more. What the tests of this process hash is hashed
 * quickly: hundreds of slow hashes prove what hundreds of quick ones do. What the tests start as a process of its own is as slow as on AWS.
 */

/** What the hashes since the start of this worker would have cost, each as it was asked for. */
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
