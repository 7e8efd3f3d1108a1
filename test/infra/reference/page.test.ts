import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { manifest } from '../../../functions/manifest.ts';
import { documentedRoutes } from '../../../infra/openapi/documented-routes.ts';
import { objectOf } from '../../../infra/reference/fields.ts';
import { alternativesOf, dataOf, OpenApi, routesOf, type Schema, schemaOf } from '../../../infra/reference/openapi.ts';
import { referencePage } from '../../../infra/reference/page.ts';
import { referenceMarkdown } from '../../../infra/reference/reference-markdown.ts';
import { PAGE_PARAMETERS } from '../../../shared/runtime/http/pagination.ts';
import { docUrl, errorCodes } from '../../../shared/runtime/values/errors.ts';
import { WebhookEventType } from '../../../shared/webhook/event.ts';
import { referenceDocument } from '../../support/reference.ts';

const document = JSON.parse(JSON.stringify(referenceDocument));
const reference = OpenApi.parse(document);
const page = await referencePage(reference);
const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id);

test('the served page equals the built page', () => {
  expect(readFileSync(manifest['docs/page'].files[0], 'utf8') === page).toBe(true);
});

test('every operation, event and error has a section', () => {
  const operations = documentedRoutes.flatMap(({ row, operation }) =>
    'leftOut' in operation ? [] : [document.paths[row.path][row.method.toLowerCase()].operationId],
  );
  const events = WebhookEventType.options.map((type) => document.webhooks[type].post.operationId);
  const sections = [...page.matchAll(/<section [^>]*id="([^"]+)"/g)].map(([, id]) => id);
  expect(operations.length).toBeGreaterThan(20);
  expect(sections).toEqual(
    expect.arrayContaining([...operations, ...events, ...errorCodes.map((code) => `error-${code}`)]),
  );
});

test('every error’s doc_url links to its section', () => {
  for (const code of errorCodes) expect(ids).toContain(new URL(docUrl('https://pay.example.com', code)).hash.slice(1));
});

