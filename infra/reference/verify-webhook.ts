import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Language } from './samples.ts';

/** Programs of their own, so that tests can run them: how to tell a genuine event from a forged one. */
export const verifyWebhook: Readonly<Record<Language, string>> = {
  curl: sample('sh'),
  node: sample('mjs'),
  php: sample('php'),
  python: sample('py'),
};

function sample(extension: string): string {
  return readFileSync(join(import.meta.dirname, 'verify-webhook', `verify-webhook.${extension}`), 'utf8').trim();
}
