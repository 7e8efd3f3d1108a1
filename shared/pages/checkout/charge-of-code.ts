import { type Charge, getChargeByAccessCode } from '../../money/charge/charge.table.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import { PublicError } from '../../runtime/values/errors.ts';

/** Finds the charge with exactly this checkout code. @throws PublicError `not_found`. */
export async function chargeOfCode(outside: Outside, accessCode: string): Promise<Charge> {
  const charge = await getChargeByAccessCode(outside, accessCode);
  if (charge) return charge;
  throw new PublicError(
    'not_found',
    'No charge has this checkout code. Use the full authorization_url returned by initialize.',
  );
}
