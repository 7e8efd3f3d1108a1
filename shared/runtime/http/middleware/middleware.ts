import type middy from '@middy/core';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import type { ErrorCode } from '../../values/errors.ts';
import type { Answer } from '../answer.ts';

/** How fast a caller may ask, and what its requests are counted by: for as long as this object is remembered. */
export interface Rate {
  readonly countedBy: object;
  readonly requestsPerSecond: number;
}

/** The holder of a key, or a person with a session: the merchant, the person, and the rate. An operator belongs to no merchant. */
export type AnyCaller =
  | { readonly merchant_id?: string | undefined; readonly user_id?: string; readonly rate: Rate }
  | undefined;

/** An event with what the middlewares add to it for the handler. */
export type HttpEvent<Caller> = APIGatewayProxyEventV2 & { caller: Caller; rawBody: string };

/** What middlewares tell each other. */
export type Internal = { startedMs?: number; code?: ErrorCode };

export type Middleware<Caller = AnyCaller> = middy.MiddlewareObj<HttpEvent<Caller>, Answer, Error, Context, Internal>;
