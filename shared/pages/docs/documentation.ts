import { htmlAnswer, type Operation, textAnswer } from '../../runtime/http/operation.ts';

export const referenceOperations = {
  'docs/openapi': {
    tag: 'Reference',
    summary: 'The reference for programs',
    description: 'This document, in OpenAPI 3.1 format. You can generate a client from it.',
    path: {},
    otherAnswers: {
      200: {
        description: 'The document.',
        content: { 'application/json': { schema: { type: 'object', additionalProperties: true } } },
      },
    },
  },
  'docs/markdown': {
    tag: 'Reference',
    summary: 'The reference as Markdown',
    description: 'This reference as plain text, for scripts and AI tools.',
    path: {},
    otherAnswers: { 200: textAnswer('The text.', 'text/markdown') },
  },
  'docs/llms': {
    tag: 'Reference',
    summary: 'What you can read',
    description:
      'A machine-readable overview that links to the reference, following [llmstxt.org](https://llmstxt.org).',
    path: {},
    otherAnswers: { 200: textAnswer('The overview.', 'text/plain') },
  },
  'docs/page': {
    tag: 'Reference',
    summary: 'The reference for people',
    description: 'This page.',
    path: {},
    otherAnswers: { 200: htmlAnswer('The page.') },
  },
} satisfies Record<string, Operation>;
