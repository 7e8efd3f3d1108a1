/**
 * Adds the operator's name and contact details to a message: `Ask the operator (Ama, 024 123 4567) to add credits`.
 * Dashboard pages say *support* instead. Returns the message unchanged if the stage was deployed without an operator's
 * name.
 */
export function namingOperator({ operator }: { readonly operator?: string | undefined }, words: string): string {
  return operator
    ? words.replace(/\b(?:ask|tell) (?:the operator|support)\b/i, (found) => `${found} (${operator})`)
    : words;
}
