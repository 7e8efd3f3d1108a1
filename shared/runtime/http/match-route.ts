/**
 * Returns the decoded path parameters, or undefined if the path does not match. `route` uses API Gateway's notation:
 * `/a/{name}`.
 */
export function matchRoute(route: string, path: string): Record<string, string> | undefined {
  const wanted = route.split('/');
  const given = path.split('/');
  if (wanted.length !== given.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [n, segment] of wanted.entries()) {
    const value = given[n] ?? '';
    if (!segment.startsWith('{')) {
      if (segment !== value) return undefined;
    } else {
      if (value === '') return undefined;
      parameters[segment.slice(1, -1)] = decode(value);
    }
  }
  return parameters;
}

export function isWithin(area: string, path: string): boolean {
  return path === area || path.startsWith(`${area}/`);
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
