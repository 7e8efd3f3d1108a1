import { isDeepStrictEqual } from 'node:util';
import { objectOf } from './fields.ts';
import {
  alternativesOf,
  type Content,
  exampleOf,
  nameOf,
  type OpenApi,
  routesOf,
  type Schema,
  schemaOf,
} from './openapi.ts';

/** Marks omitted fields in a short example. */
export const REST = '…';

function exampleOfObject(document: OpenApi, name: string): unknown {
  const contents = [
    ...routesOf(document).map(({ operation }) => operation.responses[200]?.content),
    ...Object.values(document.webhooks).map(({ post }) => post.requestBody?.content),
  ];
  for (const content of contents) {
    const json = content?.['application/json'];
    const found = json && find(document, json.schema, exampleOf(json), name);
    if (found !== undefined) return found;
  }
  return undefined;
}

function find(document: OpenApi, given: Schema, value: unknown, name: string): unknown {
  if (value === null || value === undefined) return undefined;
  if (given.$ref !== undefined && nameOf(given.$ref) === name) return value;
  for (const [schema, part] of partsOf(document, given, value)) {
    const found = find(document, schema, part, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

function partsOf(document: OpenApi, given: Schema, value: unknown): [Schema, unknown][] {
  const schema = schemaOf(document, given);
  const { items, properties = {} } = schema;
  const parts: [Schema, unknown][] = alternativesOf(schema).map((alternative) => [alternative, value]);
  if (items && Array.isArray(value)) parts.push(...value.map((one): [Schema, unknown] => [items, one]));
  if (!isObject(value)) return parts;
  for (const [name, property] of Object.entries(properties)) parts.push([property, value[name]]);
  return parts;
}

/**
 * Shortens objects that have their own section. Keeps the first field, and the fields that differ from that section's
 * example.
 */
export function shortExample(document: OpenApi, given: Schema, value: unknown): unknown {
  const schema = schemaOf(document, given);
  const { items, properties = {} } = schema;
  const [alternative] = alternativesOf(schema);
  if (alternative) return shortExample(document, alternative, value);
  if (items && Array.isArray(value)) return value.map((one) => shortExample(document, items, one));
  if (!isObject(value)) return value;
  const object = objectOf(document, given);
  const whole = object && exampleOfObject(document, object);
  const entries = Object.entries(value);
  const kept = entries.filter(
    ([name, one], index) => index === 0 || !isObject(whole) || !isDeepStrictEqual(one, whole[name]),
  );
  const short = kept.map(([name, one]) => [name, shortExample(document, properties[name] ?? {}, one)]);
  return Object.fromEntries(kept.length < entries.length ? [...short, [REST, REST]] : short);
}

/** Returns the full example of an object with its own section. Nested objects are shortened. */
export function exampleOfSection(document: OpenApi, name: string): unknown {
  return shortExample(document, document.components.schemas[name] ?? {}, exampleOfObject(document, name));
}

/** Returns a response's example, or undefined if it only repeats other sections' examples. */
export function exampleOfAnswer(document: OpenApi, content: Content | undefined): unknown {
  const json = content?.['application/json'];
  const example = json && shortExample(document, json.schema, exampleOf(json));
  return JSON.stringify(example)?.includes(JSON.stringify(REST)) ? undefined : example;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
