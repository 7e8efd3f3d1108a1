export interface Action {
  readonly name: string;
  readonly address: string;
  /** True if another step is more common, or if a form on the page has the main button. */
  readonly isPlain?: boolean;
  /** Hidden fields. Set for actions that change something, which are therefore forms. */
  readonly sends?: Readonly<Record<string, string | number | undefined>>;
}

export type Actions = readonly (Action | false | undefined)[];
