import { html, raw } from 'hono/html';
import assets from '../../shared/pages/docs/assets.json' with { type: 'json' };
import { type ErrorCode, errorAnchor, statusOfCode } from '../../shared/runtime/values/errors.ts';
import { errorDescriptions } from '../openapi/error-descriptions.ts';
import { generalErrors } from '../openapi/general-errors.ts';
import { type Part, partsOf, type Section } from './contents.ts';
import { exampleOfSection, shortExample } from './examples.ts';
import { fieldList, fieldsOfObject, type Html, holdersOf, sharedFieldsOf } from './fields.ts';
import { inlineMarkdown, markdown } from './markdown.ts';
import { dataOf, exampleOf, type OpenApi, type Operation, ownErrorCodesOf, routesOf } from './openapi.ts';
import { dataFields, operationSection } from './operation-section.ts';
import { codeColumn, jsonBlock, languages, sampleBlocks } from './samples.ts';
import { drawingOfMessages } from './who-talks.ts';

export async function referencePage(document: OpenApi): Promise<string> {
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
<link rel="alternate" type="text/markdown" href="/docs.md" title="Markdown">
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
<p class="lead">${document.info.summary} The same for programs: <a href="/openapi.json">openapi.json</a>, <a href="/docs.md">docs.md</a>, <a href="/llms.txt">llms.txt</a>.</p>
${parts.map((part) => partOf(document, part))}
</main>
<script>${raw(assets['reference.js'])}</script>
</body>
</html>
`;
  return withLinks(document, String(page));
}

function withLinks(document: OpenApi, page: string): string {
  return routesOf(document).reduce((text, { method, path, operation }) => {
    const name = `<code>${method} ${path}</code>`;
    return text.replaceAll(name, `<a href="#${operation.operationId}">${name}</a>`);
  }, page);
}

function partOf(document: OpenApi, { id, title, about, sections }: Part): Html {
  return html`<h2 id="${id}">${title}</h2>${markdown(about)}${sections.map((section) => sectionOf(document, section))}`;
}

function sectionOf(document: OpenApi, section: Section): Html {
  if (section.kind === 'guide') return guideSection(section);
  if (section.kind === 'diagram') return diagramSection(section);
  if (section.kind === 'operation') return operationSection(document, section.route);
  if (section.kind === 'event') return eventSection(document, section.title, section.operation);
  if (section.kind === 'object') return objectSection(document, section.title);
  if (section.kind === 'shared') return sharedSection(document, section);
  return errorSection(document, section.code);
}

function guideSection({ id, title, text, samples }: Extract<Section, { kind: 'guide' }>): Html {
  return html`<section class="part${samples.length > 0 ? '' : ' guide'}" id="${id}">
<div class="text"><h3><a href="#${id}">${title}</a></h3>${markdown(text)}</div>
${samples.length > 0 && codeColumn(sampleBlocks(samples))}
</section>`;
}

function diagramSection({ id, title, text }: Extract<Section, { kind: 'diagram' }>): Html {
  return html`<section class="part guide" id="${id}">
<div class="text"><h3><a href="#${id}">${title}</a></h3>${markdown(text)}${drawingOfMessages()}</div>
</section>`;
}

/** Explains an error code and lists its operations. An error's `doc_url` links here. */
function errorSection(document: OpenApi, code: ErrorCode): Html {
  const { meaning, whatToDo } = errorDescriptions[code];
  const general = generalErrors.find(({ codes }) => codes.includes(code));
  const routes = routesOf(document).filter((route) =>
    ownErrorCodesOf(document, route).some((one) => one.code === code),
  );
  return html`<section class="part guide" id="${errorAnchor(code)}">
<div class="text">
<h3><a href="#${errorAnchor(code)}"><code>${code}</code></a></h3>
<p class="route"><b class="method delete">${statusOfCode[code]}</b></p>
<p>${inlineMarkdown(meaning)}</p>
<p><b>What to do.</b> ${inlineMarkdown(whatToDo)}</p>
${(general || routes.length > 0) && html`<h4>Returned by</h4><p class="errors">${general && html`<span>${general.of}</span> `}${routes.map(({ operation }) => html`<a href="#${operation.operationId}">${operation.summary}</a> `)}</p>`}
</div>
</section>`;
}

function eventSection(
  document: OpenApi,
  type: string,
  { operationId: id, summary, description, requestBody }: Operation,
): Html {
  const json = requestBody?.content['application/json'];
  return html`<section class="part" id="${id}">
<div class="text">
<h3><a href="#${id}">${summary}</a></h3>
<p class="route"><code>${type}</code></p>
${markdown(description)}
${dataFields(document, id, dataOf(document, requestBody?.content))}
</div>
${json && codeColumn([jsonBlock('Body', shortExample(document, json.schema, exampleOf(json)))])}
</section>`;
}

function objectSection(document: OpenApi, name: string): Html {
  return html`<section class="part" id="${name}">
<div class="text">
<h3><a href="#${name}"><code>${name}</code></a></h3>
<h4>Contained in</h4><p class="errors">${holdersOf(document, name).map(({ id, title }) => html`<a href="#${id}">${title}</a> `)}</p>
<h4>Fields</h4>${fieldList(document, name, fieldsOfObject(document, name), { required: false })}
</div>
${codeColumn([jsonBlock('Example', exampleOfSection(document, name))])}
</section>`;
}

function sharedSection(document: OpenApi, { id, title, text }: Extract<Section, { kind: 'shared' }>): Html {
  const fields = [...sharedFieldsOf(document).values()];
  return html`<section class="part guide" id="${id}">
<div class="text"><h3><a href="#${id}">${title}</a></h3>${markdown(text)}${fieldList(document, id, fields, { required: false, shared: true })}</div>
</section>`;
}

/** Renders the navigation. On a phone, it covers the page while the URL points to it, so no script is needed. */
function navigation(parts: readonly Part[]): Html {
  return html`<nav id="contents" aria-label="Contents">
<form id="search" role="search" hidden><label for="words" class="unseen">Search this page</label><input id="words" type="search" placeholder="Search" autocomplete="off" spellcheck="false"><p id="count" class="unseen" role="status"></p></form>
<ul id="found" role="list" hidden></ul>
<div id="all">
${parts.map(({ id, title, sections }) => html`<p><a href="#${id}">${title}</a></p><ul role="list">${sections.map((section) => html`<li><a href="#${section.id}">${titleOf(section)}</a></li>`)}</ul>`)}
</div>
<p class="close"><a class="button" href="#top">Close</a></p>
</nav>`;
}

function titleOf({ kind, title }: Section): Html | string {
  return ['guide', 'diagram', 'operation', 'shared'].includes(kind) ? title : html`<code>${title}</code>`;
}
