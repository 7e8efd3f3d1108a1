import type * as z from 'zod/mini';
import type { Prepared } from '../../../merchants/audit/audit.table.ts';
import type { Merchant } from '../../../merchants/merchant/merchant.ts';
import type { SignedIn } from '../../../merchants/user/session.ts';
import type { Rate } from '../../../runtime/http/middleware/middleware.ts';
import type { PathNames } from '../../../runtime/http/request.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import type { TableWrite } from '../../../runtime/table/table.ts';
import type { ErrorCode, FieldError } from '../../../runtime/values/errors.ts';
import type { Actions, Back } from './action.ts';
import type { PUSH_SCRIPT } from './addresses.ts';
import type { Html } from './content.ts';

export interface Visitor extends SignedIn {
  readonly user_id: string;
  readonly merchant_id: string | undefined;
  readonly merchant: Merchant | undefined;
  readonly shop: Merchant | undefined;
  readonly rate: Rate;
}

export type FieldsOf<Form> = Form extends z.ZodMiniObject ? z.infer<Form> : Form;

/** A form's audit entry. Belongs to the page's merchant, if the page has one. */
export type FormEntry = Prepared['entry'];

export interface Visit<Names extends string = never, Form = undefined> {
  readonly path: Readonly<Record<Names, string>>;
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly form: FieldsOf<Form>;
  /**
   * Returns the URL of a page in the same area, given its path in the table. Path parameters default to the current
   * ones.
   */
  readonly addressOf: (path: string, ids?: Readonly<Record<string, string>>) => string;
  readonly here: string;
  readonly refused: RefusedForm | undefined;
  /** A new id per rendered page, so that a resubmitted form takes effect once. */
  readonly once: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly cookies: readonly string[];
  readonly requestId: string;
  /**
   * Writes a form's changes, audit entries and destination in one transaction. A resubmitted form writes nothing and
   * redirects to the same destination.
   */
  readonly commit: (writes: readonly TableWrite[], going: Going, ...entries: readonly FormEntry[]) => Promise<Going>;
  /**
   * Like `commit`, for a function that makes its own writes. The first write through the returned `Outside` includes
   * the form's entries.
   */
  readonly committing: (going: Going, ...entries: readonly FormEntry[]) => Outside;
  /**
   * Returns an `Outside` for first steps that may be repeated. The first write through it stores the audit entry, but
   * not the form's destination.
   */
  readonly noting: (entry: FormEntry) => Outside;
}

export interface OpenVisit<Names extends string = never, Form = undefined> extends Visit<Names, Form> {
  readonly visitor: Visitor | undefined;
}

export interface PersonVisit<Names extends string = never, Form = undefined> extends Visit<Names, Form>, SignedIn {}

export interface MerchantVisit<Names extends string = never, Form = undefined> extends PersonVisit<Names, Form> {
  readonly merchant: Merchant;
}

export interface RefusedForm {
  /** Path of the form's page in the page table, such as `/{reference}/cancel`. */
  readonly path: string;
  /** The form's own URL, which identifies a form within a list. */
  readonly action: string;
  readonly typed: Readonly<Record<string, string>>;
  readonly code: ErrorCode;
  readonly message: string;
  readonly errors: readonly FieldError[];
  /** False if the form is no longer on its page. The page then shows the error itself. */
  isShown: boolean;
}

export interface InlineStyle {
  readonly text: string;
  readonly source: string;
}

export interface Shown {
  readonly title: string;
  /** Tells the bill or request apart from others with the same title. Shown below the title. */
  readonly about?: Html | string | undefined;
  readonly actions?: Actions | undefined;
  /** The page's list or bill. Defaults to its place in the menu. */
  readonly back?: Back;
  readonly main: Html;
  /** Inline stylesheet, for visitors who have not cached the file. */
  readonly style?: InlineStyle;
  readonly script?: 'passkey.js' | 'texts.js' | 'till.js' | typeof PUSH_SCRIPT;
  /** Seconds between reloads without JavaScript. */
  readonly reloadSeconds?: number;
  /** Seconds between refreshes for two minutes after a change, if another change is expected. */
  readonly soonSeconds?: number;
  readonly status?: number;
}

export interface Going {
  readonly goTo: string;
  readonly notice?: string;
  /** True if the action needs approval and must not be shown as done. */
  readonly isWaiting?: boolean;
  readonly next?: { readonly href: string; readonly name: string };
  readonly cookies?: readonly string[];
}

export type NamesIn<Path extends string> = PathNames<Path>;
