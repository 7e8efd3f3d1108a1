/**
 * All facts about a stored field in one place, for erasure, for the dashboard's pages and files, and for the table in
 * `docs/operate/privacy.md`.
 */
export interface StoredField {
  /**
   * The source of the value: the merchant, a member of the merchant's team, the customer, a text that a phone
   * received, or the service itself.
   */
  readonly from: 'merchant' | 'customer' | 'team' | 'text' | 'service';
  /**
   * Effect on the field when a person's data is erased: it is kept, removed, or handled by a rule of its own in
   * `infra/admin/personal-data.ts`.
   */
  readonly erasure: 'stays' | 'goes' | 'own rule';
  readonly page?: string;
  readonly file?: string;
}

/**
 * The facts about every field of a row, so that a new field cannot be forgotten. Kept separate from the row, because no
 * API function needs them.
 */
export type StoredFields<Row> = Readonly<Record<keyof Row & string, StoredField>>;

export function fieldsWhere<Name extends string>(
  fields: Readonly<Record<Name, StoredField>>,
  holds: (field: StoredField) => boolean,
): Name[] {
  const isName = (name: string): name is Name => Object.hasOwn(fields, name);
  return Object.keys(fields).filter((name): name is Name => isName(name) && holds(fields[name]));
}

/** The labels of fields on a page or in a file. Code with a missing label does not compile. */
export type NamesIn<Fields extends StoredFields<object>, Where extends 'page' | 'file'> = {
  [Name in keyof Fields]: Fields[Name] extends Readonly<Record<Where, infer Shown extends string>> ? Shown : never;
}[keyof Fields];
