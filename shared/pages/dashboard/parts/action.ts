import type { Html } from './content.ts';

export interface Action {
  readonly name: Html | string;
  readonly address: string;
  /** True if the action is not the page's main one. */
  readonly isPlain?: boolean;
  /** Hidden fields. Set for actions that change something, which are rendered as forms. */
  readonly sends?: Readonly<Record<string, string | number | undefined>>;
}

export type Actions = readonly (Action | false | undefined)[];
