import type { Outside } from '../../../runtime/outside/outside.ts';
import { SIGN_IN } from '../addresses.ts';

/** The address that a person makes their passkey at, once. */
export function invitationUrl({ baseUrl }: Pick<Outside, 'baseUrl'>, token: string): string {
  return `${baseUrl}${SIGN_IN}/invitation/${token}`;
}
