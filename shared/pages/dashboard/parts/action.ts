import type { Html } from './content.ts';

export interface Action {
  readonly name: Html | string;
  readonly address: string;
  /**
   * True if the action is not the page's main one, because another step is more common or a form has the main button.
   */
  readonly isPlain?: boolean;
  /** Hidden fields. They are set for actions that change something, which are therefore rendered as forms. */
  readonly sends?: Readonly<Record<string, string | number | undefined>>;
}

export type Actions = readonly (Action | false | undefined)[];
