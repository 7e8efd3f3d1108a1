import type * as z from 'zod/mini';
import type { ZodOpenApiResponsesObject } from 'zod-openapi';
import type { ErrorCode } from '../values/errors.ts';
import type { Parameter } from './query-parameters.ts';

export type Tag =
  | 'Charges'
  | 'Texts'
  | 'Payment links'
  | 'Payment requests'
  | 'Receipts'
  | 'Wallets'
  | 'Your webhook'
  | 'Test mode'
  | 'Checkout'
  | 'Reference';

/** An example value and its caption. */
export interface Example<Value = unknown> {
  readonly summary: string;
  readonly value: Value;
}

/**
 * What the reference says about a route besides its row in the manifest: method, path, key and the errors that follow from them
 * are not repeated here.
 */
export interface Operation<PathName extends string = string> {
  readonly tag: Tag;
  /** A few words, for the list of routes. */
  readonly summary: string;
  /** Markdown. */
  readonly description: string;
  readonly path: Readonly<Record<PathName, Parameter>>;
  readonly query?: Readonly<Record<string, Parameter>>;
  readonly body?: {
    /** The one that parses it. */
    readonly schema: z.ZodMiniObject;
    readonly examples: Readonly<Record<string, Example<object>>>;
    /** Whether it may also come from an HTML form. */
    readonly form?: boolean;
  };
  /** The 200 with our envelope. */
  readonly success?: {
    readonly message: string;
    readonly data: z.ZodMiniObject;
    readonly example: object;
    /** Whether it is a page of a list, with `meta`. */
    readonly isPage?: boolean;
    /** Whether a form gets an HTML page instead. */
    readonly pageForForm?: boolean;
  };
  /** Answers without our envelope. */
  readonly otherAnswers?: ZodOpenApiResponsesObject;
  /** The errors of this route alone. */
  readonly errors?: readonly ErrorCode[];
  /** Whether a browser gets its errors as a page. */
  readonly errorPage?: boolean;
}

/** Why a route is not in the reference. */
export interface LeftOut {
  readonly leftOut: string;
}

/** A webhook: what `data` holds, and when it is posted. */
export interface DocumentedEvent {
  readonly summary: string;
  readonly description: string;
  readonly data: z.ZodMiniObject;
  readonly example: object;
}

/** An answer with a page. */
export function htmlAnswer(description: string) {
  return textAnswer(description, 'text/html');
}

export function textAnswer<Type extends string>(description: string, type: Type) {
  const text = { schema: { type: 'string' } } as const;
  return { description, content: { [type]: text } };
}
