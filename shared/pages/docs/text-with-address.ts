import { type StaticText, staticText } from '../../runtime/http/static-answer.ts';
import { readOwnFile } from '../../runtime/outside/own-file.ts';

/** Base URL in the stored document. Each stage replaces it with its own. */
export const EXAMPLE_BASE_URL = 'https://pay.example.com';

/** Cached texts by file and base URL. */
const made = new Map<string, StaticText>();

/** Reads a file, inserts the service's base URL and caches the compressed result. */
export async function textWithAddress(file: string, baseUrl: string): Promise<StaticText> {
  const key = `${file} ${baseUrl}`;
  const text = made.get(key) ?? staticText((await readOwnFile(file)).replaceAll(EXAMPLE_BASE_URL, baseUrl));
  made.set(key, text);
  return text;
}
