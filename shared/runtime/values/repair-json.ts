import { jsonFault } from './json-fault.ts';

/**
 * Matches a JSON string that may contain raw line feeds, or an unterminated string up to the end. Without the second
 * alternative, matching 64 KB takes 15 seconds.
 */
const STRING = /"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)/gs;
/** Matches an escape sequence, or a control character, which JSON forbids in strings. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the regex must match control characters.
const ESCAPE_OR_CONTROL = /\\.|[\0-\x1f]/gs;

/**
 * Escapes raw line feeds in strings, which some forwarding apps fail to do. Returns undefined if the JSON was valid or
 * cannot be repaired. Rejects duplicate names, because a text with unescaped quotes could inject fields.
 */
export function repairJson(text: string): string | undefined {
  if (isJson(text)) return undefined;
  const repaired = text.replace(STRING, (string) => string.replace(ESCAPE_OR_CONTROL, escaped));
  return repaired !== text && isJson(repaired) && !jsonFault(repaired) ? repaired : undefined;
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
