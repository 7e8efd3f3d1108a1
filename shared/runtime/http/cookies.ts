/** The value of a request's cookie; undefined if absent or empty. */
export function cookieOf(cookies: readonly string[], name: string): string | undefined {
  const [found] = cookies.filter((cookie) => cookie.startsWith(`${name}=`));
  return found?.slice(name.length + 1) || undefined;
}

/**
 * The name of a session cookie. Over https it has the `__Host-` prefix, so no other host can set the cookie. Browsers
 * reject that prefix over http, which only a developer's machine uses.
 */
export function cookieName(baseUrl: string, name: string): string {
  return baseUrl.startsWith('https:') ? `__Host-${name}` : name;
}

/**
 * A `Set-Cookie` value; scripts cannot read the cookie, and other sites only send it along links. `maxAgeSeconds` 0
 * removes it.
 */
export function setCookie(baseUrl: string, name: string, value: string, maxAgeSeconds: number): string {
  const secure = baseUrl.startsWith('https:') ? '; Secure' : '';
  return `${cookieName(baseUrl, name)}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure}`;
}
