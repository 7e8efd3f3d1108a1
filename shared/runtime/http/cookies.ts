export function cookieOf(cookies: readonly string[], name: string): string | undefined {
  const [found] = cookies.filter((cookie) => cookie.startsWith(`${name}=`));
  return found?.slice(name.length + 1) || undefined;
}

/**
 * Returns the name of a session cookie. Over https it has the `__Host-` prefix, which prevents other hosts from setting
 * the cookie. Browsers reject the prefix over http, which is only used for local development.
 */
export function cookieName(baseUrl: string, name: string): string {
  return baseUrl.startsWith('https:') ? `__Host-${name}` : name;
}

/**
 * Builds a `Set-Cookie` value. Scripts cannot read the cookie, and a cross-site request carries the cookie only if the
 * user follows a link. A `maxAgeSeconds` of 0 removes the cookie.
 */
export function setCookie(baseUrl: string, name: string, value: string, maxAgeSeconds: number): string {
  const secure = baseUrl.startsWith('https:') ? '; Secure' : '';
  return `${cookieName(baseUrl, name)}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure}`;
}
