import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { MomoKiosk } from 'momo-kiosk-client';
import { freePort } from './support/free-port.ts';
import { facts, project } from './support/stack.ts';

/** Runs the README's code blocks in order. */
const [charge = '', simulate = '', webhook = '', texts = ''] = [
  ...readFileSync('README.md', 'utf8').matchAll(/```js\n([\s\S]+?)```/g),
].map(([, block = '']) => block);
const env = {
  ...process.env,
  MOMO_URL: facts.base_url,
  MOMO_SECRET_KEY: facts.test_secret_key,
  MOMO_SMS_SECRET_KEY: facts.test_sms_secret_key,
};

function written(name: string, text: string): string {
  const file = join(project, name);
  writeFileSync(file, text);
  return file;
}

test('the README’s first charge is paid', async () => {
  const file = written('first-charge.mjs', charge + simulate);
  const { stdout } = await promisify(execFile)(process.execPath, [file], { env });
  assert.match(stdout, /^MK-\d{10} http:\/\/localhost:\d+\/checkout\/\w+\nsuccess deliver KOFI MENSAH\n$/);
});

test('the README’s texts are sent', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [written('texts.mjs', texts)], { env });
  assert.match(stdout, /^2 (pending|sending|sent|delivered)\n$/);
});

test('the README’s server receives the webhook', async () => {
  const port = await freePort();
  const [setup = ''] = charge.split('const charge =');
  const file = written('webhook.mjs', setup + webhook);
  const listener = spawn(process.execPath, [file], {
    env: { ...env, PORT: String(port), WEBHOOK_URL: `http://localhost:${port}/` },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const momo = new MomoKiosk({ baseUrl: facts.base_url, secretKey: facts.test_secret_key });
    while (
      !(await fetch(`http://localhost:${port}/`).then(
        () => true,
        () => false,
      ))
    )
      await new Promise((done) => setTimeout(done, 200));
    const { reference } = await momo.transaction.initialize({ amount: 1, merchant_reference: 'order-readme' });
    await momo.test.simulate(reference, { outcome: 'paid' });
    let said = '';
    for await (const text of listener.stdout) {
      said += text;
      // Late events of other tests' orders may come first.
      if (said.includes('order-readme\n')) break;
    }
    assert.match(said, /^deliver order-readme$/m);
  } finally {
    listener.kill();
  }
});
