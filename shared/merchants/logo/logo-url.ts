import type { Outside } from '../../runtime/outside/outside.ts';

/** Absolute, because it is used in the page's content security policy. */
export function logoUrl({ baseUrl }: Pick<Outside, 'baseUrl'>, id: string): string {
  return `${baseUrl}/logo/${id}`;
}
