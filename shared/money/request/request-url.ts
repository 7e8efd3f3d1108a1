import type { Outside } from '../../runtime/outside/outside.ts';

// In a file of its own, so that housekeeping does not load all the code for payment requests.

export function requestUrl({ baseUrl }: Pick<Outside, 'baseUrl'>, slug: string): string {
  return `${baseUrl}/r/${slug}`;
}
