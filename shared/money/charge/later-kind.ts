import * as z from 'zod/mini';

/**
 * Parses an unknown kind in a union as `other`: a later release may have added it. Known kinds are validated in full.
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
