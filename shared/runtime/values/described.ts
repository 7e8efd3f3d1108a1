import * as z from 'zod/mini';

export function described<Field extends z.ZodMiniType>(
  field: Field,
  description: string,
  more?: z.core.GlobalMeta,
): Field {
  return field.check(z.meta({ description, ...more }));
}

/** A response schema with its own name in the API reference. */
export function answer<Shape extends z.core.$ZodShape>(id: string, shape: Shape) {
  return z.object(shape).check(z.meta({ id }));
}

/** A request body, which may have no other fields. */
export function requestBody<Shape extends z.core.$ZodShape>(id: string, shape: Shape) {
  return z.strictObject(shape, 'must be a JSON object').check(z.meta({ id }));
}
