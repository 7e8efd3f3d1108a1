import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { facts, testKeys } from './support/agent.ts';

test('a host with the SDK of the years before uses the packed server by its command', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'momo-kiosk-mcp-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  const npm = (given: string[], cwd: string) =>
    execFileSync('npm', given, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  const [packed] = JSON.parse(npm(['pack', '--ignore-scripts', '--json', '--pack-destination', folder], '.'));
  npm(['install', '--prefer-offline', '--no-audit', '--no-fund', `./${packed.filename}`], folder);
  const transport = new StdioClientTransport({
    command: join(folder, 'node_modules/.bin/momo-kiosk-mcp'),
    env: { PATH: process.env.PATH ?? '', MOMO_URL: facts.base_url, ...testKeys },
  });
  const client = new Client({ name: 'host', version: '1.0.0' });
  await client.connect(transport);
  context.after(() => client.close());
  assert.ok((await client.listTools()).tools.some(({ name }) => name === 'rehearse'));
  const { content } = await client.callTool({ name: 'create_charge', arguments: { amount: 3 } });
  assert.match(JSON.stringify(content), /MK-\d{10}/);
});
