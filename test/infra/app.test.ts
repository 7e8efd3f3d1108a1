import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { App } from 'aws-cdk-lib';
import { afterAll, expect, test } from 'vitest';
import cdk from '../../cdk.json' with { type: 'json' };
import { manifest } from '../../functions/manifest.ts';
import { Service } from '../../infra/service.ts';
import { settingsFrom } from '../../infra/settings.ts';

// Outside the repository: its package.json would make the bundles ES modules, and its packages would hide a missing one.
const outdir = mkdtempSync(join(tmpdir(), 'momo-kiosk-app-'));
afterAll(() => rmSync(outdir, { recursive: true }));

const app = new App({ outdir, context: cdk.context });
new Service(
  app,
  settingsFrom(() => undefined),
);

test.concurrent.each(Object.keys(manifest))('%s loads from its bundle alone, on plain Node', async (name) => {
  const load = `process.stdout.write(typeof require('./index.js').handler)`;
  const asCommonJs = ['--no-experimental-require-module', '-e', load];
  const loaded = await run(process.execPath, asCommonJs, { cwd: join(outdir, 'bundles', name), env: {} });
  expect(loaded).toEqual({ stdout: 'function', stderr: '' });
});

test('the files that a function hands out lie beside its code', () => {
  for (const name of ['docs/file', 'docs/openapi'] as const) {
    for (const file of manifest[name].files) {
      const beside = readFileSync(join(outdir, 'bundles', name, basename(file)));
      expect(beside.equals(readFileSync(file))).toBe(true);
    }
  }
});

test("CDK's own rules find nothing wrong with the template", () => {
  expect(() => app.synth()).not.toThrow();
});

const run = promisify(execFile);
