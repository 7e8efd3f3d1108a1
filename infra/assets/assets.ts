import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { buildSync } from 'esbuild';

/** What browsers of 2018 support: minifying emits nothing newer, such as `catch {` without a binding. */
const TARGET = ['es2017', 'chrome65'];
/** Sheets that others import: those are served whole. */
const PARTIALS = 'shared/pages/style/**';

/**
 * The styles, scripts and icons of the pages: for each folder that has any, the text of its `assets.json`, which holds them by their
 * names; texts are minified, pictures in base64.
 */
export function pageAssets(): ReadonlyMap<string, string> {
  const files = globSync('{shared,infra}/**/*.{css,js,png}', { exclude: [PARTIALS] });
  return new Map(
    Object.entries(Object.groupBy(files.sort(), dirname)).map(([folder, inFolder = []]) => {
      const assets = Object.fromEntries(inFolder.map((file) => [basename(file), minified(file)]));
      return [join(folder, 'assets.json'), `${JSON.stringify(assets, null, 2)}\n`];
    }),
  );
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
