import type { Outside } from '../../runtime/outside/outside.ts';

// A separate file, because housekeeping needs only this function.

export function requestUrl({ baseUrl }: Pick<Outside, 'baseUrl'>, slug: string): string {
  return `${baseUrl}/r/${slug}`;
}
