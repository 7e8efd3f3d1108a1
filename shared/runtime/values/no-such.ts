import { PublicError } from './errors.ts';

/**
 * Thrown if an operator's command names something that does not exist. `noun` selects the hint on where to find valid
 * names.
 */
export class NoSuch extends PublicError {
  readonly noun: string;
  constructor(noun: string, message: string) {
    super('not_found', message);
    this.noun = noun;
  }
}
