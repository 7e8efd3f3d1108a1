import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { buildSync } from 'esbuild';
import { sha256Bytes } from '../../shared/runtime/values/sha256.ts';

/** Pages support browsers from 2018. Minified code must not use newer syntax, such as `catch {`. */
const TARGET = ['es2017', 'chrome65'];
const PARTIALS = 'shared/pages/style/**';
const CLIENTS = 'infra/clients/**';
/** The URL of each asset in this folder contains the asset's hash, because many functions link to these assets. */
const NAMED_BY_HASH = 'shared/pages/dashboard';

/**
 * Builds each folder's `assets.json`, which maps file names to minified styles and scripts, and to icons in base64. The
 * hashes of the dashboard's assets go into a separate file.
 */
export function pageAssets(): ReadonlyMap<string, string> {
  const files = globSync('{shared,infra}/**/*.{css,js,png}', { exclude: [PARTIALS, CLIENTS] });
  return new Map(
    Object.entries(Object.groupBy(files.sort(), dirname)).flatMap(([folder, inFolder = []]) => {
      const assets = inFolder.map((file) => [basename(file), minified(file)] as const);
      const hashes = assets.map(([name, asset]) => [name, hashOf(asset)] as const);
      const all = [[join(folder, 'assets.json'), jsonOf(assets)] as const];
      return folder === NAMED_BY_HASH ? [...all, [join(folder, 'asset-hashes.json'), jsonOf(hashes)] as const] : all;
    }),
  );
}

function jsonOf(entries: readonly (readonly [string, string])[]): string {
  return `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`;
}

function hashOf(text: string): string {
  return sha256Bytes(text).toString('base64url').slice(0, 16);
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
    // This repository's tsconfig would add "use strict" to each script.
    tsconfigRaw: {},
  });
  const text = outputFiles.map((one) => one.text).join('');
  return isStyle ? withoutSpareTokens(text) : text;
}

/**
 * Inlines custom properties with a single value and drops unused ones. Colours are kept, because themes redefine them.
 */
function withoutSpareTokens(style: string): string {
  const values = Map.groupBy(style.matchAll(TOKEN), ([, name]) => name);
  let text = style;
  for (const [name, found] of values) {
    const use = `var(${name})`;
    const [, , value = ''] = found[0] ?? [];
    const isSpare = found.length === 1 || !text.includes(use);
    text = isSpare ? text.replaceAll(use, value.trim()).replaceAll(new RegExp(`${name}:[^;}]+;?`, 'g'), '') : text;
  }
  return text
    .replaceAll(/(?<![\w-])(--[\w-]+): /g, '$1:')
    .replaceAll(';}', '}')
    .replaceAll(/:root\{\}|@[^@{}]+\{(?::root\{\})?\}/g, '');
}

const TOKEN = /(?<![\w-])(--[\w-]+):([^;}]+)/g;
