import type { Outside } from '../../runtime/outside/outside.ts';

// In a file of its own, because this is all that housekeeping needs.

export function requestUrl({ baseUrl }: Pick<Outside, 'baseUrl'>, slug: string): string {
  return `${baseUrl}/r/${slug}`;
}
