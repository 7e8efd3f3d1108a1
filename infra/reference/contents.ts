import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ErrorCode, errorAnchor, errorCodes } from '../../shared/runtime/values/errors.ts';
import { EVENTS } from '../openapi/document.ts';
import { errorTable, introduction } from '../openapi/introduction.ts';
import { comingFrom } from './coming-from.ts';
import { type OpenApi, type Operation, type Route, routesOf } from './openapi.ts';
import { recipes } from './recipes/recipes.ts';
import { type Sample, samplesOf } from './samples.ts';

export interface Part {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  readonly sections: readonly Section[];
}

/**
 * A section of the reference with its own URL fragment. Titles of guides and operations are prose; all others are
 * identifiers.
 */
export type Section = { readonly id: string; readonly title: string } & (
  | { readonly kind: 'guide'; readonly text: string; readonly samples: readonly Sample[] }
  | { readonly kind: 'diagram'; readonly text: string }
  | { readonly kind: 'operation'; readonly route: Route }
  | { readonly kind: 'event'; readonly operation: Operation }
  | { readonly kind: 'object' }
  | { readonly kind: 'shared'; readonly text: string }
  | { readonly kind: 'error'; readonly code: ErrorCode }
);

/** Returns the sections of the reference, in order. */
export function partsOf(document: OpenApi): Part[] {
  const [errors] = guides.filter(({ id }) => id === 'errors');
  return [
    { id: 'start', title: 'Start', about: '', sections: [firstCharge, whoTalks, ...recipeSections.slice(0, STARTED)] },
    {
      id: 'recipes',
      title: 'More recipes',
      about: 'These continue the program above.',
      sections: recipeSections.slice(STARTED),
    },
    { id: 'guides', title: 'Guides', about: '', sections: guides.filter((guide) => guide !== errors) },
    ...document.tags.map(({ name, description }) => ({
      id: slug(name),
      title: name,
      about: description,
      sections: name === EVENTS ? eventsOf(document) : operationsOf(document, name),
    })),
    {
      id: 'objects',
      title: 'Objects',
      about: 'Contained in several responses and events.',
      sections: [
        { kind: 'shared', id: 'shared', title: 'Shared', text: SHARED },
        ...[...document.objects].map((name) => ({ kind: 'object' as const, id: name, title: name })),
      ],
    },
    {
      id: 'errors',
      title: 'Errors',
      about: errors?.text ?? '',
      sections: errorCodes.map((code) => ({ kind: 'error' as const, id: errorAnchor(code), title: code, code })),
    },
  ];
}

const SHARED = 'The meaning of fields that are listed elsewhere without a description.';

const firstCharge: Section = {
  kind: 'guide',
  id: 'your-first-charge',
  title: 'Your first charge',
  text: 'Send the customer’s browser to the `authorization_url` of the response. With a test key no money moves.',
  samples: samplesOf({
    method: 'POST',
    path: '/api/v1/transaction/initialize',
    key: 'test',
    isRepeatable: true,
    body: { amount: '36.50', merchant_reference: 'order-7' },
  }),
};

const whoTalks: Section = {
  kind: 'diagram',
  id: 'who-talks-to-whom',
  title: 'Who talks to whom',
  text: 'The customer pays to your own MoMo number. Your phone forwards the network’s text about the payment.',
};

/** Number of recipes under Start. */
const STARTED = 5;
const recipeSections: readonly Section[] = recipes.map(({ code, ...recipe }) => ({
  kind: 'guide',
  ...recipe,
  samples: [{ caption: 'JavaScript', language: 'node', text: code }],
}));

function operationsOf(document: OpenApi, tag: string): Section[] {
  return routesOf(document)
    .filter(({ operation }) => operation.tags[0] === tag)
    .map((route) => ({ kind: 'operation', id: route.operation.operationId, title: route.operation.summary, route }));
}

function eventsOf({ webhooks }: OpenApi): Section[] {
  return Object.entries(webhooks).map(([type, { post }]) => ({
    kind: 'event',
    id: post.operationId,
    title: type,
    operation: post,
  }));
}

function slug(title: string): string {
  return title.toLowerCase().replaceAll(' ', '-');
}

/** Samples that verify a webhook, in separate files for testing. */
const verifyWebhook: readonly Sample[] = [
  { caption: 'curl', language: 'curl', text: verifying('verify-webhook.sh') },
  { caption: 'Node, with standardwebhooks from npm', language: 'node', text: verifying('with-library.mjs') },
  { caption: 'Node, with nothing to install', language: 'node', text: verifying('verify-webhook.mjs') },
  { caption: 'PHP', language: 'php', text: verifying('verify-webhook.php') },
  { caption: 'Python, with standardwebhooks from PyPI', language: 'python', text: verifying('with-library.py') },
  { caption: 'Python, with nothing to install', language: 'python', text: verifying('verify-webhook.py') },
];

function verifying(file: string): string {
  return readFileSync(join(import.meta.dirname, 'verify-webhook', file), 'utf8').trim();
}

/**
 * Sections of the document's introduction, plus one that is defined only here. Omits the table of errors, because each
 * error has its own section.
 */
const guides: readonly Extract<Section, { kind: 'guide' }>[] = [
  ...introduction
    .replace(errorTable, '')
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [title = '', ...lines] = section.split('\n');
      const id = slug(title);
      const samples = id === 'webhooks' ? verifyWebhook : [];
      return { kind: 'guide' as const, id, title, text: lines.join('\n').trim(), samples };
    }),
  {
    kind: 'guide',
    id: 'coming-from',
    title: 'Coming from Paystack, Stripe, Hubtel or Twilio',
    text: comingFrom,
    samples: [],
  },
];
