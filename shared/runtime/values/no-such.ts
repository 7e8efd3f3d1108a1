import { PublicError } from './errors.ts';

/**
 * Refuses an operator's command that names something that does not exist. The command line and the dashboard each add
 * where to look, depending on `noun`.
 */
export class NoSuch extends PublicError {
  readonly noun: string;
  constructor(noun: string, message: string) {
    super('not_found', message);
    this.noun = noun;
  }
}