test('every link within the page works', () => {
  const links = [...page.matchAll(/ href="#([^"]+)"/g)].map(([, id]) => id);
  expect(links.length).toBeGreaterThan(200);
  expect([...new Set(links)].filter((id) => !ids.includes(id ?? ''))).toEqual([]);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

test('no link is inside another link', () => {
  expect(page).not.toMatch(/<a [^>]*>(?:(?!<\/a>).)*<a /s);
  expect(page).toContain('<a href="#smsShow"><code>GET /api/v1/sms/{id}</code></a>');
});

test('every request field has an example, a type and limits', () => {
  const [, field = ''] = page.match(/<li id="transactionInitialize.body.amount">(.*?)<\/li>/s) ?? [];
  expect(field).toContain('number or string');
  expect(field).toContain('0.01 to 100,000');
  expect(field).toContain('required');
  expect(page).toMatch(/<li id="transactionInitialize.body.email">(?:(?!required|<\/li>).)*<\/li>/s);
  expect(ids).toContain('transactionInitialize.data.authorization_url');
  expect(ids).toContain('transactionList.data.transactions');
});

test.each([
  ['the page', (text: string) => text.split(/(?=<section )/), (name: string) => `<code class="name">${name}</code>`],
  [
    'the Markdown',
    (text: string) => text.replace(/(?:- |, )\[(`\w+`)\]\(#shared\)/g, '- $1 (').split(/^(?=### )/m),
    (name: string) => `- \`${name}\` (`,
  ],
])('%s shows all parameters and fields', (kind, sectionsOf, named) => {
  const sections = sectionsOf(kind === 'the page' ? page : referenceMarkdown(reference));
  const titled = (id: string, title: string) =>
    sections.find((section) => section.includes(kind === 'the page' ? `id="${id}">` : `${title}\n\n`)) ?? '';
  // In the Markdown, nested fields may be listed in another section.
  const elsewhere = kind === 'the page' ? [] : [titled('', '### Shared'), titled('', '\n`POST /api/v1/request`')];
  let count = 0;
  const expectAll = (section: string, schema: Schema | undefined, places = [section]): void => {
    if (!schema || objectOf(reference, schema)) return;
    for (const [name, property] of Object.entries(schemaOf(reference, schema).properties ?? {})) {
      expect(places.some((place) => place.includes(named(name)))).toBe(true);
      count += 1;
      expectAll(section, property, [section, ...elsewhere]);
    }
    for (const child of [schemaOf(reference, schema).items, ...alternativesOf(schemaOf(reference, schema))])
      expectAll(section, child, places);
  };
  for (const { method, path, operation } of routesOf(reference)) {
    const section = titled(operation.operationId, `\n\`${method} ${path}\``);
    for (const { name, in: place } of operation.parameters)
      if (kind === 'the Markdown' && place === 'path') expect(titled('', '### In a path')).toContain(named(name));
      else if (place === 'query' && PAGE_PARAMETERS.some((one) => one === name))
        expect(section).toMatch(/as every .*list/);
      else if (place !== 'header') expect(section).toContain(named(name));
    expectAll(section, operation.requestBody?.content['application/json']?.schema);
    expectAll(section, dataOf(reference, operation.responses[200]?.content));
  }
  for (const [type, { post }] of Object.entries(reference.webhooks))
    expectAll(titled(post.operationId, `### \`${type}\``), dataOf(reference, post.requestBody?.content));
  for (const name of reference.objects) {
    const { properties = {} } = reference.components.schemas[name] ?? {};
    for (const property of Object.keys(properties)) expect(titled(name, `### ${name}`)).toContain(named(property));
  }
  expect(count).toBeGreaterThan(300);
  expect(titled('repeating-a-request', '### Repeating a request')).toMatch(/Idempotency-Key(<\/code>|`)/);
});

test('shared objects are described once', () => {
  const [, charge = ''] = page.match(/<section [^>]*id="Charge">(.*?)<\/section>/s) ?? [];
  expect(ids).toContain('Charge.overpaid');
  expect(page.split('<code class="name">overpaid</code>')).toHaveLength(2);
  expect(charge).toContain('"merchant_reference": "A-1007"');
  for (const id of ['transactionVerify', 'transactionCancel', 'onChargeReversed', 'Payment']) {
    const [, section = ''] = page.match(new RegExp(`<section [^>]*id="${id}">(.*?)</section>`, 's')) ?? [];
    if (id !== 'Payment') expect(section).toContain('<a href="#Charge">Charge</a>');
    expect(section).not.toContain('merchant_reference"');
  }
  // Other examples show only the differences.
  const [, cancelled = ''] = page.match(/<section [^>]*id="onChargeCancelled">(.*?)<\/section>/s) ?? [];
  expect(cancelled).toContain('"status": "cancelled"');
  expect(cancelled).toMatch(/…\n\s+}/);
});

test('the page first states that amounts are in cedis', () => {
  const [, guide = ''] = page.match(/<section [^>]*id="coming-from">(.*?)<\/section>/s) ?? [];
  expect(guide).toMatch(/^.*?<p><strong>Amounts are in cedis, not pesewas\.<\/strong>/s);
  for (const name of ['Paystack', 'Stripe', 'Hubtel', 'Twilio']) expect(guide).toContain(`<h4>${name}</h4>`);
});

test('the page and its assets have at most 394 KB', () => {
  expect(page.length, 'shorten what is said, or raise this knowingly').toBeLessThan(394_000);
  expect(gzipSync(page).length).toBeLessThan(70_000);
  expect(page).not.toMatch(/<(?:script|img|iframe|link(?! rel="alternate"))[^>]+(?:src|href)="(?!data:)/);
  expect(page).not.toContain('@import');
  expect(page).not.toContain('url(');
});
