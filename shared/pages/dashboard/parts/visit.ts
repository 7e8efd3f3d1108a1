import type * as z from 'zod/mini';
import type { Prepared } from '../../../merchants/audit/audit.table.ts';
import type { Merchant } from '../../../merchants/merchant/merchant.ts';
import type { SignedIn } from '../../../merchants/user/session.ts';
import type { Rate } from '../../../runtime/http/middleware/middleware.ts';
import type { PathNames } from '../../../runtime/http/request.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import type { TableWrite } from '../../../runtime/table/table.ts';
import type { ErrorCode, FieldError } from '../../../runtime/values/errors.ts';
import type { Actions } from './action.ts';
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

/**
 * A form's audit entry. On a merchant's page, the entry belongs to that merchant. On other pages, the entry may name a
 * merchant.
 */
export type FormEntry = Prepared['entry'];

export interface Visit<Names extends string = never, Form = undefined> {
  readonly path: Readonly<Record<Names, string>>;
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly form: FieldsOf<Form>;
  /**
   * Returns the URL of a page or form in the same area, given its path in the table. Path parameters default to the
   * current URL's.
   */
  readonly addressOf: (path: string, ids?: Readonly<Record<string, string>>) => string;
  readonly here: string;
  readonly refused: RefusedForm | undefined;
  /** A new id for each rendered page, so that a resubmitted form takes effect only once. */
  readonly once: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly cookies: readonly string[];
  readonly requestId: string;
  /**
   * Writes a form's changes, audit entries and destination in one transaction. If the form is submitted again, with a
   * second tap or the back button, nothing is written and the person is redirected to the same destination.
   */
  readonly commit: (writes: readonly TableWrite[], going: Going, ...entries: readonly FormEntry[]) => Promise<Going>;
  /**
   * Like `commit`, for a use case that makes its own writes. The first write through the returned `Outside` is
   * committed together with the form's entries.
   */
  readonly committing: (going: Going, ...entries: readonly FormEntry[]) => Outside;
  /**
   * Returns an `Outside` for preliminary writes that may be repeated. The first write also stores the audit entry, but
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
  /** The path of the form's page in the page table, such as `/{reference}/cancel`. */
  readonly path: string;
  /** The form's own URL, which distinguishes a form in one row of a list from those in other rows. */
  readonly action: string;
  readonly typed: Readonly<Record<string, string>>;
  readonly code: ErrorCode;
  readonly message: string;
  readonly errors: readonly FieldError[];
  /**
   * False if the form is no longer on its page, for example because the charge was paid. The page then shows the error
   * itself.
   */
  isShown: boolean;
}

export interface InlineStyle {
  readonly text: string;
  readonly source: string;
}

export interface Shown {
  readonly title: string;
  readonly actions?: Actions | undefined;
  readonly main: Html;
  /**
   * The inline stylesheet, for visitors who have not cached it. On a slow network, a separate file takes half a second.
   */
  readonly style?: InlineStyle;
  readonly script?: 'passkey.js' | 'texts.js' | 'till.js' | typeof PUSH_SCRIPT;
  /** Seconds between reloads in browsers without JavaScript. */
  readonly reloadSeconds?: number;
  /** Seconds between refreshes in the first two minutes after a change, if another change is expected. */
  readonly soonSeconds?: number;
  readonly status?: number;
}

export interface Going {
  readonly goTo: string;
  readonly notice?: string;
  /** True if the action is waiting for approval and must not be shown as done. */
  readonly isWaiting?: boolean;
  readonly next?: { readonly href: string; readonly name: string };
  readonly cookies?: readonly string[];
}

export type NamesIn<Path extends string> = PathNames<Path>;
