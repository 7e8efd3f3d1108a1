import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import * as z from 'zod';
import { openApiDocument } from '../../infra/openapi/document.ts';
import { documentedRoutes, eventDocumentation } from '../../infra/openapi/documented-routes.ts';
import { matchRoute } from '../../shared/runtime/http/match-route.ts';

export const referenceDocument = openApiDocument(documentedRoutes, eventDocumentation);

const ObjectSchema = z.object({ type: z.literal('object'), properties: z.object({}) });

/** The API reference as a JSON schema. Unlike the reference, it does not allow additional fields. */
const strict: unknown = JSON.parse(JSON.stringify(referenceDocument), (_key, value) =>
  ObjectSchema.safeParse(value).success ? Object.assign({ additionalProperties: false }, value) : value,
);

const Response = z.object({
  $ref: z.string().optional(),
  'x-error-codes': z.array(z.string()).optional(),
  content: z.record(z.string(), z.unknown()).optional(),
});
const Operations = z.record(z.string(), z.object({ responses: z.record(z.string(), Response) }));
const { paths, components } = z
  .object({
    paths: z.record(z.string(), Operations),
    components: z.object({ responses: z.record(z.string(), Response) }),
  })
  .parse(strict);

/**
 * Throws unless the API reference documents this response with its status, content type and every field. Ignores
 * unknown paths and deliberately undocumented ones.
 */
export function requireDocumented(
  method: string,
  path: string,
  answer: { status: number; contentType: string | null; text: string },
): void {
  const route = routeOf(path);
  const operation = route && paths[route]?.[method.toLowerCase()];
  if (!operation) return;
  const { status, text } = answer;
  const where = `${method} ${route} ${status}`;
  const given = operation.responses[status];
  if (!given) throw new Error(`The reference does not document ${where}: ${text}`);
  const named = given.$ref ? (components.responses[given.$ref.split('/').at(-1) ?? ''] ?? {}) : given;
  const { content, 'x-error-codes': codes } = named;
  const type = answer.contentType?.split(';')[0] ?? '';
  if (content ? !(type in content) : text !== '')
    throw new Error(`The reference does not document ${type} of ${where}: ${text}`);
  if (!content || type !== 'application/json') return;
  const response = given.$ref ?? pointerTo('paths', route, method.toLowerCase(), 'responses', String(status));
  requireValid(`${response}/content/application~1json/schema`, where, text);
  const { status: isSuccess, code } = Envelope.parse(JSON.parse(text));
  // The reference states this in prose, because some generators cannot handle a constant boolean.
  if (typeof isSuccess === 'boolean' && isSuccess !== status < 400)
    throw new Error(`${where} says ${isSuccess}: ${text}`);
  if (codes && !codes.includes(code ?? ''))
    throw new Error(`The reference does not document ${code} of ${where}: ${text}`);
}

/** Throws unless the API reference documents this webhook and all of its fields. */
export function requireDocumentedEvent(body: string): void {
  const { type } = z.object({ type: z.string() }).parse(JSON.parse(body));
  requireValid(pointerTo('webhooks', type, 'post', 'requestBody', 'content', 'application/json', 'schema'), type, body);
}

/** Returns the documented route for a path. As in API Gateway, the route with the fewest parameters wins. */
function routeOf(path: string): string | undefined {
  if (paths[path]) return path;
  const { pathname } = new URL(path, 'http://localhost');
  const fitting = Object.keys(paths).filter((route) => matchRoute(route, pathname));
  return fitting.sort((a, b) => a.split('{').length - b.split('{').length)[0];
}

const Envelope = z.object({ status: z.unknown().optional(), code: z.string().optional() });

const validators = new Map<string, ValidateFunction>();

function pointerTo(...steps: string[]): string {
  return `#/${steps.map((step) => step.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')}`;
}

function requireValid(pointer: string, where: string, text: string): void {
  const validate = validators.get(pointer) ?? ajv.getSchema(`openapi.json${encodeURI(pointer)}`);
  if (!validate) throw new Error(`The reference has no ${pointer}`);
  validators.set(pointer, validate);
  if (!validate(JSON.parse(text)))
    throw new Error(`${where} is not as documented: ${ajv.errorsText(validate.errors)}: ${text}`);
}

// Ajv ignores OpenAPI's own keywords.
const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
// The WHATWG URL standard accepts more than RFC 3986.
ajv.addFormat('uri', URL.canParse);
ajv.addSchema(z.record(z.string(), z.unknown()).parse(strict), 'openapi.json');
