import type { Outside } from '../../runtime/outside/outside.ts';

/** Where a logo is, by its id: whole, because a page's policy names it. */
export function logoUrl({ baseUrl }: Pick<Outside, 'baseUrl'>, id: string): string {
  return `${baseUrl}/logo/${id}`;
}
