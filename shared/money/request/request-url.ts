import type { Outside } from '../../runtime/outside/outside.ts';

// A file of its own, because housekeeping needs only this.

export function requestUrl({ baseUrl }: Pick<Outside, 'baseUrl'>, slug: string): string {
  return `${baseUrl}/r/${slug}`;
}
