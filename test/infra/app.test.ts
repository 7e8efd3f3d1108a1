import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { afterAll, expect, test } from 'vitest';
import cdk from '../../cdk.json' with { type: 'json' };
import { manifest } from '../../functions/manifest.ts';
import { Service } from '../../infra/service.ts';
import { settingsFrom } from '../../infra/settings.ts';

const outdir = mkdtempSync(join(tmpdir(), 'momo-kiosk-app-'));
afterAll(() => rmSync(outdir, { recursive: true }));

const app = new App({ outdir, context: cdk.context });
new Service(
  app,
  settingsFrom(() => undefined),
);

test.each(Object.keys(manifest))('%s is bundled', (name) => {
  // That it loads and answers is shown in bundles.test.ts.
  expect(readdirSync(join(outdir, 'bundles', name))).toEqual(['index.js']);
});

test("CDK's own rules find nothing wrong with the template", () => {
  expect(() => app.synth()).not.toThrow();
});
