import { type StaticText, staticText } from '../../runtime/http/static-answer.ts';
import { readOwnFile } from '../../runtime/outside/own-file.ts';

/** Where the service is, in the document as it is kept; the service puts its own address in this one's place. */
export const EXAMPLE_BASE_URL = 'https://pay.example.com';

/** By file and address. A deployment has one address, and each of its functions one file. */
const made = new Map<string, StaticText>();

/** One of a function's own files, with the service's address in it. Read and compressed once. */
export async function textWithAddress(file: string, baseUrl: string): Promise<StaticText> {
  const key = `${file} ${baseUrl}`;
  const text = made.get(key) ?? staticText((await readOwnFile(file)).replaceAll(EXAMPLE_BASE_URL, baseUrl));
  made.set(key, text);
  return text;
}
