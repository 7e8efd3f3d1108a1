import type { Outside } from '../../runtime/outside/outside.ts';

/**
 * Whether a form was sent by a page of this service. Browsers since 2023 say so in a header that no page can set; older ones name
 * the page's origin.
 */
export function isSameOrigin(
  { baseUrl }: Pick<Outside, 'baseUrl'>,
  { 'sec-fetch-site': site, origin }: Readonly<Record<string, string | undefined>>,
): boolean {
  return site === undefined ? origin === new URL(baseUrl).origin : site === 'same-origin';
}
