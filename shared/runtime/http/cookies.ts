/** A cookie's value in a request; undefined where it was not sent, or empty. */
export function cookieOf(cookies: readonly string[], name: string): string | undefined {
  const [found] = cookies.filter((cookie) => cookie.startsWith(`${name}=`));
  return found?.slice(name.length + 1) || undefined;
}

/**
 * A cookie that no script reads and no other site sends along, but for links. Over https its name has the prefix that lets no
 * other host set it; http is a developer's own machine, where browsers do not take that prefix.
 */
export function cookieName(baseUrl: string, name: string): string {
  return baseUrl.startsWith('https:') ? `__Host-${name}` : name;
}

/** As in `Set-Cookie`. `maxAgeSeconds` of 0 removes it. */
export function setCookie(baseUrl: string, name: string, value: string, maxAgeSeconds: number): string {
  const secure = baseUrl.startsWith('https:') ? '; Secure' : '';
  return `${cookieName(baseUrl, name)}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure}`;
}
