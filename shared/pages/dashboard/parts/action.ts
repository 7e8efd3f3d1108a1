import type { Html } from './content.ts';

export interface Action {
  readonly name: Html | string;
  readonly address: string;
  /** True for a secondary action. */
  readonly isPlain?: boolean;
  /** Hidden form fields. Set if the action changes something. */
  readonly sends?: Readonly<Record<string, string | number | undefined>>;
}

export type Actions = readonly (Action | false | undefined)[];

/** A link to the list or thing that a page belongs to. */
export interface Back {
  readonly name: string;
  readonly path: string;
}
