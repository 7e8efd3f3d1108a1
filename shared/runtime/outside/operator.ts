/**
 * Adds the operator's name and contact to a message: `Ask the operator (Ama, 024 123 4567) to add credits`. Returns the
 * message unchanged if the stage has no operator's name.
 */
export function namingOperator({ operator }: { readonly operator?: string | undefined }, words: string): string {
  return operator
    ? words.replace(/\b(?:ask|tell) (?:the operator|support)\b/i, (found) => `${found} (${operator})`)
    : words;
}
