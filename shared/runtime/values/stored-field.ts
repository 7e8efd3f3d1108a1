/** Metadata of a stored field, for erasure, the dashboard, exports and `docs/operate/privacy.md`. */
export interface StoredField {
  /** Source of the value. `text` is a text that a phone received. */
  readonly from: 'merchant' | 'customer' | 'team' | 'text' | 'service';
  /** Effect of erasing a person's data. `own rule` refers to `infra/admin/personal-data.ts`. */
  readonly erasure: 'stays' | 'goes' | 'own rule';
  readonly page?: string;
  readonly file?: string;
}

/** Metadata of every field of a row. Separate from the row's schema, because API functions do not need the metadata. */
export type StoredFields<Row> = Readonly<Record<keyof Row & string, StoredField>>;

export function fieldsWhere<Name extends string>(
  fields: Readonly<Record<Name, StoredField>>,
  holds: (field: StoredField) => boolean,
): Name[] {
  const isName = (name: string): name is Name => Object.hasOwn(fields, name);
  return Object.keys(fields).filter((name): name is Name => isName(name) && holds(fields[name]));
}

/** Labels of all fields on a page or in a file. A missing label is a type error. */
export type NamesIn<Fields extends StoredFields<object>, Where extends 'page' | 'file'> = {
  [Name in keyof Fields]: Fields[Name] extends Readonly<Record<Where, infer Shown extends string>> ? Shown : never;
}[keyof Fields];
