import { z } from 'zod';
import type { JsonObject } from '#shared/lib/json/json-value.ts';

/** The JSON Schema of arguments or an answer, as a tool lists it. */
export function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => leaveOutNoise(jsonSchema),
  });
  return json as JsonObject;
}

/** Removes constraints that every JSON value here meets, or that a shorter keyword states: they would only cost an agent's attention. */
function leaveOutNoise(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.format === 'date' || schema.format === 'date-time') delete schema.pattern;
  uniteWithNull(schema);
  if (isAnyText(schema.propertyNames)) delete schema.propertyNames;
}

/** `anyOf` of one shape and null as one schema of two types, which says the same. */
function uniteWithNull(schema: z.core.JSONSchema.BaseSchema): void {
  const [shape, other, ...more] = schema.anyOf ?? [];
  if (shape === undefined || other?.type !== 'null' || more.length > 0) return;
  const isPlain = !['enum', 'const', '$ref'].some((word) => word in shape);
  if (typeof shape.type !== 'string' || !isPlain) return;
  delete schema.anyOf;
  Object.assign(schema, { ...shape, ...schema, type: [shape.type, 'null'] });
}

function isAnyText(schema: unknown): boolean {
  return JSON.stringify(schema) === '{"type":"string"}';
}
