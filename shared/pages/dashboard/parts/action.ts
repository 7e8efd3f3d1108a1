export interface Action {
  readonly name: string;
  readonly address: string;
  /** True beside a more frequent step, or on a page whose form has the main button. */
  readonly isPlain?: boolean;
  /** Hidden fields of a step that changes something, and so is a form. */
  readonly sends?: Readonly<Record<string, string | number | undefined>>;
}

export type Actions = readonly (Action | false | undefined)[];
