/** The shapes of the rows in `functions/manifest.ts`. Plain data: CDK, the local server, the wrappers and the tests read them. */
import type { IndexName } from '../table/table-schema.ts';

/** The DynamoDB actions that a function's role may allow. Transactions need the actions of their legs. */
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

/** What a function may do to the table, each with the partitions where it may: names of partition keys, where `*` is anything. */
export type TableRights = { readonly [Action in TableAction]?: readonly string[] };

interface FunctionRow {
  /** Who is affected when this function fails, in one sentence: the text of its alarm. */
  readonly whenItFails: string;
  /** What it may do to the table beyond what its key and its method need (`complete-row.ts`). */
  readonly table?: TableRights;
  /** The partitions that it may query of the table's indexes. */
  readonly indexes?: { readonly [Name in IndexName]?: readonly string[] };
  /** The largest body that it accepts over HTTP; 256 KB by default. */
  readonly maxBodyKilobytes?: number;
  /** The queues it may send to. */
  readonly sendsTo?: readonly string[];
  /** Whether it may read the secret with the gateway accounts. */
  readonly readsGatewayAccounts?: boolean;
  /** The functions that it may call, whose answer it waits for. */
  readonly calls?: readonly string[];
  /** 10 by default. */
  readonly timeoutSeconds?: number;
  /** 512 by default; of customers' pages and the dashboard's areas 1,769, which bring a whole processor. */
  readonly memoryMegabytes?: number;
}

type HttpMethod = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** The kinds of API key. A key of kind `live` starts with `sk_live_`, one of kind `sms` with `sk_sms_`. */
export const keyKinds = ['live', 'sms'] as const;
export type KeyKind = (typeof keyKinds)[number];
/** What a key with a scope may be allowed to do. Each route that takes a key needs one of these. */
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
/** What a route accepts: one kind of key, or both. */
export type RouteKey = KeyKind | typeof keyKinds;

/** What public routes are for. Each kind has limits of its own at API Gateway, apart from those of routes that take a key. */
type PublicKind = 'pages' | 'claims' | 'callbacks' | 'docs';
export type ThrottleGroup = PublicKind | 'merchants';

/**
 * Who may call: holders of a key of this kind, or of either kind, whose scope has what the route needs, or anybody, for the
 * reason given in the row.
 */
export type Callers =
  | {
      readonly key: RouteKey;
      readonly needs: KeyPermission;
      readonly throttledWith?: never;
      /** What the audit calls what a key changes here. Unset where nothing is changed, or what a key makes says so itself. */
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
    /** The path as API Gateway writes it: `/a/{name}`. */
    readonly path: string;
    /** Files that the function serves, by their path in the repository. On Lambda they are beside its code. */
    readonly files?: readonly string[];
  };

/** The kinds of key that a route accepts; none if it is public. */
export function keyKindsOf({ key }: Pick<HttpRow, 'key'>): readonly KeyKind[] {
  if (key === undefined) return [];
  return typeof key === 'string' ? [key] : key;
}

/** What a browser or a program calls, by HTTP. */
export type CalledRow = HttpRow | DefaultRow | AreaRow;

/** The function behind API Gateway's `$default` route: everything that matches no other route. */
export interface DefaultRow extends FunctionRow {
  readonly on: 'default';
  readonly publicBecause: string;
  readonly throttledWith: PublicKind;
}

/** A part of the dashboard: one function for all pages and forms at a path and below it. */
export interface AreaRow extends FunctionRow {
  readonly on: 'area';
  /** Its pages are at this path and below it, by GET and POST. It has no parameter. */
  readonly path: `/dashboard/${string}`;
  /** Why API Gateway lets anybody call it. The function itself asks who it is. */
  readonly publicBecause: string;
}

export interface StreamRow extends FunctionRow {
  readonly on: 'stream';
  /** How many changes it gets at a time. */
  readonly batchSize: number;
  /**
   * Only changes that fit one of these reach the function: an event, and how the item's sort key may start. One entry an event:
   * AWS takes five filters.
   */
  readonly only: readonly {
    readonly event: 'INSERT' | 'MODIFY' | 'REMOVE';
    readonly sortKeyPrefixes: readonly string[];
  }[];
  /** A change that has to wait does so within it. */
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
  /** After this long Lambda stops a run, and the next may begin. */
  readonly timeoutSeconds: number;
}

/**
 * What only another function of ours calls, and waits for. It looks after the stage: it may see how all of it is, and handle
 * dead letters, which nothing should that strangers can reach.
 */
export interface CallRow extends FunctionRow {
  readonly on: 'call';
}

export type Row = HttpRow | DefaultRow | AreaRow | StreamRow | QueueRow | ScheduleRow | CallRow;

/** A row with all defaults filled in. */
export type CompleteRow = Row & Required<Pick<FunctionRow, 'table' | 'timeoutSeconds' | 'memoryMegabytes'>>;

export interface Queue {
  /** How often a message is received before it becomes a dead letter. */
  readonly maxReceiveCount: number;
  readonly deadLetterRetentionDays: number;
}
