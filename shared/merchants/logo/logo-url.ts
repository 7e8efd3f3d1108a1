import type { Outside } from '../../runtime/outside/outside.ts';

/** Returns an absolute URL, as required by the content security policy. */
export function logoUrl({ baseUrl }: Pick<Outside, 'baseUrl'>, id: string): string {
  return `${baseUrl}/logo/${id}`;
}
