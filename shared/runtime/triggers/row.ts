/** Types of the rows in `functions/manifest.ts`: plain data for CDK, the local server, the wrappers and the tests. */
import type { IndexName } from '../table/table-schema.ts';

/** DynamoDB actions that a role may allow. Transactions need the actions of their legs. */
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

/** Rights of a function to the table: partitions by action, and by index. `*` stands for any characters. */
export interface Rights {
  readonly table?: TableRights;
  readonly indexes?: { readonly [Name in IndexName]?: readonly string[] };
}

interface FunctionRow {
  /** The people affected when this function fails, in one sentence: the alarm's text. */
  readonly whenItFails: string;
  readonly maxBodyKilobytes?: number;
  readonly sendsTo?: readonly string[];
  readonly readsGatewayAccounts?: boolean;
  readonly calls?: readonly string[];
  readonly timeoutSeconds?: number;
  /** 512 by default. Customers' pages and dashboard areas have 1,769, which is a full processor. */
  readonly memoryMegabytes?: number;
}

type HttpMethod = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Kinds of API key, by prefix: `sk_live_` and `sk_sms_`. */
export const keyKinds = ['live', 'sms'] as const;
export type KeyKind = (typeof keyKinds)[number];
/** Permissions of a scoped key. Each route with a key needs one. */
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

/** Kinds of public route. Each has its own limits at API Gateway, apart from those of routes with a key. */
type PublicKind = 'pages' | 'claims' | 'callbacks' | 'docs';
export type ThrottleGroup = PublicKind | 'merchants';

/** Callers of a route: keys of a kind (or both) whose scope has the route's permission, or anybody, with the reason. */
export type Callers =
  | {
      readonly key: RouteKey;
      readonly needs: KeyPermission;
      readonly throttledWith?: never;
      /**
       * The audit's name for the change a key makes. Unset if nothing changes, or the change writes its own audit
       * entry.
       */
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
    /** Files that the function serves, by repository path. On Lambda they are beside its code. */
    readonly files?: readonly string[];
  };

/** Accepted kinds of key; none for a public route. */
export function keyKindsOf({ key }: Pick<HttpRow, 'key'>): readonly KeyKind[] {
  if (key === undefined) return [];
  return typeof key === 'string' ? [key] : key;
}

export type CalledRow = HttpRow | DefaultRow | AreaRow;

/** The function behind API Gateway's `$default` route: everything that matches no other route. */
export interface DefaultRow extends FunctionRow {
  readonly on: 'default';
  readonly publicBecause: string;
  readonly throttledWith: PublicKind;
}

/** A part of the dashboard: one function for all pages and forms at a path and below. */
export interface AreaRow extends FunctionRow {
  readonly on: 'area';
  /** Serves GET and POST at this path and below. No parameters. */
  readonly path: `/dashboard/${string}`;
  /** The reason API Gateway lets anybody call it. The function itself checks the session. */
  readonly publicBecause: string;
}

export interface StreamRow extends FunctionRow {
  readonly on: 'stream';
  readonly batchSize: number;
  /** Filters: an event, and a prefix of the item's sort key. One entry per event, because AWS takes five filters. */
  readonly only: readonly {
    readonly event: 'INSERT' | 'MODIFY' | 'REMOVE';
    readonly sortKeyPrefixes: readonly string[];
  }[];
  /** A change that has to wait does so within this time. */
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
 * A function that only our own functions call, synchronously, for operations on the stage: it sees all of it and
 * handles dead letters, which nothing reachable by strangers may do.
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
