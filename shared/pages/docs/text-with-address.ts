import { type StaticText, staticText } from '../../runtime/http/static-answer.ts';
import { readOwnFile } from '../../runtime/outside/own-file.ts';

/** The service's URL in the stored document. Each stage replaces it with its own. */
export const EXAMPLE_BASE_URL = 'https://pay.example.com';

/** Cached texts by file and URL. A deployment has one URL, and each function has one file. */
const made = new Map<string, StaticText>();

/** Reads one of the function's own files, inserts the service's URL, and caches the result in compressed form. */
export async function textWithAddress(file: string, baseUrl: string): Promise<StaticText> {
  const key = `${file} ${baseUrl}`;
  const text = made.get(key) ?? staticText((await readOwnFile(file)).replaceAll(EXAMPLE_BASE_URL, baseUrl));
  made.set(key, text);
  return text;
}
