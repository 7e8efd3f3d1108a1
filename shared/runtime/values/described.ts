import * as z from 'zod/mini';

export function described<Field extends z.ZodMiniType>(
  field: Field,
  description: string,
  more?: z.core.GlobalMeta,
): Field {
  return field.check(z.meta({ description, ...more }));
}

/** Describes each value of a field. Consecutive values can share a description. */
export function describedValues<Field extends z.ZodMiniType>(
  field: Field,
  start: string,
  sentences: Readonly<Record<string, string>>,
): Field {
  const values = Object.keys(sentences);
  const words = values.map((value, n) => {
    const sentence = sentences[value];
    return sentence === sentences[values[n + 1] ?? ''] ? `\`${value}\`,` : `\`${value}\`: ${sentence}.`;
  });
  return described(field, [start, ...words].join(' '));
}

export function answer<Shape extends z.core.$ZodShape>(id: string, shape: Shape) {
  return z.object(shape).check(z.meta({ id }));
}

export function requestBody<Shape extends z.core.$ZodShape>(id: string, shape: Shape) {
  return z.strictObject(shape, 'must be a JSON object').check(z.meta({ id }));
}
