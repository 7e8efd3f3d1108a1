/** A text in one form of each character, without hidden ones: marks that turn the direction, and those that belong to an emoji. */
export function plainText(text: string): string {
  return text.normalize('NFKC').replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '');
}
