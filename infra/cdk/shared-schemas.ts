import * as z from 'zod/v4/mini';

/**
 * Replaces `zod/mini` in the bundles. Plain schemas such as `z.string()` are immutable, so each is created only once.
 * Otherwise, the largest bundle would create a thousand schemas on each cold start.
 */
export * from 'zod/v4/mini';

const anyString = /* @__PURE__ */ z.string();
const anyNumber = /* @__PURE__ */ z.number();
const anyBoolean = /* @__PURE__ */ z.boolean();
const optionals = new WeakMap<z.core.$ZodType, z.ZodMiniOptional>();

// @__NO_SIDE_EFFECTS__
export function string(params?: Parameters<typeof z.string>[0]) {
  return params === undefined ? anyString : z.string(params);
}

// @__NO_SIDE_EFFECTS__
export function number(params?: Parameters<typeof z.number>[0]) {
  return params === undefined ? anyNumber : z.number(params);
}

// @__NO_SIDE_EFFECTS__
export function boolean(params?: Parameters<typeof z.boolean>[0]) {
  return params === undefined ? anyBoolean : z.boolean(params);
}

// @__NO_SIDE_EFFECTS__
export function optional(inner: z.core.$ZodType): z.ZodMiniOptional {
  const known = optionals.get(inner) ?? z.optional(inner);
  optionals.set(inner, known);
  return known;
}

// @__NO_SIDE_EFFECTS__
function withFallback(inner: z.core.$ZodType, fallback: unknown): z.ZodMiniCatch {
  return new z.ZodMiniCatch({ type: 'catch', innerType: inner, catchValue: () => fallback });
}

// Accepts only a constant fallback. zod's own version adds ten kilobytes.
export { withFallback as catch };
