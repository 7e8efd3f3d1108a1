import type middy from '@middy/core';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import type { ErrorCode, PublicError } from '../../values/errors.ts';
import type { Answer } from '../answer.ts';

/** A caller's rate limit. Requests are counted per `countedBy` object while that object is in memory. */
export interface Rate {
  readonly countedBy: object;
  readonly requestsPerSecond: number;
}

export interface Failure {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly code?: ErrorCode;
  readonly request_id: string;
}

/** Writes in progress, which record a key's use and failed requests. Neither promise rejects. */
interface Notes {
  readonly use: Promise<void>;
  readonly failed: (failure: Failure) => Promise<void>;
}

/** The holder of an API key or session. The operator does not belong to a merchant. */
export type AnyCaller =
  | {
      readonly merchant_id?: string | undefined;
      readonly user_id?: string;
      readonly rate: Rate;
      readonly notes?: Notes;
      readonly refusal?: PublicError | undefined;
    }
  | undefined;

export type HttpEvent<Caller> = APIGatewayProxyEventV2 & {
  caller: Caller;
  rawBody: string;
  rawBytes: Buffer;
  /** True if the JSON body was valid only after escaping raw line feeds. */
  isRepaired?: boolean;
};

export type Internal = { startedMs?: number; code?: ErrorCode };

export type Middleware<Caller = AnyCaller> = middy.MiddlewareObj<HttpEvent<Caller>, Answer, Error, Context, Internal>;
