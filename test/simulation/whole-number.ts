import { InvalidArgumentError } from 'commander';

/** Parses an integer option. */
export function wholeNumber(written: string): number {
  if (/^[1-9]\d{0,8}$/.test(written)) return Number(written);
  throw new InvalidArgumentError('Enter a whole number of at least 1.');
}
