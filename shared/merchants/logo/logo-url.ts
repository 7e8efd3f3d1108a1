import type { Outside } from '../../runtime/outside/outside.ts';

/** Returns an absolute URL, because it is used in the page's content security policy. */
export function logoUrl({ baseUrl }: Pick<Outside, 'baseUrl'>, id: string): string {
  return `${baseUrl}/logo/${id}`;
}
