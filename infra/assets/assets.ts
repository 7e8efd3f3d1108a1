import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { buildSync } from 'esbuild';
import { hashOf } from '../../shared/pages/dashboard/asset-hash.ts';

/** What browsers of 2018 support: minifying emits nothing newer, such as `catch {` without a binding. */
const TARGET = ['es2017', 'chrome65'];
/** Sheets that others import: those are served whole. */
const PARTIALS = 'shared/pages/style/**';

/** Each function of the dashboard names its scripts, one serves them: they are apart, and what their addresses have of them beside them. */
const SERVED_BY_ONE = 'shared/pages/dashboard';

/**
 * The styles, scripts and icons of the pages: for each folder that has any, the text of its `assets.json`, which holds them by their
 * names; texts are minified, pictures in base64. Scripts that one function serves are in `scripts.json`, their hashes in `hashes.json`.
 */
export function pageAssets(): ReadonlyMap<string, string> {
  const files = globSync('{shared,infra}/**/*.{css,js,png}', { exclude: [PARTIALS] });
  return new Map(
    Object.entries(Object.groupBy(files.sort(), dirname)).flatMap(([folder, inFolder = []]) => {
      const assets = inFolder.map((file) => [basename(file), minified(file)] as const);
      if (folder !== SERVED_BY_ONE) return [jsonFile(folder, 'assets.json', assets)];
      const scripts = assets.filter(([name]) => name.endsWith('.js'));
      return [
        jsonFile(
          folder,
          'assets.json',
          assets.filter((asset) => !scripts.includes(asset)),
        ),
        jsonFile(folder, 'scripts.json', scripts),
        jsonFile(
          folder,
          'hashes.json',
          scripts.map(([name, text]) => [name, hashOf(text)] as const),
        ),
      ];
    }),
  );
}

function jsonFile(folder: string, name: string, entries: readonly (readonly [string, string])[]) {
  return [join(folder, name), `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`] as const;
}

function minified(file: string): string {
  if (file.endsWith('.png')) return readFileSync(file, 'base64');
  const isStyle = file.endsWith('.css');
  const { outputFiles } = buildSync({
    entryPoints: [file],
    bundle: isStyle,
    write: false,
    minify: true,
    target: TARGET,
    charset: 'utf8',
    // The compiler's settings are for our own TypeScript, and would add "use strict" to each script.
    tsconfigRaw: {},
  });
  return outputFiles.map(({ text }) => text).join('');
}
