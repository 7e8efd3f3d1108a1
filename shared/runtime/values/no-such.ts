import { PublicError } from './errors.ts';

/**
 * What an operator named does not exist. Where to look for it differs between a command line and a page, so the code that shows the
 * message adds that, by the `noun`.
 */
export class NoSuch extends PublicError {
  readonly noun: string;
  constructor(noun: string, message: string) {
    super('not_found', message);
    this.noun = noun;
  }
}
