import { z } from 'zod';

/** A part of an OpenAPI document. */
export type OpenApiPart = Record<string, unknown>;

/** JSON Schema 2020-12 of a shape on the wire, as OpenAPI 3.1 takes it. */
export function schemaOf(shape: z.ZodType): OpenApiPart {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(shape, { unrepresentable: 'any', io: 'input' });
  return schema;
}

/** JSON as a body or an answer. */
export function json(schema: OpenApiPart): OpenApiPart {
  return { 'application/json': { schema } };
}

/** A schema among the components. */
export function reference(name: string): OpenApiPart {
  return { $ref: `#/components/schemas/${name}` };
}

/** The envelope around `data` (contract §2.1). */
export function enveloped(data: OpenApiPart): OpenApiPart {
  return { allOf: [reference('Envelope'), { type: 'object', required: ['data'], properties: { data } }] };
}
