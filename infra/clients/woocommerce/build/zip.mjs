import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { zipSync } from 'fflate';
import { WP_Pot } from 'wp-pot';

/**
 * Entry point of `npm run zip`: builds the plugin's zip file with its translatable strings. The build is reproducible.
 */
const root = fileURLToPath(new URL('..', import.meta.url));

export async function zip() {
  const files = {};
  for (const path of readdirSync(join(root, 'plugin'), { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name)))
    files[`momo-kiosk/${path.slice(join(root, 'plugin/').length)}`] = readFileSync(path);
  files['momo-kiosk/LICENSE'] = readFileSync(join(root, '../../../LICENSE'));
  files['momo-kiosk/languages/momo-kiosk.pot'] = words();
  const sorted = Object.fromEntries(Object.entries(files).sort(([one], [other]) => (one < other ? -1 : 1)));
  return zipSync(sorted, { level: 9, mtime: new Date('2026-01-01T00:00:00Z') });
}

function words() {
  const folder = join(root, 'plugin');
  const words = new WP_Pot({
    globOpts: { cwd: folder, absolute: true },
    pathsRelativeTo: folder,
    php: { textdomain: 'momo-kiosk' },
    pot: { package: 'Momo Kiosk for WooCommerce' },
  });
  return Buffer.from(words.parse('**/*.php').generatePot());
}

/** Returns an error message unless Node's major version matches the lockfile's. */
export function problemOf(version) {
  const { optionalDependencies } = JSON.parse(readFileSync(join(root, '../../node/package.json'), 'utf8'));
  const pinned = Object.entries(optionalDependencies).flatMap(([name, pin]) => (name.startsWith('node-') ? [pin] : []));
  if (pinned.some((pin) => pin.split('.')[0] === version.split('.')[0])) return undefined;
  return `This is Node ${version}. The zip is made, and its plugin tried, with Node ${pinned.at(-1)}, which the repository's lockfile pins: run npm ci in its root, then npm run zip here, or npx node build/zip.mjs.`;
}

export function triedWith() {
  const readme = readFileSync(join(root, 'plugin/readme.txt'), 'utf8');
  return /^= What was it tested with\? =\n\n(.+)$/m.exec(readme)?.[1];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const problem = problemOf(process.versions.node);
  if (problem) {
    console.error(problem);
    process.exit(1);
  }
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const folder = join(root, 'dist');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `momo-kiosk-${version}.zip`);
  writeFileSync(file, await zip());
  console.log(`${file}\nTested with: ${triedWith()}`);
}
