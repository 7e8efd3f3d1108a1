import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFileSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { Miniflare } from 'miniflare';
import { facts, project } from './support/stack.ts';

const run = promisify(execFile);
const options = { baseUrl: facts.base_url, secretKey: facts.test_secret_key, smsSecretKey: facts.test_sms_secret_key };

copyFileSync('test/programs/program.mjs', join(project, 'program.mjs'));
const main = `import { useClient } from './program.mjs';\nconsole.log(JSON.stringify(await useClient(${JSON.stringify(options)})));\n`;
writeFileSync(join(project, 'main.mjs'), main);
const required = `console.log(JSON.stringify(Object.keys(require('momo-kiosk-client')).sort()));\n`;
writeFileSync(join(project, 'required.cjs'), required);

/** The repository's version of Node, and this machine's if different. */
const nodes = new Set(
  [process.execPath, ...(process.env.PATH ?? '').split(':').map((folder) => join(folder, 'node'))].filter(
    (file) => globSync(file).length > 0,
  ),
);
for (const node of await versionsOf([...nodes])) {
  test(`the client runs on Node ${node.version}`, async () => {
    isRight(JSON.parse((await run(node.file, ['main.mjs'], { cwd: project })).stdout));
    // Simulates a Node version that cannot require ES modules.
    const { stdout } = await run(node.file, ['--no-experimental-require-module', 'required.cjs'], { cwd: project });
    assert.deepEqual(JSON.parse(stdout), Object.keys(await import('momo-kiosk-client')).sort());
  });
}

test('the client runs on Deno', async () => {
  const given = ['run', '--allow-net', '--allow-read', '--no-prompt', '--node-modules-dir=manual', 'main.mjs'];
  isRight(JSON.parse((await run(resolve('node_modules/.bin/deno'), given, { cwd: project })).stdout));
});

test('the client runs on Bun', async () => {
  isRight(JSON.parse((await run(resolve('node_modules/.bin/bun'), ['main.mjs'], { cwd: project })).stdout));
});

test('the client runs on Cloudflare Workers', async () => {
  const home = join(project, 'node_modules/momo-kiosk-client/dist/esm');
  const files = globSync('**/*.js', { cwd: home });
  const worker = `import { useClient } from './program.mjs';\nexport default { async fetch() { return Response.json(await useClient(${JSON.stringify(options)})); } };\n`;
  const program = readFileSync(join(project, 'program.mjs'), 'utf8').replace(
    "'momo-kiosk-client'",
    "'./client/index.js'",
  );
  const miniflare = new Miniflare({
    // No `nodejs_compat` flag, so Node's built-in modules are unavailable.
    compatibilityDate: '2026-07-01',
    modules: [
      { type: 'ESModule', path: 'worker.mjs', contents: worker },
      { type: 'ESModule', path: 'program.mjs', contents: program },
      ...files.map((file) => ({
        type: 'ESModule' as const,
        path: `client/${file}`,
        contents: readFileSync(join(home, file), 'utf8'),
      })),
    ],
  });
  try {
    isRight(await (await miniflare.dispatchFetch('http://localhost/')).json());
  } finally {
    await miniflare.dispose();
  }
});

async function versionsOf(files: readonly string[]): Promise<{ file: string; version: string }[]> {
  const all = await Promise.all(
    files.map(async (file) => ({ file, version: (await run(file, ['--version'])).stdout.trim().slice(1) })),
  );
  return [...new Map(all.map((node) => [node.version, node])).values()];
}

function isRight(seen: unknown): void {
  const { reference } = seen as { reference: string };
  assert.match(reference, /^MK-\d{10}$/);
  assert.deepEqual(seen, {
    reference,
    status: 'success',
    amount: 36.5,
    listed: 'string',
    texts: 1,
    error: { name: 'ApiError', code: 'not_found' },
    event: { type: 'charge.success', data: { reference }, id: 'evt_1' },
    forged: 'WebhookSignatureError',
  });
}
