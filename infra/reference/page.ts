import { html, raw } from 'hono/html';
import assets from '../../shared/pages/docs/assets.json' with { type: 'json' };
import { errorAnchor, errorCodes } from '../../shared/runtime/values/errors.ts';
import { codeColumn, sampleBlocks } from './code-block.ts';
import { errorSection } from './error-section.ts';
import { eventSection } from './event-section.ts';
import type { Html } from './field-list.ts';
import { type Guide, guides } from './guides.ts';
import { markdown } from './markdown.ts';
import { navigation, type Part } from './navigation.ts';
import { OpenApi } from './openapi.ts';
import { operationSection, routesOf } from './operation-section.ts';
import { languages } from './samples.ts';
import { verifyWebhook } from './verify-webhook.ts';

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
