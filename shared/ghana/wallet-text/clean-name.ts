/** Strips invisible characters, extra spaces, and leading punctuation from a name. */
export function cleanName(name: string): string {
  return name
    .replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replace(/\s+/g, ' ')
    .replace(/^[., ]+/, '')
    .trim();
}
