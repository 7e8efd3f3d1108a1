import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import type { Answer } from '../../shared/runtime/http/answer.ts';

/**
 * What a synchronous call may carry in either direction, as JSON: Lambda's 6 MB. (It lets an answer have 100 bytes more, for
 * its own use.) A binary body counts as its base64, a third more.
 */
export const MAX_PAYLOAD_BYTES = 6 * 1024 * 1024;

/** Calls a function as an HTTP API does: Lambda refuses what is too large, and API Gateway says so in its own words. */
export async function invoke(
  handler: (event: APIGatewayProxyEventV2, context: Context) => Promise<Answer>,
  event: APIGatewayProxyEventV2,
): Promise<Answer> {
  if (isTooLarge(event)) return TOO_LARGE;
  const answer = await handler(event, CONTEXT);
  if (!isTooLarge(answer)) return answer;
  console.error(
    `The answer to ${event.routeKey} is larger than the ${MAX_PAYLOAD_BYTES} bytes that Lambda lets through.`,
  );
  return GATEWAY_ERROR;
}

function isTooLarge(payload: object): boolean {
  return Buffer.byteLength(JSON.stringify(payload)) > MAX_PAYLOAD_BYTES;
}

/** What API Gateway itself answers. */
export const TOO_LARGE = gatewayAnswer(413, 'Request Too Long');
export const GATEWAY_ERROR = gatewayAnswer(500, 'Internal Server Error');

function gatewayAnswer(statusCode: number, message: string): Answer {
  return { statusCode, headers: { 'content-type': 'application/json' }, body: JSON.stringify({ message }) };
}

/** The HTTP functions use nothing of Lambda's context. */
const CONTEXT = {} as Context;
