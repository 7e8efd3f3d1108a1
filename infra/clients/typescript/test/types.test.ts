import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { project } from './support/stack.ts';

/** The oldest and newest supported versions. */
const compilers = ['typescript-5.4', 'typescript-7'];
const lib = ['es2018', 'dom', 'dom.iterable'];
/** Typical project settings: Node with each kind of module, a bundler for browsers, and a ten-year-old setup. */
const settings = {
  Node: { type: 'module', options: { module: 'nodenext', target: 'es2022', lib } },
  'Node in CommonJS': { type: 'commonjs', options: { module: 'node16', target: 'es2022', lib } },
  'a bundler': { type: 'module', options: { module: 'esnext', moduleResolution: 'bundler', target: 'es2018', lib } },
  'old CommonJS': {
    type: 'commonjs',
    options: { module: 'commonjs', moduleResolution: 'node', target: 'es2018', lib },
  },
};
const withoutOldModules = 'typescript-7';

for (const compiler of compilers) {
  const { version } = JSON.parse(readFileSync(`node_modules/${compiler}/package.json`, 'utf8'));
  for (const [name, { type, options }] of Object.entries(settings)) {
    if (name === 'old CommonJS' && compiler === withoutOldModules) continue;
    test(`TypeScript ${version} type-checks a project for ${name}`, () => {
      const folder = join(project, `types-${compiler}-${name.replaceAll(' ', '-')}`);
      mkdirSync(folder);
      copyFileSync('test/types/usage.ts', join(folder, 'usage.ts'));
      writeFileSync(join(folder, 'package.json'), JSON.stringify({ type }));
      // Also checks the package's own types.
      const compilerOptions = {
        ...options,
        strict: true,
        noUncheckedIndexedAccess: true,
        noEmit: true,
        skipLibCheck: false,
        types: [],
      };
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['usage.ts'] }));
      const { stdout, status } = spawnSync(
        process.execPath,
        [`node_modules/${compiler}/bin/tsc`, '--project', folder],
        {
          encoding: 'utf8',
        },
      );
      assert.deepEqual({ stdout, status }, { stdout: '', status: 0 });
    });
  }
}
