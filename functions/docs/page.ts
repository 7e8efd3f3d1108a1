import { referencePage } from '../../shared/docs/page.ts';
import { http } from '../../shared/runtime/http/http.ts';
import { manifest } from '../manifest.ts';

/** The API reference for people. */
export const handler = http(manifest['docs/page'], {}, async (_request, outside) => referencePage(outside));
