import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { manifest } from '../../functions/manifest.ts';
import { sha256 } from '../../shared/runtime/values/sha256.ts';
import { writeWhole } from '../local/write-whole.ts';

/** Files that the generator imports, and the lockfile. */
export const referenceSources = [
  'functions/manifest.ts',
  'functions/rights.ts',
  'infra/{openapi,reference}/**/*.*',
  'shared/**/*.{ts,json}',
  'package-lock.json',
];

const FOLDER = dirname(manifest['docs/openapi'].files[0]);
const STAMP = join(FOLDER, 'reference.sha256');
const files = (['docs/openapi', 'docs/page', 'docs/markdown', 'docs/llms'] as const).map(
  (name) => manifest[name].files[0],
);
const Generated = z.record(z.string(), z.string());

/**
 * Writes the reference files that the service serves, unless they are up to date. Compares contents, because file times
 * are unreliable.
 * @throws an Error with a user-friendly message if the folder cannot be created or the disk is full.
 */
export function buildReference(root = join(import.meta.dirname, '../..')): void {
  const read = (file: string) => readFileSync(join(root, file), 'utf8');
  const sources = digest(
    globSync(referenceSources, { cwd: root })
      .sort()
      .flatMap((file) => [file, read(file)]),
  );
  const isBuilt = [...files, STAMP].every((file) => existsSync(join(root, file)));
  if (isBuilt && read(STAMP) === digest([sources, ...files.map(read)])) return;
  const output = execFileSync(process.execPath, ['infra/reference/generate.ts'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: Number.POSITIVE_INFINITY,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const generated = Generated.parse(JSON.parse(output));
  try {
    mkdirSync(join(root, FOLDER), { recursive: true });
  } catch (cause) {
    throw new Error(
      `The API reference cannot be built, because ${join(root, FOLDER)} cannot be created. Make its parent folder writable.`,
      { cause },
    );
  }
  for (const [file, text] of Object.entries(generated)) writeWhole(join(root, file), text);
  // The digest covers the generated files. If another process overwrites them with older ones, the next run rebuilds
  // them.
  writeWhole(join(root, STAMP), digest([sources, ...files.map((file) => generated[file] ?? '')]));
}

function digest(texts: readonly string[]): string {
  return sha256(JSON.stringify(texts));
}
