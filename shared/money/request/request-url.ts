import type { Outside } from '../../runtime/outside/outside.ts';

// Apart from what makes and shows requests: housekeeping needs no more than this.

export function requestUrl({ baseUrl }: Pick<Outside, 'baseUrl'>, slug: string): string {
  return `${baseUrl}/r/${slug}`;
}
