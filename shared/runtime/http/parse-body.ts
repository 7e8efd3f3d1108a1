import { closestMatch } from 'leven';
import * as z from 'zod/mini';
// Import only this module: `z.core` would bundle all of zod.
import { $ZodObject } from 'zod/v4/core';
import { type FieldError, refuseInvalid } from '../values/errors.ts';
import { isLongText, MAX_TEXT_CHARACTERS } from '../values/text.ts';

/**
 * Parses a request body. `missing` builds the message for a missing field from the field's rule.
 * @throws PublicError `invalid_request` that names each invalid field.
 */
export function parseBody<Body>(
  schema: z.core.$ZodType<Body>,
  body: unknown,
  missing: (rule: string) => string = (rule) => `is missing and ${rule}`,
): Body {
  refuseLongTexts(body, shapeOf(schema));
  const parsed = z.safeParse(schema, body);
  if (parsed.success) return parsed.data;
  // List unknown field names first, because a typo also makes the intended field missing.
  const isName = ({ code }: z.core.$ZodIssue) => code === 'unrecognized_keys';
  const { issues } = parsed.error;
  const inOrder = [...issues.filter(isName), ...issues.filter((issue) => !isName(issue))];
  refuseInvalid(inOrder.flatMap((issue) => fieldErrors(schema, body, issue, missing)));
  throw parsed.error;
}

/** @throws PublicError `invalid_request` for an unknown query parameter. */
export function refuseUnknownParameters(query: Readonly<Record<string, unknown>>, known: readonly string[]): void {
  const unknown = Object.keys(query).filter((name) => !known.includes(name));
  refuseInvalid(unknownFields(unknown, known));
}

/**
 * Every text from outside meets this limit before its first expression.
 * @throws PublicError `invalid_request` for texts above `MAX_TEXT_CHARACTERS`, except in a `longText` of `shape`.
 */
export function refuseLongTexts(given: unknown, shape: z.core.$ZodShape = {}): void {
  if (typeof given !== 'object' || given === null) return;
  const limited = Object.entries(given).filter(([name]) => {
    const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
    return !(field && isLongText(field));
  });
  const fields = limited.flatMap(([name, value]) => longTextsIn(value, name));
  refuseInvalid(
    fields.map((field) => ({
      field: field.slice(0, MAX_SHOWN_CHARACTERS),
      message: `must be at most ${MAX_TEXT_CHARACTERS} characters long`,
    })),
  );
}

function longTextsIn(value: unknown, field: string): string[] {
  if (typeof value === 'string') return value.length > MAX_TEXT_CHARACTERS ? [field] : [];
  if (Array.isArray(value)) return value.flatMap((one, n) => longTextsIn(one, `${field}[${n}]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) => longTextsIn(one, `${field}.${name}`));
}

function fieldErrors(
  schema: z.core.$ZodType,
  body: unknown,
  issue: z.core.$ZodIssue,
  missing: (rule: string) => string,
): FieldError[] {
  const field = issue.path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('');
  if (issue.code === 'unrecognized_keys') {
    const known = issue.path.length === 0 ? fieldsOf(schema) : [];
    const errors = unknownFields(issue.keys, known);
    return errors.map((error) => ({ ...error, field: `${field}.${error.field}`.replace(/^\./, '') }));
  }
  const [name] = issue.path;
  const isMissing = issue.path.length === 1 && typeof name === 'string' && !has(body, name);
  return [
    {
      field: field.replace(/^\./, '') || 'body',
      message: isMissing ? missing(issue.message) : issue.message,
    },
  ];
}

function has(body: unknown, name: string): boolean {
  return typeof body === 'object' && body !== null && Object.hasOwn(body, name);
}

function fieldsOf(schema: z.core.$ZodType): string[] {
  return Object.keys(shapeOf(schema));
}

function shapeOf(schema: z.core.$ZodType): z.core.$ZodShape {
  return schema instanceof $ZodObject ? schema._zod.def.shape : {};
}

function unknownFields(given: readonly string[], known: readonly string[]): FieldError[] {
  return given
    .slice(0, MAX_UNKNOWN_FIELDS)
    .map((field) => ({ field: field.slice(0, MAX_SHOWN_CHARACTERS), message: unknownField(field, known) }));
}

const NOT_HERE = 'is not a field of this request';

function unknownField(given: string, known: readonly string[]): string {
  if (/^idempotency[_-]?key$/i.test(given)) return `${NOT_HERE}. Send it as the header Idempotency-Key.`;
  const meant = nearest(given, known);
  if (meant === 'cursor') return `${NOT_HERE}. Did you mean "cursor"? It is the meta.next of the previous page.`;
  if (meant) return `${NOT_HERE}. Did you mean "${meant}"?`;
  return known.length === 0 ? NOT_HERE : `${NOT_HERE}. Use one of ${known.join(', ')}.`;
}

const NAMES_ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  cursor: ['page', 'offset', 'after', 'startingafter', 'next'],
  per_page: ['limit', 'pagesize', 'size', 'count'],
  merchant_reference: [
    'reference',
    'orderid',
    'ordernumber',
    'orderreference',
    'txref',
    'clientreference',
    'externalid',
  ],
  to: ['recipient', 'recipients', 'phonenumbers', 'numbers'],
  message: ['body', 'text', 'content', 'sms'],
  from: ['sender', 'senderid'],
};

/**
 * Suggests the intended field for a name from another service, a typo or a partial name: `callbackUrl`, `amuont`,
 * `phone`.
 */
function nearest(given: string, known: readonly string[]): string | undefined {
  const plain = (name: string) =>
    name
      .slice(0, MAX_SHOWN_CHARACTERS)
      .toLowerCase()
      .replace(/[^a-z]/g, '');
  const wanted = plain(given);
  if (wanted === '') return undefined;
  const elsewhere = known.find((name) => NAMES_ELSEWHERE[name]?.includes(wanted));
  if (elsewhere) return elsewhere;
  const match = closestMatch(wanted, known.map(plain), { maxDistance: Math.ceil(wanted.length / 4) });
  const [containing, ...more] = known.filter((name) => plain(name).includes(wanted) || wanted.includes(plain(name)));
  return known.find((name) => plain(name) === match) ?? (more.length === 0 ? containing : undefined);
}

const MAX_UNKNOWN_FIELDS = 10;
const MAX_SHOWN_CHARACTERS = 40;
