/** What of JSON matters here: strings whole, and what opens, divides and closes. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],]/gs;

/**
 * A name that occurs twice in one object of a text that is JSON, if one does: readers disagree about which of the two counts. A few
 * milliseconds for the largest body.
 */
export function doubleKeyIn(json: string): string | undefined {
  /** The names of each object that is open; undefined for a list. */
  const open: (Set<string> | undefined)[] = [];
  let isName = false;
  for (const [token] of json.matchAll(TOKENS)) {
    const names = open.at(-1);
    if (token === '{') open.push(new Set());
    else if (token === '[') open.push(undefined);
    else if (token === '}' || token === ']') open.pop();
    else if (token !== ',' && isName && names) {
      const name = token.includes('\\') ? String(JSON.parse(token)) : token.slice(1, -1);
      if (names.has(name)) return name;
      names.add(name);
    }
    isName = token === '{' || token === ',';
  }
  return undefined;
}
