import { createHash } from 'node:crypto';
import { SIGN_IN } from './addresses.ts';
import texts from './assets.json' with { type: 'json' };

/** The style of every page, for a page that has it in itself, and what allows it in that page's policy. */
export const dashboardStyle = {
  text: texts['dashboard.css'],
  source: `'sha256-${createHash('sha256').update(texts['dashboard.css']).digest('base64')}'`,
};

export function assetPath(name: keyof typeof texts): string {
  return hashedPath(name, texts[name]);
}

/** Where the sign-in area serves a file, which changes with what is in it. */
export function hashedPath(name: string, text: string): string {
  return `${SIGN_IN}/asset/${hashOf(text)}/${name}`;
}

export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}
