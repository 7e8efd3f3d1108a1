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

/** A form's audit entry. On a merchant's page it belongs to that merchant; elsewhere it may name one. */
export type FormEntry = Prepared['entry'];

export interface Visit<Names extends string = never, Form = undefined> {
  readonly path: Readonly<Record<Names, string>>;
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly form: FieldsOf<Form>;
  /**
   * The address of a page or form in the same area, by its path in the table. Ids default to those of the current
   * address.
   */
  readonly addressOf: (path: string, ids?: Readonly<Record<string, string>>) => string;
  readonly here: string;
  readonly refused: RefusedForm | undefined;
  /** A new id for each shown page, which makes a repeated form act only once. */
  readonly once: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly cookies: readonly string[];
  readonly requestId: string;
  /**
   * Writes a form's changes, audit entries and destination in one transaction. The same form sent again, by a second
   * tap or the back button, leads to the same place and writes nothing.
   */
  readonly commit: (writes: readonly TableWrite[], going: Going, ...entries: readonly FormEntry[]) => Promise<Going>;
  /** The equivalent for a use case that writes by itself: its first write through these side effects is committed. */
  readonly committing: (going: Going, ...entries: readonly FormEntry[]) => Outside;
  /** Side effects for earlier writes that may repeat. Their first write carries the audit entry and nothing else. */
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
  /** The form's page, as its path in the page table: `/{reference}/cancel`. */
  readonly path: string;
  /** The form's own address, which tells a row's form from those of the other rows. */
  readonly action: string;
  readonly typed: Readonly<Record<string, string>>;
  readonly code: ErrorCode;
  readonly message: string;
  readonly errors: readonly FieldError[];
  /** False if the form has left its page, for example because the charge was paid. Then the page shows the fault. */
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
  /** For strangers, whose browser has no cached style: on a slow network a separate file costs half a second. */
  readonly style?: InlineStyle;
  readonly script?: 'passkey.js' | 'texts.js' | 'till.js' | typeof PUSH_SCRIPT;
  readonly reloadSeconds?: number;
  readonly status?: number;
}

export interface Going {
  readonly goTo: string;
  readonly notice?: string;
  /** True if the action waits for approval, and so is not shown as done. */
  readonly isWaiting?: boolean;
  readonly next?: { readonly href: string; readonly name: string };
  readonly cookies?: readonly string[];
}

export type NamesIn<Path extends string> = PathNames<Path>;
