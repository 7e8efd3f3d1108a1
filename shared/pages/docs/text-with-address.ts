import { type StaticText, staticText } from '../../runtime/http/static-answer.ts';
import { readOwnFile } from '../../runtime/outside/own-file.ts';

/** The service's address in the stored document. Each stage replaces it with its own. */
export const EXAMPLE_BASE_URL = 'https://pay.example.com';

/** Texts by file and address. A deployment has one address, and each of its functions one file. */
const made = new Map<string, StaticText>();

/** Reads one of a function's own files with the service's address filled in. Read and compressed once. */
export async function textWithAddress(file: string, baseUrl: string): Promise<StaticText> {
  const key = `${file} ${baseUrl}`;
  const text = made.get(key) ?? staticText((await readOwnFile(file)).replaceAll(EXAMPLE_BASE_URL, baseUrl));
  made.set(key, text);
  return text;
}
