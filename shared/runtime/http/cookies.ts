export function cookieOf(cookies: readonly string[], name: string): string | undefined {
  const [found] = cookies.filter((cookie) => cookie.startsWith(`${name}=`));
  return found?.slice(name.length + 1) || undefined;
}

/** Returns a session cookie's name. Over https, the `__Host-` prefix prevents other hosts from setting the cookie. */
export function cookieName(baseUrl: string, name: string): string {
  return baseUrl.startsWith('https:') ? `__Host-${name}` : name;
}

/** Builds the `Set-Cookie` header of an HttpOnly, SameSite=Lax cookie. A `maxAgeSeconds` of 0 removes the cookie. */
export function setCookie(baseUrl: string, name: string, value: string, maxAgeSeconds: number): string {
  const secure = baseUrl.startsWith('https:') ? '; Secure' : '';
  return `${cookieName(baseUrl, name)}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure}`;
}
