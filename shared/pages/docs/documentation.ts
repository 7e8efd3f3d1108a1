import { htmlAnswer, type Operation } from '../../runtime/http/operation.ts';

/** What the reference says about itself. */
export const referenceOperations = {
  'docs/openapi': {
    tag: 'Reference',
    summary: 'The reference for programs',
    description: 'This document, OpenAPI 3.1. Generate a client from it.',
    path: {},
    otherAnswers: {
      200: {
        description: 'The document.',
        content: { 'application/json': { schema: { type: 'object', additionalProperties: true } } },
      },
    },
  },
  'docs/page': {
    tag: 'Reference',
    summary: 'The reference for people',
    description: 'This page.',
    path: {},
    otherAnswers: { 200: htmlAnswer('The page.') },
  },
} satisfies Record<string, Operation>;
