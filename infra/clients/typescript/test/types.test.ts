import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { project } from './support/stack.ts';

/** The oldest that is supported, and the newest. */
const compilers = ['typescript-5.4', 'typescript-7'];
/** How projects are set up: for Node, for a bundler with nothing but a browser's types, and as ten years of projects are. */
const settings = {
  node: { module: 'nodenext', target: 'es2022', lib: ['es2022', 'dom', 'dom.iterable'] },
  bundler: { module: 'esnext', moduleResolution: 'bundler', target: 'es2018', lib: ['es2018', 'dom', 'dom.iterable'] },
  commonjs: { module: 'commonjs', moduleResolution: 'node', target: 'es2018', lib: ['es2018', 'dom', 'dom.iterable'] },
};
const withoutOldModules = 'typescript-7';

for (const compiler of compilers) {
  const { version } = JSON.parse(readFileSync(`node_modules/${compiler}/package.json`, 'utf8'));
  for (const [name, setting] of Object.entries(settings)) {
    if (name === 'commonjs' && compiler === withoutOldModules) continue;
    test(`TypeScript ${version} accepts what is right and refuses what is wrong, in a project for ${name}`, () => {
      const folder = join(project, `types-${compiler}-${name}`);
      mkdirSync(folder);
      copyFileSync('test/types/usage.ts', join(folder, 'usage.ts'));
      writeFileSync(
        join(folder, 'package.json'),
        JSON.stringify({ type: name === 'commonjs' ? 'commonjs' : 'module' }),
      );
      // The package's own types are checked, too.
      const compilerOptions = {
        ...setting,
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
