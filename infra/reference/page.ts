import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { html, raw } from 'hono/html';
import assets from '../../shared/pages/docs/assets.json' with { type: 'json' };
import { type ErrorCode, errorAnchor, errorCodes, statusOfCode } from '../../shared/runtime/values/errors.ts';
import { errorDescriptions } from '../openapi/error-descriptions.ts';
import { failureExample } from '../openapi/failures.ts';
import { errorTable, introduction } from '../openapi/introduction.ts';
import { comingFrom } from './coming-from.ts';
import { fieldList, fieldsOf, type Html } from './fields.ts';
import { inlineMarkdown, markdown } from './markdown.ts';
import { exampleOf, OpenApi, type Operation } from './openapi.ts';
import { errorCodesOf, operationSection, routesOf } from './operation-section.ts';
import { codeColumn, jsonBlock, type Language, languages, sampleBlocks } from './samples.ts';

/** The reference for people, whole: a page that reads without a script, made from the OpenAPI document. */
export async function referencePage(given: unknown): Promise<string> {
  const document = OpenApi.parse(given);
  const parts = partsOf(document);
  const page = await html`<!doctype html>
<html lang="en" id="top">
<head>
<meta charset="utf-8">
<title>Momo Kiosk: API reference</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="#f4f2ee" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#14161a" media="(prefers-color-scheme: dark)">
<link rel="icon" href="data:,">
<style>${raw(assets['reference.css'])}</style>
</head>
<body>
<header>
<a class="contents button" href="#contents">Contents</a>
<fieldset><legend class="unseen">Language of the samples</legend>${languages.map(([language, name], index) => html`<input type="radio" name="language" id="in-${language}" value="${language}"${index === 0 && raw(' checked')}><label for="in-${language}">${name}</label>`)}</fieldset>
</header>
${navigation(parts)}
<main>
<h1>Momo Kiosk API</h1>
<p class="lead">${document.info.summary} The same for programs: <a href="/openapi.json">openapi.json</a>.</p>
${parts.map(partOf)}
</main>
<script>${raw(assets['reference.js'])}</script>
</body>
</html>
`;
  return withLinks(document, String(page));
}

/** Where a text names an operation by its method and path, it leads there. */
function withLinks(document: OpenApi, page: string): string {
  return routesOf(document).reduce((text, { method, path, operation }) => {
    const name = `<code>${method} ${path}</code>`;
    return text.replaceAll(name, `<a href="#${operation.operationId}">${name}</a>`);
  }, page);
}

function partOf({ id, title, about, sections }: Part): Html {
  return html`<h2 id="${id}">${title}</h2>${markdown(about)}${sections.map((section) => section.html)}`;
}

function partsOf(document: OpenApi): Part[] {
  const [errors] = guides.filter(({ id }) => id === 'errors');
  const others = guides.filter((guide) => guide !== errors);
  return [
    {
      id: 'guides',
      title: 'Guides',
      about: '',
      sections: others.map((guide) => ({ ...guide, html: guideSection(guide) })),
    },
    ...document.tags.map(({ name, description }) => ({
      id: slug(name),
      title: name,
      about: description,
      sections: routesOf(document)
        .filter(({ operation }) => operation.tags[0] === name)
        .map((route) => ({
          id: route.operation.operationId,
          title: route.operation.summary,
          html: operationSection(document, route),
        })),
    })),
    {
      id: 'events',
      title: 'Events',
      about: 'What is posted to your webhook. [Verify each one](#webhooks) before you believe it.',
      sections: Object.entries(document.webhooks).map(([type, { post }]) => ({
        id: post.operationId,
        title: html`<code>${type}</code>`,
        html: eventSection(document, type, post),
      })),
    },
    {
      id: 'errors',
      title: 'Errors',
      about: errors?.text ?? '',
      sections: errorCodes.map((code) => ({
        id: errorAnchor(code),
        title: html`<code>${code}</code>`,
        html: errorSection(document, code),
      })),
    },
  ];
}

function guideSection({ id, title, text }: Guide): Html {
  const isWebhooks = id === 'webhooks';
  return html`<section class="card${isWebhooks ? '' : ' guide'}" id="${id}">
<div class="text"><h3><a href="#${id}">${title}</a></h3>${markdown(text)}</div>
${isWebhooks && codeColumn(sampleBlocks(verifyWebhook))}
</section>`;
}

