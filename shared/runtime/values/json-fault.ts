import type { FieldError } from './errors.ts';

const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)|[{}[\],]/gs;

/** Maximum nesting depth. Deeper bodies would overflow the stack in recursive code. */
export const MAX_JSON_LEVELS = 200;
const MAX_NAME_CHARACTERS = 40;

/**
 * Finds problems that make valid JSON unsafe: duplicate names, which parsers resolve differently, or nesting deeper
 * than `MAX_JSON_LEVELS`.
 */
export function jsonFault(json: string): FieldError | undefined {
  const open: (Set<string> | undefined)[] = [];
  let isName = false;
  for (const [token] of json.matchAll(TOKENS)) {
    const names = open.at(-1);
    if (token === '{') open.push(new Set());
    else if (token === '[') open.push(undefined);
    else if (token === '}' || token === ']') open.pop();
    else if (token !== ',' && isName && names) {
      const name = token.includes('\\') ? String(JSON.parse(token)) : token.slice(1, -1);
      if (names.has(name)) {
        const field = name.slice(0, MAX_NAME_CHARACTERS) || 'body';
        return { field, message: 'occurs twice in one object but must appear only once' };
      }
      names.add(name);
    }
    if (open.length > MAX_JSON_LEVELS)
      return { field: 'body', message: `must not be nested more than ${MAX_JSON_LEVELS} levels deep` };
    isName = token === '{' || token === ',';
  }
  return undefined;
}
