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

export interface Example<Value = unknown> {
  readonly summary: string;
  readonly value: Value;
}

export interface Operation<PathName extends string = string> {
  readonly tag: Tag;
  readonly summary: string;
  readonly description: string;
  readonly path: Readonly<Record<PathName, Parameter>>;
  readonly query?: Readonly<Record<string, Parameter>>;
  readonly body?: {
    readonly schema: z.ZodMiniObject;
    readonly examples: Readonly<Record<string, Example<object>>>;
    readonly form?: boolean;
  };
  readonly success?: {
    readonly message: string;
    readonly data: z.ZodMiniObject;
    readonly example: object;
    readonly isPage?: boolean;
    readonly pageForForm?: boolean;
  };
  readonly otherAnswers?: ZodOpenApiResponsesObject;
  readonly errors?: readonly ErrorCode[];
  readonly errorPage?: boolean;
}

export interface LeftOut {
  readonly leftOut: string;
}

export interface DocumentedEvent {
  readonly summary: string;
  readonly description: string;
  readonly data: z.ZodMiniObject;
  readonly example: object;
}

export function htmlAnswer(description: string) {
  return textAnswer(description, 'text/html');
}

export function textAnswer<Type extends string>(description: string, type: Type) {
  const text = { schema: { type: 'string' } } as const;
  return { description, content: { [type]: text } };
}
