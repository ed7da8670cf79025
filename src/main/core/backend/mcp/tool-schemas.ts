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
  const envelope = z.strictObject({
    status: z.enum(['success', 'error']),
    data: data.optional(),
    sourcePagination: sourcePaginationSchema.strict().optional(),
    error: errorSchema.optional(),
  });
  return {
    ...jsonSchemaOf(envelope, 'output'),
    oneOf: [onlyWith('success', 'data'), onlyWith('error', 'error')],
  };
}

/** An answer of this status has its own part and not the other's. */
function onlyWith(status: 'success' | 'error', part: 'data' | 'error'): JsonObject {
  const other = part === 'data' ? 'error' : 'data';
  return { properties: { status: { const: status } }, required: [part], not: { required: [other] } };
}

function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema }) => leaveOutNoise(jsonSchema),
  });
  return json as JsonObject;
}

/** What every JSON value here keeps to anyway, or a shorter word has said, would only cost an agent's attention. */
function leaveOutNoise(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.format === 'date') delete schema.pattern;
  if (isAnyText(schema.propertyNames)) delete schema.propertyNames;
}

function isAnyText(schema: unknown): boolean {
  return JSON.stringify(schema) === '{"type":"string"}';
}
