import type { Answer } from '../../../runtime/http/answer.ts';
import { PublicError } from '../../../runtime/values/errors.ts';
import { assetAnswer } from '../assets.ts';
import type { Visit } from '../visit.ts';

/** A style or a script. */
export async function showAsset({ path, headers }: Visit<'hash' | 'name'>): Promise<Answer> {
  const found = assetAnswer(path.name, path.hash, headers);
  if (!found) throw new PublicError('not_found', 'There is no such file.');
  return found;
}
