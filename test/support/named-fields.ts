import {
  alternativesOf,
  dataOf,
  type OpenApi,
  type Operation,
  routesOf,
  type Schema,
  schemaOf,
} from '../../infra/reference/openapi.ts';
import { matchRoute } from '../../shared/runtime/http/match-route.ts';
import { keyPermissions } from '../../shared/runtime/triggers/row.ts';
import { errorCodes } from '../../shared/runtime/values/errors.ts';
import { WebhookEventType } from '../../shared/webhook/event.ts';

export interface Subject {
  readonly objects: readonly Schema[];
  readonly names?: readonly string[];
}

const PATH = /^[a-z]\w*(?:\[\w*\])?(?:\??\.[a-z]\w*(?:\[\w*\])?)*$/;
/** Matches `status: "success"` and `data.status === 'success'`. */
const COMPARED = /^"?([a-z][\w.[\]?]*)"?\s*(?:[!=]==?|[:=](?!\/\/))\s*["']?([^"']*)["']?$/;
const ROUTE = /^(GET|POST|PUT|DELETE) (\/api\/v1[^?]*)(?:\?(.*))?$/;
/** Matches prose about a field's value: `status` is `success`. */
const SAID = /`([^`]+)`(?: of [^`.,;]{0,30})? (?:is|are)(?: not)? `([^`]+)`/g;

/** Checks backticked names against the API reference. */
export function namesOf(document: OpenApi) {
  const everything = everySchema(document);
  const paths = routesOf(document);
  const fields = everything.flatMap((schema) => ownFields(schema));
  const values = new Set([
    ...everything.flatMap(({ enum: all = [], const: one }) => [...all, one].map(String)),
    ...paths.flatMap(({ operation }) => operation.parameters.flatMap(({ schema }) => (schema.enum ?? []).map(String))),
    ...[...WebhookEventType.options, ...errorCodes, ...keyPermissions],
  ]);

  function branchesOf(given: Schema): Schema[] {
    const schema = schemaOf(document, given);
    const parts = [...(schema.items ? [schema.items] : []), ...alternativesOf(schema)];
    return [schema, ...parts.flatMap(branchesOf)];
  }

  function fieldsOf(schema: Schema): [string, Schema][] {
    return branchesOf(schema).flatMap(ownFields);
  }

  function at(roots: readonly Schema[], path: string): Schema[] {
    const steps = path.replaceAll(/\[\w*\]|\?/g, '').split('.');
    const next = (schemas: readonly Schema[], step: string) =>
      schemas.flatMap(fieldsOf).flatMap(([name, field]) => (name === step ? [field] : []));
    return steps.reduce<Schema[]>(next, [...roots]);
  }

  function takes(field: Schema, value: string): boolean {
    const branches = branchesOf(field);
    const kinds = branches.flatMap(({ type = [] }) => type);
    const isFree = branches.some(({ type, enum: all, const: one }) => type === 'string' && !all && one === undefined);
    return (
      branches.some(({ enum: all = [], const: one }) => [...all, one].map(String).includes(value)) ||
      isFree ||
      (/^(true|false)$/.test(value) && kinds.includes('boolean')) ||
      (/^-?[\d.]+$/.test(value) && kinds.some((kind) => kind === 'number' || kind === 'integer')) ||
      (value === 'null' && kinds.includes('null'))
    );
  }

  function isRoute(method: string, path: string, query = ''): boolean {
    const found = paths.find(
      (route) => route.method === method && (route.path === path || matchRoute(route.path, path)),
    );
    const known = found?.operation.parameters.map(({ name }) => name) ?? [];
    return (
      found !== undefined && query.split('&').every((part) => part === '' || known.includes(part.split('=')[0] ?? ''))
    );
  }

  function isWrong(span: string, { objects, names = [] }: Subject): boolean {
    if (names.includes(span) || values.has(span)) return false;
    const [, method = '', path = '', query] = ROUTE.exec(span) ?? [];
    if (method) return !isRoute(method, path, query);
    if (PATH.test(span)) return at(objects, span).length === 0;
    const [, field = '', value = ''] = COMPARED.exec(span) ?? [];
    return field !== '' && !at(objects, field).some((one) => takes(one, value));
  }

  return {
    at,
    fieldsOf,
    /** Finds wrong names in backticks: unknown fields, impossible values and nonexistent routes. */
    wrongIn(text: string, subject: Subject): string[] {
      const prose = text.replaceAll(/```[\s\S]*?```/g, '');
      const spans = [...prose.matchAll(/`([^`]+)`/g)].map(([, span = '']) => span);
      const said = [...prose.matchAll(SAID)].flatMap(([, field = '', value = '']) => {
        const found = at(subject.objects, field);
        return found.length > 0 && !found.some((one) => takes(one, value)) ? [`${field} is ${value}`] : [];
      });
      return [...spans.filter((span) => isWrong(span, subject)), ...said];
    },
    /** Finds comparisons that are never true for any response, and nonexistent paths under `data`. */
    wrongInCode(code: string): string[] {
      const compared = [...code.matchAll(/(?<!typeof )\b([\w.?[\]]*?)(\w+)\s*[!=]==?\s*'([^']*)'/g)].flatMap(
        ([whole, , name = '', value = '']) => {
          const known = fields.filter(([field]) => field === name);
          return known.length > 0 && !known.some(([, field]) => takes(field, value)) ? [whole] : [];
        },
      );
      const objects = everything.flatMap(ownFields).flatMap(([name, field]) => (name === 'data' ? [field] : []));
      const below = [...code.matchAll(/\bdata\??\.(\w+(?:\??\.\w+)*)/g)].flatMap(([whole, path = '']) =>
        at(objects, path).length > 0 ? [] : [whole],
      );
      return [...compared, ...below];
    },
  };
}

function ownFields({ properties = {} }: Schema): [string, Schema][] {
  return Object.entries(properties);
}

function everySchema(document: OpenApi): Schema[] {
  const within = (schema: Schema): Schema[] => [
    schema,
    ...[
      ...Object.values(schema.properties ?? {}),
      ...(schema.items ? [schema.items] : []),
      ...alternativesOf(schema),
    ].flatMap(within),
  ];
  const ofOperation = ({ requestBody, responses }: Operation) =>
    [requestBody, ...Object.values(responses)].flatMap((one) =>
      Object.values(one?.content ?? {}).map(({ schema }) => schema),
    );
  return [
    ...routesOf(document).flatMap(({ operation }) => ofOperation(operation)),
    ...Object.values(document.webhooks).flatMap(({ post }) => ofOperation(post)),
    ...Object.values(document.components.schemas),
  ].flatMap(within);
}

/** Returns the schemas of an operation's request body and response data, with and without the envelope. */
export function objectsOf(document: OpenApi, { requestBody, responses }: Operation): Schema[] {
  const bodies = [requestBody?.content, responses[200]?.content];
  return bodies.flatMap((content) => {
    const schema = content?.['application/json']?.schema;
    const data = dataOf(document, content);
    return [...(schema ? [schema] : []), ...(data ? [data] : [])];
  });
}
