import { jsonFault } from './json-fault.ts';

/**
 * A JSON string with whatever is between its quotes, raw line feeds too. One that never ends reaches to the end of the text: if it fitted
 * nothing, each quote within it would be tried as a beginning, which takes 15 seconds for 64 KB.
 */
const STRING = /"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)/gs;
/** An escape, which stays, or a control character that JSON does not allow in a string. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
const ESCAPE_OR_CONTROL = /\\.|[\0-\x1f]/gs;

/**
 * JSON of an app that forgot to escape line feeds in its strings, with these escaped. Undefined where it is valid as it is, or anything else is
 * wrong with it: an app that does not escape quotes either would let a text add fields of its own, so a name may not be there twice.
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
