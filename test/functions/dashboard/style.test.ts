import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { visit } from '../../support/dashboard.ts';
import { scene } from '../../support/scene.ts';

const world = await scene({ inMemory: true });
const { id } = await world.createMerchant();
const LINK = /<link rel="stylesheet" href="\/dashboard\/sign-in\/asset\/[\w-]+\/dashboard\.css">/;

function stylePolicy({ headers }: Awaited<ReturnType<typeof visit>>): string | undefined {
  return /style-src ([^;]+);/.exec(headers['content-security-policy'] ?? '')?.[1];
}

test('a stranger’s page has its style in itself, allowed by its hash, and loads it for the next page below all that it shows', async () => {
  const answer = await world.visit('/dashboard/sign-in');
  const [, head = '', style = '', rest = ''] = /^(.*)<style>(.*)<\/style>(.*)$/s.exec(answer.text) ?? [];
  const hash = createHash('sha256').update(style).digest('base64');
  expect(stylePolicy(answer)).toBe(`'self' 'sha256-${hash}'`);
  expect([LINK.test(head), rest.slice(rest.indexOf('</main>'))]).toEqual([false, expect.stringMatching(LINK)]);
});

test('a page of somebody who is signed in takes it from the file that the browser keeps, and its policy allows no other', async () => {
  const answer = await world.visit('/dashboard/today', { by: await world.signIn('owner', id) });
  expect([stylePolicy(answer), answer.text.includes('<style')]).toEqual(["'self'", false]);
  expect(answer.text.slice(0, answer.text.indexOf('<body'))).toMatch(LINK);
});

test('style and script are everybody’s: no session is read for them, nor counted', async () => {
  const by = await world.signIn('owner', id);
  const { text } = await by.visit('/dashboard/today');
  const paths = [...text.matchAll(/"(\/dashboard\/sign-in\/asset\/[^"]+)"/g)].map(([, path = '']) => path);
  expect(paths).toHaveLength(2);
  world.requests.length = 0;
  for (let n = 0; n < 20; n++) {
    for (const path of paths) {
      // All at one moment.
      world.clock.nowMs -= 200;
      expect((await by.visit(path)).status).toBe(200);
    }
  }
  expect(world.requests).toEqual([]);
});
