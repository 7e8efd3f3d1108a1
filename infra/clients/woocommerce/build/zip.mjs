import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { WP_Pot } from 'wp-pot';

/** `npm run zip`: the plugin as a shop's owner uploads it, with its words for translators. The same files give the same bytes. */
const root = join(import.meta.dirname, '..');

export async function zip() {
  const files = {};
  for (const entry of globSync('**/*', { cwd: join(root, 'plugin'), withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    files[`momo-kiosk/${path.slice(join(root, 'plugin/').length)}`] = readFileSync(path);
  }
  files['momo-kiosk/LICENSE'] = readFileSync(join(root, '../../../LICENSE'));
  files['momo-kiosk/languages/momo-kiosk.pot'] = words();
  const sorted = Object.fromEntries(Object.entries(files).sort(([one], [other]) => (one < other ? -1 : 1)));
  return zipSync(sorted, { level: 9, mtime: new Date('2026-01-01T00:00:00Z') });
}

/** What is to be translated, as gettext has it. */
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

if (process.argv[1] === import.meta.filename) {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const folder = join(root, 'dist');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `momo-kiosk-${version}.zip`);
  writeFileSync(file, await zip());
  console.log(file);
}
