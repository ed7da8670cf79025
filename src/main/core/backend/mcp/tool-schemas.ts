import { z } from 'zod';
import { sourcePaginationSchema } from '#shared/contract/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';

const errorSchema = z.strictObject({
  code: z.string().describe('A stable word for programs.'),
  message: z.string(),
  next: z.string().describe('What to do next.'),
  statusCode: z.int().describe('The HTTP status of contract §7.3.'),
  errors: z
    .array(z.strictObject({ field: z.string(), code: z.string(), message: z.string() }))
    .optional()
    .describe('Every argument or field that fails.'),
});

/** The JSON Schema (2020-12, the protocol's own dialect) of a tool's arguments; nothing unnamed is taken. */
export function inputSchemaOf(input: z.ZodObject): JsonObject {
  return { ...jsonSchemaOf(input.strict(), 'input'), additionalProperties: false };
}

/**
 * The JSON Schema of `structuredContent`: `{status: 'success', data, sourcePagination?}` with this data, or
 * `{status: 'error', error}`. Clients check every answer against it, refusals included.
 */
export function outputSchemaOf(data: z.ZodType): JsonObject {
  return {
    type: 'object',
    properties: {
      status: { type: 'string', enum: ['success', 'error'] },
      data: jsonSchemaOf(data, 'output'),
      sourcePagination: jsonSchemaOf(sourcePaginationSchema.strict(), 'output'),
      error: jsonSchemaOf(errorSchema, 'output'),
    },
    required: ['status'],
    additionalProperties: false,
    oneOf: [
      { properties: { status: { const: 'success' } }, required: ['data'], not: { required: ['error'] } },
      { properties: { status: { const: 'error' } }, required: ['error'], not: { required: ['data'] } },
    ],
  };
}

function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema }) => {
      // What every JSON number here keeps to anyway would only be noise to an agent.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    },
  });
  return json as JsonObject;
}
