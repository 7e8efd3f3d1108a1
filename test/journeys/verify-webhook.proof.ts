import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, inject, test, vi } from 'vitest';
import { freePort } from '../../infra/local/loopback.ts';
import type { Language } from '../../infra/reference/samples.ts';
import { signatureHeaders } from '../../shared/webhook/endpoint.ts';
import { PATIENCE } from '../support/http.ts';
import { runnable } from '../support/interpreters.ts';
import { run } from '../support/local-stack.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const OTHER = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
const BODY = '{"type":"charge.success","data":{"description":"Two yards of kente – for Ama’s"}}';
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill();
});

interface Post {
  readonly headers: Record<string, string>;
  readonly body: string;
}

const genuine = signed();
const posts: readonly (readonly [name: string, isGenuine: boolean, Post])[] = [
  ['genuine', true, genuine],
  ['genuine after a secret rotation', true, signed({ secrets: [OTHER, SECRET] })],
  ['genuine and four minutes old', true, signed({ ageSeconds: 240 })],
  ['signed with another secret', false, signed({ secrets: [OTHER] })],
  ['sent with a changed body', false, { ...genuine, body: BODY.replace('success', 'expired') }],
  ['sent with a changed id', false, changed({ 'webhook-id': 'evt_2' })],
  ['sent with a changed time', false, changed({ 'webhook-timestamp': String(Math.floor(Date.now() / 1000) - 5) })],
  ['six minutes old', false, signed({ ageSeconds: 360 })],
  ['six minutes in the future', false, signed({ ageSeconds: -360 })],
  ['sent without a valid time', false, changed({ 'webhook-timestamp': 'now' })],
  [
    'with a signature of another version',
    false,
    changed({ 'webhook-signature': `v2${signatureOf(genuine).slice(2)}` }),
  ],
  ['sent with a truncated signature', false, changed({ 'webhook-signature': signatureOf(genuine).slice(0, 20) })],
  ['sent with an empty signature', false, changed({ 'webhook-signature': 'v1,' })],
  ['sent without a signature', false, changed({ 'webhook-signature': '' })],
  ['sent without any headers', false, { headers: {}, body: BODY }],
];

const servers: readonly (readonly [
  Language,
  command: string,
  args: (file: string, port: number) => string[],
  file: string,
])[] = [
  ['node', process.execPath, (file) => [file], 'verify-webhook.mjs'],
  ['php', 'php', (file, port) => ['-S', `127.0.0.1:${port}`, file], 'verify-webhook.php'],
  ['python', 'python3', (file) => [file], 'verify-webhook.py'],
];

describe.each(servers.filter(([language]) => runnable.includes(language)))(
  'the verification sample in %s',
  async (_, command, args, file) => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}/`;
    children.push(
      spawn(command, args(sampleFile(file), port), {
        env: { ...process.env, WEBHOOK_SECRET: SECRET, PORT: String(port) },
        stdio: 'ignore',
      }),
    );
    await vi.waitFor(() => fetch(url, { method: 'POST', body: '{}' }), PATIENCE);

    test.each(posts)('accepts an event that is %s: %s', async (_name, isGenuine, { headers, body }) => {
      const { status } = await fetch(url, { method: 'POST', headers, body });
      expect(status).toBe(isGenuine ? 204 : 401);
    });
  },
);

/** Without a check, anyone could sign with these. */
const EMPTY_SECRETS = ['', 'whsec_', 'whsec_…'];
const forged = signed({ secrets: [''] });
const ADVICE = 'Set WEBHOOK_SECRET to the `secret` from PUT /api/v1/webhook.';

test.each(servers.filter(([language]) => runnable.includes(language)))(
  'the verification sample in %s accepts nothing if its secret is empty',
  async (_, command, args, file) => {
    for (const secret of EMPTY_SECRETS) {
      const port = await freePort();
      const env = { ...process.env, WEBHOOK_SECRET: secret, PORT: String(port) };
      const child = spawn(command, args(sampleFile(file), port), { env });
      children.push(child);
      let printed = '';
      child.stderr.on('data', (data) => (printed += data));
      let isClosed = false;
      child.on('close', () => (isClosed = true));
      const post = { method: 'POST', headers: forged.headers, body: forged.body };
      const said = () =>
        isClosed ? printed : fetch(`http://127.0.0.1:${port}/`, post).then((answer) => answer.text());
      expect({ secret, said: await vi.waitFor(said, PATIENCE) }).toEqual({
        secret,
        said: expect.stringContaining(ADVICE),
      });
      child.kill();
    }
  },
);

describe('the verification sample with the Standard Webhooks library', () => {
  test('accepts nothing if its secret is empty', async () => {
    for (const secret of EMPTY_SECRETS) {
      const { code, stderr } = await runWithLibrary(forged, secret);
      expect({ secret, code, stderr }).toEqual({ secret, code: 1, stderr: expect.stringContaining(ADVICE) });
    }
  });

  test.each(posts)('accepts an event that is %s: %s', async (_name, isGenuine, { headers, body }) => {
    const { code, stdout } = await runWithLibrary({ headers, body }, SECRET);
    expect([code, stdout]).toEqual(isGenuine ? [0, expect.stringContaining('charge.success')] : [1, '']);
  });
});

describe.runIf(runnable.includes('curl'))('the sample for a shell', () => {
  test('accepts nothing if its secret is empty', async () => {
    for (const secret of EMPTY_SECRETS) {
      const { code, stdout } = await runShell(forged, secret);
      expect({ secret, code, stdout }).toEqual({ secret, code: 1, stdout: `${ADVICE}\n` });
    }
  });

  test.each(posts)('accepts an event that is %s: %s', async (_name, isGenuine, { headers, body }) => {
    const { code, stdout } = await runShell({ headers, body }, SECRET);
    expect([code, stdout]).toEqual(
      isGenuine ? [0, 'genuine\n'] : [expect.toSatisfy((one) => one !== 0), expect.not.stringContaining('genuine')],
    );
  });
});

function runWithLibrary({ headers, body }: Post, secret: string) {
  const folder = mkdtempSync(join(inject('folder'), 'library-'));
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  const file = join(folder, 'program.mjs');
  const given = `const body = ${JSON.stringify(body)}, headers = ${JSON.stringify(headers)};\n`;
  writeFileSync(file, given + readFileSync(sampleFile('with-library.mjs'), 'utf8'));
  return run(process.execPath, [file], { WEBHOOK_SECRET: secret });
}

function runShell({ headers, body }: Post, secret: string) {
  const folder = mkdtempSync(join(inject('folder'), 'event-'));
  writeFileSync(join(folder, 'event.json'), body);
  return run('sh', ['-c', `cd "$0" && . ${sampleFile('verify-webhook.sh')}`, folder], {
    WEBHOOK_SECRET: secret,
    ID: headers['webhook-id'] ?? '',
    TIMESTAMP: headers['webhook-timestamp'] ?? '',
    SIGNATURE: headers['webhook-signature'] ?? '',
  });
}

function signed({ secrets = [SECRET], ageSeconds = 0 } = {}): Post {
  return { headers: signatureHeaders('evt_1', BODY, secrets, Date.now() - ageSeconds * 1000), body: BODY };
}

function changed(headers: Record<string, string>): Post {
  return { headers: { ...genuine.headers, ...headers }, body: BODY };
}

function signatureOf({ headers }: Post): string {
  return headers['webhook-signature'] ?? '';
}

function sampleFile(name: string): string {
  return resolve('infra/reference/verify-webhook', name);
}
