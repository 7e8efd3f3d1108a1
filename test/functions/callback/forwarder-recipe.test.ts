import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { beforeEach, expect, test } from 'vitest';
import { expectFailure } from '../../support/envelope.ts';
import { mtn } from '../../support/receipts.ts';
import { type Scene, scene } from '../../support/scene.ts';
import { FORWARDER_KEYS } from '../../support/world.ts';

// Runs the commands in docs/integrate/forwarders.md with a curl that prints its request.

const [, commands = ''] =
  /```sh\n(sent_at=.*?)```/s.exec(
    readFileSync(new URL('../../../docs/integrate/forwarders.md', import.meta.url), 'utf8'),
  ) ?? [];
const CURL = 'curl() { printf "%s\\0" "$@"; }\n';

let world: Scene;
beforeEach(async () => {
  world = await scene({ inMemory: true });
});

test('the manual’s commands post a text', async () => {
  expect((await posted(commands)).status).toBe(200);
  expect(await world.rows('PHONE_EVENT')).toMatchObject([{ stranger: { looks_like_payment: false } }]);
});

test('the manual’s commands handle line breaks and special characters', async () => {
  const text = `${mtn().text}\nMɛda wo ase, $HOME \\n %s 'ok' "ok" 😀`;
  const quoted = `'${text.replaceAll("'", String.raw`'\''`)}'`;
  const changed = commands.replace('from=Test', 'from=MobileMoney').replace(/^text=.*$/m, () => `text=${quoted}`);
  expect((await posted(changed)).status).toBe(200);
  expect(await world.rows('PHONE_EVENT')).toMatchObject([{ event: { payload: { message: text } } }]);
});

test('the manual’s commands get a 401 for a wrong key', async () => {
  expectFailure(await posted(commands, FORWARDER_KEYS.stall), 401, 'unauthorized');
});

async function posted(script: string, KEY = FORWARDER_KEYS.till) {
  const env = { ...process.env, KEY, ADDRESS: 'https://pay.example.com/callback/forwarder/till' };
  const { stdout } = await promisify(execFile)('bash', ['-c', CURL + script], { env });
  world.clock.nowMs = Date.now();
  const form = new URLSearchParams();
  for (const word of stdout.split('\0')) {
    const [, name, value = ''] = /^(\w+)=(.*)$/s.exec(word) ?? [];
    if (name !== undefined) form.set(name, value);
  }
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return world.call('callback/forwarder', { parameters: { phone: 'till' }, headers, body: form.toString() });
}
