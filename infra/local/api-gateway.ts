import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import type { Answer } from '../../shared/runtime/http/answer.ts';
import { isoOf } from '../../shared/runtime/outside/outside.ts';

/**
 * Decodes the path before routes are matched, as an HTTP API does. Decoding happens once, so `%2F` also separates
 * segments, and a decoded question mark ends the path. Parameters are decoded again.
 */
export function pathOf({ url = '' }: IncomingMessage): string {
  const [written = ''] = url.split('?', 1);
  const [path = ''] = decoded(written).split('?', 1);
  return path;
}

/** Builds API Gateway's event for a request (payload format 2.0), as observed on AWS. */
export function httpEvent(
  request: IncomingMessage,
  body: Buffer,
  routeKey: string,
  pathParameters: Readonly<Record<string, string>> = {},
): APIGatewayProxyEventV2 {
  const { url = '', method = 'GET', httpVersion, socket } = request;
  const path = pathOf(request);
  const rawQueryString = url.split('?').slice(1).join('?');
  const { cookie, ...headers } = headersOf(request);
  // API Gateway encodes everything except text in base64.
  const isText = /^(text\/|application\/(json|javascript|xml|x-www-form-urlencoded))/.test(
    headers['content-type'] ?? 'text/',
  );
  const nowMs = Date.now();
  return {
    version: '2.0',
    routeKey,
    rawPath: path,
    rawQueryString,
    ...(cookie !== undefined && { cookies: cookie.split(/; */) }),
    headers,
    ...(rawQueryString && { queryStringParameters: queryOf(rawQueryString) }),
    ...(Object.keys(pathParameters).length > 0 && { pathParameters }),
    ...(body.length > 0 && { body: body.toString(isText ? 'utf8' : 'base64') }),
    isBase64Encoded: body.length > 0 && !isText,
    requestContext: {
      accountId: '000000000000',
      apiId: 'local',
      domainName: headers.host ?? 'localhost',
      domainPrefix: 'local',
      http: {
        method,
        path,
        protocol: `HTTP/${httpVersion}`,
        sourceIp: socket.remoteAddress ?? '',
        userAgent: headers['user-agent'] ?? '',
      },
      requestId: randomUUID(),
      routeKey,
      stage: '$default',
      time: isoOf(nowMs),
      timeEpoch: nowMs,
    },
  };
}

function headersOf({ headersDistinct }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headersDistinct).map(([name, values = []]) => [name, values.join(name === 'cookie' ? '; ' : ',')]),
  );
}

function queryOf(rawQueryString: string): Record<string, string> {
  const query = new URLSearchParams(rawQueryString);
  return Object.fromEntries([...query.keys()].map((name) => [name, query.getAll(name).join(',')]));
}

/** Returns an undecodable string unchanged. API Gateway's behaviour is unknown. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/**
 * Lambda's limit of 6 MB of JSON for a synchronous call, in either direction. A binary body is counted in base64, which
 * makes it a third larger.
 */
export const MAX_PAYLOAD_BYTES = 6 * 1024 * 1024;

/**
 * Calls a function as an HTTP API does. Responds with API Gateway's error message if a payload is too large for Lambda.
 */
export async function invoke(
  handler: (event: APIGatewayProxyEventV2, context: Context) => Promise<Answer>,
  event: APIGatewayProxyEventV2,
): Promise<Answer> {
  if (isTooLarge(event)) return TOO_LARGE;
  const answer = await handler(event, CONTEXT);
  if (!isTooLarge(answer)) return answer;
  console.error(`The response to ${event.routeKey} exceeds Lambda’s limit of ${MAX_PAYLOAD_BYTES} bytes.`);
  return GATEWAY_ERROR;
}

function isTooLarge(payload: object): boolean {
  return Buffer.byteLength(JSON.stringify(payload)) > MAX_PAYLOAD_BYTES;
}

export const TOO_LARGE = gatewayAnswer(413, 'Request Too Long');
export const GATEWAY_ERROR = gatewayAnswer(500, 'Internal Server Error');

function gatewayAnswer(statusCode: number, message: string): Answer {
  return { statusCode, headers: { 'content-type': 'application/json' }, body: JSON.stringify({ message }) };
}

const CONTEXT = {} as Context;
