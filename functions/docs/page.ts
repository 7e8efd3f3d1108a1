import { referencePage } from '../../shared/openapi/page.ts';
import { http } from '../../shared/runtime/http.ts';
import { manifest } from '../manifest.ts';

/** The API reference for people. */
export const handler = http(manifest['docs/page'], {}, async (_request, outside) => referencePage(outside));
