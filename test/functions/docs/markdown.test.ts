import { expect, test } from 'vitest';
import { documentedRoutes, eventDocumentation } from '../../../infra/openapi/documented-routes.ts';
import { errorCodes } from '../../../shared/runtime/values/errors.ts';
import { expectWords } from '../../support/answers.ts';
import { scene } from '../../support/scene.ts';

const world = await scene({ inMemory: true });
/** The Markdown should leave room in a model's context. */
const MAX_MARKDOWN_BYTES = 130_500;
const MAX_MARKDOWN_WORDS = 19_200;
const MAX_OVERVIEW_BYTES = 8_000;

const described = documentedRoutes.filter(({ operation }) => !('leftOut' in operation));

test('the Markdown documents every route, event, object and error', async () => {
  const { status, headers, text, bytes } = await world.call('docs/markdown');
  const kept = { 'content-type': 'text/markdown; charset=utf-8', 'cache-control': 'public, max-age=300' };
  expect({ status, headers }).toMatchObject({ status: 200, headers: kept });
  expect(text).toMatch(/^# Momo Kiosk API\n/);
  for (const { row } of described) expect(text).toContain(`\n\`${row.method} ${row.path}\`\n`);
  for (const type of Object.keys(eventDocumentation)) expect(text).toContain(`\n### \`${type}\`\n`);
  for (const code of errorCodes) expect(text).toContain(`\n### \`${code}\`\n`);
  expect(text.split('\n### Charge\n')).toHaveLength(2);
  expectWords(text, [
    '- `authorization_url` (address): The checkout page.',
    '- `amount` (amount, required)',
    '- `amount`: number or string, 0.01 to 100,000, like `^\\d{1,6}(\\.\\d{1,2})?$`',
    '- `momo_number` (phone): ',
    '- `network`: string, one of `MTN`, `TELECEL`, `AT`.',
    'Fields: as in `POST /api/v1/request`.',
    "import { Webhook } from 'standardwebhooks';",
  ]);
  expect(bytes).toBeLessThan(MAX_MARKDOWN_BYTES);
  expect(text.trim().split(/\s+/).length).toBeLessThanOrEqual(MAX_MARKDOWN_WORDS);
  // Code fences are closed, no HTML remains, and internal links resolve.
  expect(text.match(/^```/gm)?.length).toSatisfy((count) => count % 2 === 0);
  expect(text).not.toMatch(/<(?:p|div|section|a |code)/);
  const [, shared = ''] = /\n### Shared\n([\s\S]*?)\n### /.exec(text) ?? [];
  const links = [...text.matchAll(/\[`(\w+)`\]\((#[^)]+)\)/g)];
  expect(links.length).toBeGreaterThan(100);
  for (const [, name, address] of links)
    expect({ name, address, isListed: shared.includes(`\n- \`${name}\` (`) }).toEqual({
      name,
      address: '#shared',
      isListed: true,
    });
  expect(text.match(/\]\(#/g)).toHaveLength(links.length);
});

test('the Markdown starts with samples, a diagram and recipes', async () => {
  const { text } = await world.call('docs/markdown');
  const [, start = ''] = /\n## Start\n([\s\S]*?)\n## /.exec(text) ?? [];
  const fences = [...start.matchAll(/^```(\w+)$/gm)].map(([, language]) => language);
  expect(fences.slice(0, 5)).toEqual(['sh', 'js', 'php', 'python', 'mermaid']);
  for (const title of ['Charge and deliver', 'Webhook', 'Send a text']) expect(start).toContain(`\n### ${title}\n`);
});

test('llms.txt follows llmstxt.org and lists every route and event', async () => {
  const { status, headers, text, bytes } = await world.call('docs/llms');
  expect({ status, contentType: headers['content-type'] }).toEqual({
    status: 200,
    contentType: 'text/plain; charset=utf-8',
  });
  expect(text).toMatch(/^# Momo Kiosk\n\n> .+\n\n(?!#)/);
  for (const { row, operation } of described)
    expect(text).toContain(`- ${'summary' in operation ? operation.summary : ''}: \`${row.method} ${row.path}\``);
  for (const type of Object.keys(eventDocumentation)) expect(text).toContain(`\`${type}\``);
  const [, ...lists] = text.split(/^## /m);
  expect(lists.map((one) => one.split('\n')[0])).toEqual(['Documentation', 'Optional']);
  for (const one of lists)
    for (const line of one.trim().split('\n').slice(2))
      expect(line).toMatch(/^- \[[^\]]+\]\(https:\/\/pay\.example\.com\/[\w.]+\): \w/);
  expect(bytes).toBeLessThan(MAX_OVERVIEW_BYTES);
});

test.each([
  ['docs/page', 'curl https://kiosk.example.org/api/v1/transaction/initialize'],
  ['docs/openapi', '"url": "https://kiosk.example.org"'],
  ['docs/llms', 'https://kiosk.example.org/docs'],
  ['docs/markdown', 'https://kiosk.example.org/docs'],
] as const)('%s shows its own origin without reading the table', async (route, words) => {
  const elsewhere = await scene({ inMemory: true });
  elsewhere.outside.baseUrl = 'https://kiosk.example.org';
  const { text } = await elsewhere.call(route);
  expectWords(text, [words], ['https://pay.example.com']);
  expect(elsewhere.requests).toEqual([]);
});
