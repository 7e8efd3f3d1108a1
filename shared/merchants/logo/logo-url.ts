import type { Outside } from '../../runtime/outside/outside.ts';

/** Absolute, because the page's content security policy contains it. */
export function logoUrl({ baseUrl }: Pick<Outside, 'baseUrl'>, id: string): string {
  return `${baseUrl}/logo/${id}`;
}
