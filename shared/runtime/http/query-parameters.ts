import { DEFAULT_PER_PAGE, MAX_PER_PAGE, type PAGE_PARAMETERS, type TIME_PARAMETERS } from './pagination.ts';

export interface Parameter {
  readonly description: string;
  readonly schema: { readonly type: 'string' | 'integer'; readonly [keyword: string]: unknown };
  readonly example?: string | number;
}

export const pageParameters = {
  per_page: {
    description:
      'The maximum number of entries on a page. A page can be short even if more entries follow: a request reads at most 1 MB. Continue while `meta.next` is set.',
    schema: { type: 'integer', minimum: 1, maximum: MAX_PER_PAGE, default: DEFAULT_PER_PAGE },
  },
  cursor: {
    description: 'The `meta.next` of the previous page. Omit it for the first page.',
    schema: { type: 'string' },
  },
} satisfies Record<(typeof PAGE_PARAMETERS)[number], Parameter>;

export const timeParameters = {
  from: {
    description: 'The earliest time (ISO 8601).',
    schema: { type: 'string' },
    example: '2026-11-20',
  },
  to: {
    description: 'The latest time (ISO 8601). A date means its whole day in Accra.',
    schema: { type: 'string' },
    example: '2026-11-20',
  },
} satisfies Record<(typeof TIME_PARAMETERS)[number], Parameter>;

export function choiceParameter(description: string, values: readonly string[], standard?: string): Parameter {
  return { description, schema: { type: 'string', enum: values, ...(standard && { default: standard }) } };
}
