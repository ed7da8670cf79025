import { z } from 'zod';
import { catalogue, type ErrorCode } from '#shared/errors/index.ts';

export type OpenApiPart = Record<string, unknown>;

/** JSON Schema 2020-12 of a request or answer, as OpenAPI 3.1 requires. */
export function schemaOf(shape: z.ZodType): OpenApiPart {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(shape, { unrepresentable: 'any', io: 'input' });
  return schema;
}

export function json(schema: OpenApiPart): OpenApiPart {
  return { 'application/json': { schema } };
}

export function reference(name: string): OpenApiPart {
  return { $ref: `#/components/schemas/${name}` };
}

export function enveloped(data: OpenApiPart): OpenApiPart {
  return { allOf: [reference('Envelope'), { type: 'object', required: ['data'], properties: { data } }] };
}

export function answer(description: string, content?: OpenApiPart): OpenApiPart {
  return { description, ...(content === undefined ? {} : { content }) };
}

export function refusals(...codes: ErrorCode[]): OpenApiPart {
  const byStatus = Map.groupBy(codes, (code) => catalogue[code].status);
  const responses = [...byStatus].map(([status, sameStatus]) => [
    String(status),
    {
      description: sameStatus.map((code) => `\`${code}\`: ${catalogue[code].text}`).join(' '),
      content: json(reference('Error')),
    },
  ]);
  return Object.fromEntries(responses) as OpenApiPart;
}
