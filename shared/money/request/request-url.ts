import type { Outside } from '../../runtime/outside/outside.ts';

// A separate file, so that housekeeping does not load the rest.

export function requestUrl({ baseUrl }: Pick<Outside, 'baseUrl'>, slug: string): string {
  return `${baseUrl}/r/${slug}`;
}
