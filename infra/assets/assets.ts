import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { transformSync } from 'esbuild';

/** What browsers of 2018 support: minifying emits nothing newer, such as `catch {` without a binding. */
const TARGET = ['es2017', 'chrome65'];

/**
 * The styles and scripts of the pages, minified: for each folder that has any, the text of its `assets.json`, which holds them
 * by their names.
 */
export function pageAssets(): ReadonlyMap<string, string> {
  const folders = Object.groupBy(globSync('{shared,infra}/**/*.{css,js}').sort(), dirname);
  return new Map(
    Object.entries(folders).map(([folder, files = []]) => {
      const assets = Object.fromEntries(files.map((file) => [basename(file), minified(file)]));
      return [join(folder, 'assets.json'), `${JSON.stringify(assets, null, 2)}\n`];
    }),
  );
}

function minified(file: string): string {
  const loader = extname(file) === '.css' ? 'css' : 'js';
  return transformSync(readFileSync(file, 'utf8'), { loader, minify: true, target: TARGET, charset: 'utf8' }).code;
}
