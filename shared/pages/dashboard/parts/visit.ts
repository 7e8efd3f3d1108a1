import type * as z from 'zod/mini';
import type { Prepared } from '../../../merchants/audit/audit.table.ts';
import type { Merchant } from '../../../merchants/merchant/merchant.ts';
import type { SignedIn } from '../../../merchants/user/session.ts';
import type { Rate } from '../../../runtime/http/middleware/middleware.ts';
import type { PathNames } from '../../../runtime/http/request.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import type { TableWrite } from '../../../runtime/table/table.ts';
import type { ErrorCode, FieldError } from '../../../runtime/values/errors.ts';
import type { PUSH_SCRIPT } from './addresses.ts';
import type { Html } from './content.ts';

/** Who asks for a page: a person with a session, and the merchant whose dashboard they have open. */
export interface Visitor extends SignedIn {
  readonly user_id: string;
  readonly merchant_id: string | undefined;
  /** In test mode its twin. */
  readonly merchant: Merchant | undefined;
  /** The merchant itself, in test mode, too. */
  readonly shop: Merchant | undefined;
  readonly rate: Rate;
}

/** What a form's schema makes of its fields. */
export type FieldsOf<Form> = Form extends z.ZodMiniObject ? z.infer<Form> : Form;

/** What a form leaves in the audit. Of a merchant's page it is that merchant's; a person's page names the merchant, or leaves it out. */
export type FormEntry = Prepared['entry'];

/** One request for a page of the dashboard, or one form that was sent. */
export interface Visit<Names extends string = never, Form = undefined> {
  /** The ids in the path. */
  readonly path: Readonly<Record<Names, string>>;
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly form: FieldsOf<Form>;
  /** The address of a page or a form of the same area, by its path in the table. Ids are those of this page's address, but for `ids`. */
  readonly addressOf: (path: string, ids?: Readonly<Record<string, string>>) => string;
  /** The address of this page, with its query. */
  readonly here: string;
  /** A form that was refused just now: its page shows it again, as it was filled in. */
  readonly refused: RefusedForm | undefined;
  /** A new id for each page that is shown: what makes a form that is sent twice do one thing. */
  readonly once: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly cookies: readonly string[];
  readonly requestId: string;
  /**
   * Makes the writes of a form, and remembers in the same transaction where it led: the same form sent again, by a second tap or
   * the browser's back, leads there too and writes nothing. What changes something has its audit entry there, too.
   */
  readonly commit: (writes: readonly TableWrite[], going: Going, ...entries: readonly FormEntry[]) => Promise<Going>;
  /** The same for a use case that writes by itself: the side effects to hand to it, whose first write is committed. */
  readonly committing: (going: Going, ...entries: readonly FormEntry[]) => Outside;
  /** The side effects for what is written before that and may be written again: the first write has its audit entry, and nothing else. */
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
  /** The page that the form was sent to, as the table of pages writes it: `/{reference}/cancel`. */
  readonly path: string;
  /** Its own address: of the forms of a list, only that of one row. */
  readonly action: string;
  readonly typed: Readonly<Record<string, string>>;
  readonly code: ErrorCode;
  readonly message: string;
  readonly errors: readonly FieldError[];
  /** Whether the form is still on its page, and says what is wrong. Where it is gone, as of a charge that was paid meanwhile, the page says it. */
  isSaid: boolean;
}

/** A style that is in the page itself, and what allows it in that page's policy. */
export interface InlineStyle {
  readonly text: string;
  readonly source: string;
}

/** A page. */
export interface Shown {
  readonly title: string;
  /** What is done here most, beside the title. */
  readonly action?: Html | undefined;
  readonly main: Html;
  /** For strangers: their browser has kept no style yet, and on a slow network a file of its own is half a second more. */
  readonly style?: InlineStyle;
  /** A script of its own, beside the one that all pages have. */
  readonly script?: 'passkey.js' | 'texts.js' | 'till.js' | typeof PUSH_SCRIPT;
  /** After how long a browser without a script opens it again; without it, never. */
  readonly reloadSeconds?: number;
  /** 200 by default. */
  readonly status?: number;
}

/** Where a form leads when it was done, and what that page then says once. */
export interface Going {
  readonly goTo: string;
  readonly notice?: string;
  /** What the notice says was only asked for: it waits for somebody, and is not shown as done. */
  readonly isWaiting?: boolean;
  /** A link behind the notice, to what somebody does next. */
  readonly next?: { readonly href: string; readonly name: string };
  /** Each as in `Set-Cookie`. */
  readonly cookies?: readonly string[];
}

export type NamesIn<Path extends string> = PathNames<Path>;
