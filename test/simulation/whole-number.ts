import { InvalidArgumentError } from 'commander';

/** Parses an integer option. */
export function wholeNumber(written: string): number {
  if (/^[1-9]\d{0,8}$/.test(written)) return Number(written);
  throw new InvalidArgumentError('Give a whole number from 1.');
}
