import * as z from 'zod/mini';

/** A field with what the API reference says about it. */
export function described<Field extends z.ZodMiniType>(
  field: Field,
  description: string,
  more?: z.core.GlobalMeta,
): Field {
  return field.check(z.meta({ description, ...more }));
}
