import type { Clock, Outside } from '../../runtime/outside/outside.ts';

// Apart from what makes and shows requests: housekeeping needs no more than this.

export function today({ now }: Clock): string {
  return new Date(now()).toISOString().slice(0, 10);
}

export function requestUrl({ baseUrl }: Pick<Outside, 'baseUrl'>, slug: string): string {
  return `${baseUrl}/r/${slug}`;
}
