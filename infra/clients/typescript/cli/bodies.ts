/**
 * Wraps a `fetch` that collects each listed event's raw body, keyed by event id. Parsing the body would round long
 * numbers.
 */
export function keepBodies(request: typeof fetch): {
  readonly fetch: typeof fetch;
  readonly bodies: Map<string, string>;
} {
  const bodies = new Map<string, string>();
  const keeping: typeof fetch = async (...given) => {
    const answer = await request(...given);
    const { data = '' } = valuesOf(await answer.clone().text());
    const { events = '' } = valuesOf(data);
    for (const event of Object.values(valuesOf(events))) {
      const { id, body } = valuesOf(event);
      if (id && body) bodies.set(JSON.parse(id), body);
    }
    return answer;
  };
  return { fetch: keeping, bodies };
}

const TOKENS = /"(?:[^"\\]|\\.)*(?:"|\\?$)|[{}[\],:]/g;

/** Returns the raw JSON of an object's values keyed by name, or of an array's values keyed by position. */
export function valuesOf(json: string): Record<string, string> {
  const values: Record<string, string> = {};
  let [depth, start, count, name] = [0, 0, 0, ''];
  for (const { 0: token, index = 0 } of json.matchAll(TOKENS)) {
    if (depth === 1 && token === ':') {
      name = json.slice(start, index).trim().slice(1, -1);
      start = index + 1;
    } else if (depth === 1 && /^[,\]}]$/.test(token)) {
      const text = json.slice(start, index).trim();
      if (text) values[name || count++] = text;
      start = index + 1;
      name = '';
    }
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
    if (depth === 1 && (token === '{' || token === '[') && start === 0) start = index + 1;
  }
  return values;
}
