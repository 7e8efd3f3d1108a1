import { createHash } from 'node:crypto';
import { SIGN_IN } from './addresses.ts';
import { hashOf } from './asset-hash.ts';
import styles from './assets.json' with { type: 'json' };
import hashes from './hashes.json' with { type: 'json' };

const style = styles['dashboard.css'];

/** The style of every page, for a page that has it in itself, and what allows it in that page's policy. */
export const dashboardStyle = {
  text: style,
  source: `'sha256-${createHash('sha256').update(style).digest('base64')}'`,
};

/** Where a style or a script is: at an address that changes with what is in it. */
export function assetPath(name: keyof typeof styles | keyof typeof hashes): string {
  return `${SIGN_IN}/asset/${name === 'dashboard.css' ? hashOf(style) : hashes[name]}/${name}`;
}
