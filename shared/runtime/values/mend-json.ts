import { jsonFault } from './json-fault.ts';

/**
 * Matches a JSON string that may contain raw line feeds. An unterminated string extends to the end of the input.
 * Otherwise, the regex would start at every quote in it, which takes 15 seconds for 64 KB.
 */
const STRING = /"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)/gs;
/** Matches an escape sequence, which is kept, or a control character, which JSON forbids in strings. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
const ESCAPE_OR_CONTROL = /\\.|[\0-\x1f]/gs;

/**
 * Escapes raw line feeds in strings, because some forwarding apps do not. Returns undefined if the JSON is already
 * valid or has any other error. Rejects duplicate names, because a text could inject its own fields if an app does not
 * escape quotes either.
 */
export function mendJson(text: string): string | undefined {
  if (isJson(text)) return undefined;
  const mended = text.replace(STRING, (string) => string.replace(ESCAPE_OR_CONTROL, escaped));
  return mended !== text && isJson(mended) && !jsonFault(mended) ? mended : undefined;
}

function escaped(found: string): string {
  return found.startsWith('\\') ? found : `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
