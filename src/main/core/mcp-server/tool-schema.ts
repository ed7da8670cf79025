import { z } from 'zod';
import type { JsonObject } from '#shared/lib/json/json-value.ts';

/** The JSON Schema that a tool lists for its arguments or its answer. */
export function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => leaveOutNoise(jsonSchema),
  });
  return json as JsonObject;
}

/** Removes constraints that every value meets, or that a shorter keyword repeats: they would only use an agent's context. */
function leaveOutNoise(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.format === 'date' || schema.format === 'date-time') delete schema.pattern;
  uniteWithNull(schema);
  if (isAnyText(schema.propertyNames)) delete schema.propertyNames;
}

/** Writes `anyOf` of a type and null as one equivalent schema with two types. */
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
