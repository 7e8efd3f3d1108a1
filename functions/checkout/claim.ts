import { PublicError } from '../../shared/runtime/errors.ts';
import { http } from '../../shared/runtime/http.ts';
import { manifest } from '../manifest.ts';

export const handler = http(manifest['checkout/claim'], {}, async () => {
  throw new PublicError('not_found', 'Being written');
});
