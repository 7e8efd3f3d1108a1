import type { Outside } from '../../runtime/outside/outside.ts';

/** Absolute, because a page's content policy names it. */
export function logoUrl({ baseUrl }: Pick<Outside, 'baseUrl'>, id: string): string {
  return `${baseUrl}/logo/${id}`;
}
