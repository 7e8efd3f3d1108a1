import * as z from 'zod/mini';

/**
 * For a union whose kinds a later release may add to: what is stored of a kind that this release does not know is read as `other`. What is of a
 * kind that it knows must be whole.
 */
export function laterKindAs(
  known: readonly { readonly shape: { readonly kind: z.ZodMiniLiteral<string> } }[],
  other: unknown,
) {
  const kinds = new Set(known.flatMap(({ shape }) => shape.kind.def.values));
  return z.transform((stored: unknown) => {
    const { kind } = Object(stored);
    return typeof kind === 'string' && !kinds.has(kind) ? other : stored;
  });
}
