import * as z from 'zod/mini';

/** A field with what the API reference says about it. */
export function described<Field extends z.ZodMiniType>(
  field: Field,
  description: string,
  more?: z.core.GlobalMeta,
): Field {
  return field.check(z.meta({ description, ...more }));
}

/** What the API reference calls by a name of its own, in an answer. */
export function answer<Shape extends z.core.$ZodShape>(id: string, shape: Shape) {
  return z.object(shape).check(z.meta({ id }));
}

/** The body of a request, which may have these fields alone. */
export function requestBody<Shape extends z.core.$ZodShape>(id: string, shape: Shape) {
  return z.strictObject(shape, 'must be a JSON object').check(z.meta({ id }));
}
