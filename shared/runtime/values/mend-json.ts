import { jsonFault } from './json-fault.ts';

/**
 * A JSON string that may contain raw line feeds. An unterminated string extends to the end of the text; otherwise each
 * quote in it would be tried as a start, which takes 15 seconds for 64 KB.
 */
const STRING = /"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)/gs;
/** An escape sequence, which stays, or a control character, which JSON forbids in strings. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
const ESCAPE_OR_CONTROL = /\\.|[\0-\x1f]/gs;

/**
 * Escapes raw line feeds in the strings of an app's JSON. Undefined if the JSON is valid already, or wrong in any other
 * way. Duplicate names are refused too: in an app that does not escape quotes either, a text could add fields of its
 * own.
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
