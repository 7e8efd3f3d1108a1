import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { facts, testKeys } from './support/agent.ts';

test('an MCP host with an earlier SDK can use the packed server', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'momo-kiosk-mcp-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  const npm = (given: string[]) => execFileSync('npm', given, { encoding: 'utf8', stdio: 'pipe' });
  npm(['pack', '--ignore-scripts', '--pack-destination', folder]);
  // npx installs packages into this folder.
  const cache = join(folder, 'cache');
  mkdirSync(cache);
  symlinkSync(join(npm(['config', 'get', 'cache']).trim(), '_cacache'), join(cache, '_cacache'));
  const [, args = '[]'] = /"args": (\["-y", "[^"]+\.tgz"\])/.exec(readFileSync('README.md', 'utf8')) ?? [];
  const transport = new StdioClientTransport({
    command: 'npx',
    args: JSON.parse(args.replace('/path/to', folder)),
    cwd: folder,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '',
      npm_config_cache: cache,
      npm_config_prefer_offline: 'true',
      MOMO_URL: facts.base_url,
      ...testKeys,
    },
  });
  const client = new Client({ name: 'host', version: '1.0.0' });
  await client.connect(transport, { timeout: 240_000 });
  context.after(() => client.close());
  assert.ok((await client.listTools()).tools.some(({ name }) => name === 'rehearse'));
  const { content } = await client.callTool({ name: 'create_charge', arguments: { amount: 3 } });
  assert.match(JSON.stringify(content), /MK-\d{10}/);
});
