import { PublicError } from './errors.ts';

/**
 * Thrown if an operator's command names something that does not exist. The command line and the dashboard each add
 * where to find it, depending on `noun`.
 */
export class NoSuch extends PublicError {
  readonly noun: string;
  constructor(noun: string, message: string) {
    super('not_found', message);
    this.noun = noun;
  }
}
