/**
 * Names the operator where words send somebody there: `Ask the operator (Ama, 024 123 4567) to add credits`. A shop's people read
 * *support* in its place. Without a name that the stage was deployed with, the words stay as they are.
 */
export function namingOperator({ operator }: { readonly operator?: string | undefined }, words: string): string {
  return operator
    ? words.replace(/\b(?:ask|tell) (?:the operator|support)\b/i, (found) => `${found} (${operator})`)
    : words;
}
