/** What there is to know of a stored field, in one place: erasure, the dashboard's pages and files, and the table in `docs/operate/privacy.md` are made from it. */
export interface StoredField {
  /** Who gave it: the merchant, a person of the merchant's team, the customer, the text that a phone got, or the service itself. */
  readonly from: 'merchant' | 'customer' | 'team' | 'text' | 'service';
  /** What an erasure of the person does: nothing in it is theirs, it is removed, or a rule of its own in `infra/admin/personal-data.ts` holds. */
  readonly erasure: 'stays' | 'goes' | 'own rule';
  /** What its line on the dashboard's page of details is called. */
  readonly page?: string;
  /** Its column in the dashboard's file. */
  readonly file?: string;
}

/** Each field of a row, so that a new one cannot be forgotten. Kept apart from the row, because no function of the API needs it. */
export type StoredFields<Row> = Readonly<Record<keyof Row & string, StoredField>>;

/** The names of the fields for which something holds. */
export function fieldsWhere<Name extends string>(
  fields: Readonly<Record<Name, StoredField>>,
  holds: (field: StoredField) => boolean,
): Name[] {
  const isName = (name: string): name is Name => Object.hasOwn(fields, name);
  return Object.keys(fields).filter((name): name is Name => isName(name) && holds(fields[name]));
}

/** What the fields are called on a page, or in a file: what has to be shown there, for the compiler. */
export type NamesIn<Fields extends StoredFields<object>, Where extends 'page' | 'file'> = {
  [Name in keyof Fields]: Fields[Name] extends Readonly<Record<Where, infer Shown extends string>> ? Shown : never;
}[keyof Fields];
