import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { scene } from '../../support/scene.ts';

const world = await scene({ inMemory: true });

test('the documentation page is compressed and cached for five minutes', async () => {
  const { status, headers, text, bytes } = await world.call('docs/page', { headers: { 'accept-encoding': 'gzip' } });
  expect(status).toBe(200);
  const kept = { 'cache-control': 'public, max-age=300', vary: 'accept-encoding' };
  expect(headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'content-encoding': 'gzip', ...kept });
  expect(text).toContain('<title>Momo Kiosk: API reference</title>');
  expect(bytes).toBeLessThan(150_000);
});

test('the documentation page allows only its own style and script', async () => {
  const { headers, text } = await world.call('docs/page');
  const styles = [...text.matchAll(/<style>(.*?)<\/style>/gs)].map(([, style = '']) => hashOf(style));
  const scripts = [...text.matchAll(/<script>(.*?)<\/script>/gs)].map(([, script = '']) => hashOf(script));
  expect({ styles: styles.length, scripts: scripts.length }).toEqual({ styles: 1, scripts: 1 });
  const allowed = ["default-src 'none'", `style-src ${styles}`, `script-src ${scripts}`, "frame-ancestors 'none'"];
  expect(headers['content-security-policy']?.split('; ')).toEqual(expect.arrayContaining(allowed));
  expect(text).not.toMatch(/ (?:on\w+|style)="/);
});

test('the documentation page links to its Markdown version', async () => {
  const { text } = await world.call('docs/page');
  expect(text).toContain('<link rel="alternate" type="text/markdown" href="/docs.md"');
});

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
