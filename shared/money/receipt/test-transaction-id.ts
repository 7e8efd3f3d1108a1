import { type Network, networks } from '../../ghana/network.ts';

const PREFIX = 'TEST';

/** The id of a payment that only a test has. The networks' ids are digits alone, so none of theirs is ever one of these. */
export function newTestTransactionId(network: Network, randomBytes: (length: number) => Buffer): string {
  const { digits } = networks[network].transactionId;
  const number = randomBytes(8).readBigUInt64BE() % 10n ** BigInt(digits);
  return testTransactionId(String(number).padStart(digits, '0'));
}

/** The test's id with these digits. */
export function testTransactionId(digits: string): string {
  return PREFIX + digits;
}

export function isTestTransactionId(id: string): boolean {
  return id.startsWith(PREFIX);
}
