import type { IndexName } from '../table/table-schema.ts';

export const tableActions = [
  'GetItem',
  'BatchGetItem',
  'Query',
  'ConditionCheckItem',
  'PutItem',
  'UpdateItem',
  'DeleteItem',
] as const;
type TableAction = (typeof tableActions)[number];

export type TableRights = { readonly [Action in TableAction]?: readonly string[] };

/** Table rights: the allowed partitions for each action and index. `*` matches any characters. */
export interface Rights {
  readonly table?: TableRights;
  readonly indexes?: { readonly [Name in IndexName]?: readonly string[] };
}

interface FunctionRow {
  readonly whenItFails: string;
  readonly maxBodyKilobytes?: number;
  readonly sendsTo?: readonly string[];
  readonly readsGatewayAccounts?: boolean;
  readonly calls?: readonly string[];
  readonly timeoutSeconds?: number;
  /** Memory in megabytes, 512 by default. Pages get 1,769, which equals one full CPU. */
  readonly memoryMegabytes?: number;
}

type HttpMethod = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Kinds of API key, with the prefixes `sk_live_` and `sk_sms_`. */
export const keyKinds = ['live', 'sms'] as const;
export type KeyKind = (typeof keyKinds)[number];
/** Permissions of a scoped key. Every route that requires an API key requires one of these permissions. */
export const keyPermissions = [
  'charges:read',
  'charges:write',
  'links:write',
  'receipts:read',
  'receipts:assign',
  'refunds:write',
  'texts:read',
  'texts:send',
  'credits:read',
  'credits:buy',
  'balances:read',
  'webhooks:read',
  'webhooks:write',
] as const;
export type KeyPermission = (typeof keyPermissions)[number];
export type RouteKey = KeyKind | typeof keyKinds;

/** Kinds of public route. API Gateway limits the rate of each kind separately. */
type PublicKind = 'pages' | 'claims' | 'callbacks' | 'docs';
export type ThrottleGroup = PublicKind | 'merchants';

/** Callers that a route accepts: API keys that have its permission or, for a stated reason, anybody. */
export type Callers =
  | {
      readonly key: RouteKey;
      readonly needs: KeyPermission;
      readonly throttledWith?: never;
      /** The audit log's name for this change. Unset if the route changes nothing or writes its own entry. */
      readonly audited?: string;
    }
  | {
      readonly key?: never;
      readonly needs?: never;
      readonly audited?: never;
      readonly publicBecause: string;
      readonly throttledWith: PublicKind;
    };

export type HttpRow = FunctionRow &
  Callers & {
    readonly on: 'http';
    readonly method: HttpMethod;
    readonly path: string;
    /** Repository paths of files that the function serves, deployed with its code. */
    readonly files?: readonly string[];
  };

export function keyKindsOf({ key }: Pick<HttpRow, 'key'>): readonly KeyKind[] {
  if (key === undefined) return [];
  return typeof key === 'string' ? [key] : key;
}

export type CalledRow = HttpRow | DefaultRow | AreaRow;

/** The function behind API Gateway's `$default` route, which receives all other requests. */
export interface DefaultRow extends FunctionRow {
  readonly on: 'default';
  readonly publicBecause: string;
  readonly throttledWith: PublicKind;
}

export interface AreaRow extends FunctionRow {
  readonly on: 'area';
  readonly path: `/dashboard/${string}`;
  /** Reason why the route is public. The function checks sessions itself. */
  readonly publicBecause: string;
}

export interface StreamRow extends FunctionRow {
  readonly on: 'stream';
  readonly batchSize: number;
  /** Filters by event and sort-key prefix, one per event. AWS allows five. */
  readonly only: readonly {
    readonly event: 'INSERT' | 'MODIFY' | 'REMOVE';
    readonly sortKeyPrefixes: readonly string[];
  }[];
  /**
   * Timeout of one attempt. If a change must wait for a deployment, the function waits for most of this time before the
   * attempt ends.
   */
  readonly timeoutSeconds: number;
}

export interface QueueRow extends FunctionRow {
  readonly on: 'queue';
  readonly queue: string;
  readonly batchSize: number;
}

export interface ScheduleRow extends FunctionRow {
  readonly on: 'schedule';
  readonly everyMinutes: number;
  readonly timeoutSeconds: number;
}

/**
 * A function that only our own functions call. It can read the whole stage and handle dead letters, which no public
 * function may do.
 */
export interface CallRow extends FunctionRow {
  readonly on: 'call';
}

export type Row = HttpRow | DefaultRow | AreaRow | StreamRow | QueueRow | ScheduleRow | CallRow;

export type CompleteRow = Row &
  Required<Pick<FunctionRow, 'timeoutSeconds' | 'memoryMegabytes'> & Pick<Rights, 'table'>> &
  Pick<Rights, 'indexes'>;

export interface Queue {
  readonly maxReceiveCount: number;
  readonly deadLetterRetentionDays: number;
}
