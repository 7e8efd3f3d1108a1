import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { Outside } from '../outside/outside.ts';
import type { ErrorCode, PublicError } from '../values/errors.ts';

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

/** The caller that a request's headers or cookies identify, where its path asks for one. @throws PublicError `unauthorized`. */
export type Authenticate<Caller> = (
  request: Pick<APIGatewayProxyEventV2, 'headers' | 'cookies' | 'rawPath'>,
  outside: Outside,
) => Promise<Caller>;