function slug(title: string): string {
  return title.toLowerCase().replaceAll(' ', '-');
}

/** One error code: what it means, what to do, and which operations answer with it. Every error's `doc_url` leads to one. */
function errorSection(document: OpenApi, code: ErrorCode): Html {
  const { meaning, whatToDo } = errorDescriptions[code];
  const routes = routesOf(document).filter(({ operation }) =>
    errorCodesOf(document, operation).some((one) => one.code === code),
  );
  return html`<section class="card" id="${errorAnchor(code)}">
<div class="text">
<h3><a href="#${errorAnchor(code)}"><code>${code}</code></a></h3>
<p class="route"><b class="method delete">${statusOfCode[code]}</b></p>
<p>${inlineMarkdown(meaning)}</p>
<p><b>What to do.</b> ${inlineMarkdown(whatToDo)}</p>
${routes.length > 0 && html`<h4>Answered by</h4><p class="errors">${routes.map(({ operation }) => html`<a href="#${operation.operationId}">${operation.summary}</a> `)}</p>`}
</div>
${codeColumn([jsonBlock(`Answer: ${statusOfCode[code]}`, failureExample(code))])}
</section>`;
}

/** One type of event: when it is posted, and what is in it. */
function eventSection(
  document: OpenApi,
  type: string,
  { operationId: id, summary, description, requestBody }: Operation,
): Html {
  const body = requestBody?.content['application/json'];
  const data = body?.schema.properties?.data;
  return html`<section class="card" id="${id}">
<div class="text">
<h3><a href="#${id}">${summary}</a></h3>
<p class="route"><code>${type}</code></p>
${markdown(description)}
${data && html`<h4><code>data</code></h4>${fieldList(`${id}.data`, fieldsOf(document, data), { required: false })}`}
</div>
${codeColumn([jsonBlock('Body', exampleOf(body))])}
</section>`;
}

/** A part of the page, with the sections in it. */
interface Part {
  readonly id: string;
  readonly title: string;
  /** Markdown. */
  readonly about: string;
  readonly sections: readonly { readonly id: string; readonly title: Html | string; readonly html: Html }[];
}

/** Beside the text on a wide screen. On a phone it covers the page while it is the address's target, so it needs no script. */
function navigation(parts: readonly Part[]): Html {
  return html`<nav id="contents" aria-label="Contents">
<form id="search" role="search" hidden><label for="words" class="unseen">Search this page</label><input id="words" type="search" placeholder="Search" autocomplete="off" spellcheck="false"><p id="count" class="unseen" role="status"></p></form>
<ul id="found" role="list" hidden></ul>
<div id="all">
${parts.map(({ id, title, sections }) => html`<p><a href="#${id}">${title}</a></p><ul role="list">${sections.map((section) => html`<li><a href="#${section.id}">${section.title}</a></li>`)}</ul>`)}
</div>
<p class="close"><a class="button" href="#top">Close</a></p>
</nav>`;
}

/** A text of the reference that is about more than one operation. */
interface Guide {
  readonly id: string;
  readonly title: string;
  /** Markdown. */
  readonly text: string;
}

/** The sections of the document's introduction, without the table of errors, which have a section each; and one for the page alone. */
const guides: readonly Guide[] = [
  ...introduction
    .replace(errorTable, '')
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [title = '', ...lines] = section.split('\n');
      return { id: title.toLowerCase().replaceAll(' ', '-'), title, text: lines.join('\n').trim() };
    }),
  { id: 'coming-from', title: 'Coming from Paystack, Hubtel or Twilio', text: comingFrom },
];

/** Programs of their own, so that tests can run them: how to tell a genuine event from a forged one. */
const verifyWebhook: Readonly<Record<Language, string>> = {
  curl: sample('sh'),
  node: sample('mjs'),
  php: sample('php'),
  python: sample('py'),
};

function sample(extension: string): string {
  return readFileSync(join(import.meta.dirname, 'verify-webhook', `verify-webhook.${extension}`), 'utf8').trim();
}
