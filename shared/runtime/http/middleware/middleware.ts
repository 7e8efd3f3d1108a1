import type middy from '@middy/core';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import type { ErrorCode, PublicError } from '../../values/errors.ts';
import type { Answer } from '../answer.ts';

/** How fast a caller may ask, and what its requests are counted by: for as long as this object is remembered. */
export interface Rate {
  readonly countedBy: object;
  readonly requestsPerSecond: number;
}

/** A request that was refused, or that failed: nothing of what it said. */
export interface Failure {
  readonly method: string;
  /** As the manifest has it. */
  readonly route: string;
  readonly status: number;
  readonly code?: ErrorCode;
  readonly request_id: string;
}

/** What is kept of a caller's requests for them to look up. Neither of the two ever rejects. */
interface Notes {
  /** The use of the key, which is noted beside the request. */
  readonly use: Promise<void>;
  readonly failed: (failure: Failure) => Promise<void>;
}

/** The holder of a key, or a person with a session: the merchant, the person, and the rate. An operator belongs to no merchant. */
export type AnyCaller =
  | {
      readonly merchant_id?: string | undefined;
      readonly user_id?: string;
      readonly rate: Rate;
      readonly notes?: Notes;
      /** Why this caller may not use this route, if so. */
      readonly refusal?: PublicError | undefined;
    }
  | undefined;

/** An event with what the middlewares add to it for the handler. */
export type HttpEvent<Caller> = APIGatewayProxyEventV2 & {
  caller: Caller;
  rawBody: string;
  rawBytes: Buffer;
  /** True if the body was no JSON until its line feeds were escaped. */
  isMended?: boolean;
};

/** What middlewares tell each other. */
export type Internal = { startedMs?: number; code?: ErrorCode };

export type Middleware<Caller = AnyCaller> = middy.MiddlewareObj<HttpEvent<Caller>, Answer, Error, Context, Internal>;
